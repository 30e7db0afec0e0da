// An Arrow file or stream (Feather V2 is one) -> Arrow tables, one for each record batch, through the optional peer
// apache-arrow. What it cannot read is told apart: compressed with what nothing decompresses, of another format, of a
// type that it does not know, damaged.
import { CorruptFileError, UnknownColumnError, UnsupportedError, isColkitError } from '@colkit/io';
import type { RandomAccessSource } from '@colkit/io';
import type { RecordBatch, RecordBatchReader } from 'apache-arrow';
import type { ArrowTableLike } from '@colkit/table';
import type { ColumnNote } from 'columna';
import { peers } from '../formats/peers.ts';
import { plainArrow, plainNote, valueType } from './columns/arrow-plain.ts';
import type { ArrowType } from './columns/arrow-plain.ts';
import { registerCodecs, registerZstdOfPeer } from './arrow-codecs.ts';
import { parseFooter, readMessage, streamOf } from './arrow/arrow-messages.ts';
import type { ArrowBlock } from './arrow/arrow-messages.ts';
import { checkLengths } from './arrow/batch-lengths.ts';
import { isNestedType, nestedAsText } from './columns/nested-arrow.ts';
import type { ArrowVectors } from './columns/nested-arrow.ts';
import { NO_NAME_NOTE, givenNames } from './columns/given-names.ts';
import { NESTED_NOTE, columnsRefused } from './columns/refused-columns.ts';

type ArrowTable = import('apache-arrow').Table;
type Arrow = typeof import('apache-arrow');
type Schema = RecordBatchReader['schema'];

const FILE_MAGIC = 'ARROW1';
/** The magic and two bytes that fill up eight: what follows is the stream. */
const STREAM_IN_FILE = 8;
/** The footer's length, i32, and the magic again. */
const FOOTER_END = 10;
const FEATHER_V1 = 'FEA1';
const UNCOMPRESSED =
  "write it without compression (pyarrow: feather.write_feather(…, compression='uncompressed'), " +
  'IpcWriteOptions(compression=None))';
/** Read at first. More than a file has between its batches, so that who counts bytes gets to all of them. */
const HEAD_BYTES = 1 << 20;

export interface ArrowChoices {
  /** Names the columns, given those of the file; undefined: all. */
  readonly columns?: (names: readonly string[]) => readonly string[] | undefined;
  /** Whether lists, structs and maps become texts of JSON. */
  readonly nested?: boolean;
}

/**
 * The rows of an Arrow file or stream, record batch after record batch, of which one is in memory; a table without rows
 * where there are none.
 * @param notes gets the columns whose values are not, or not only, what the file says they are.
 * @throws UnsupportedError ERR_FEATURE (the peer is missing, compression, Feather V1), ERR_DTYPE; UnknownColumnError;
 * CorruptFileError; IoError.
 */
export async function* arrowBatches(
  source: RandomAccessSource,
  { columns = () => undefined, nested = false }: ArrowChoices = {},
  notes: ColumnNote[] = [],
): AsyncGenerator<ArrowTableLike, void, undefined> {
  const arrow = await peers.arrow();
  const head = new Uint8Array(Math.min(HEAD_BYTES, source.byteLength));
  await source.read(0, head);
  requireArrow(source.path, head);
  const hasCodecs = registerCodecs(arrow);
  let isFirst = true;
  for (let isAgain = false; ; isAgain = true) {
    try {
      const opened = await openReader(source, head, arrow);
      const { reader } = opened;
      const schema = namedSchema(reader.schema, arrow);
      const chosen = columns(schema.fields.map(({ name }) => name));
      requireColumns(schema, chosen);
      if (!nested) refuseNested(source.path, schema, chosen);
      notes.length = 0;
      for (const note of notesOf(schema, reader.schema, chosen, nested)) notes.push(note);
      const select = (table: ArrowTable): ArrowTableLike => {
        const selected = chosen === undefined ? table : table.select([...chosen]);
        return plainArrow(nested ? nestedAsText(selected, arrow as unknown as ArrowVectors) : selected);
      };
      for await (const batch of batchesOf(opened)) {
        checkLengths(batch);
        isFirst = false;
        yield select(new arrow.Table([schema === reader.schema ? batch : new arrow.RecordBatch(schema, batch.data)]));
      }
      if (isFirst) yield select(new arrow.Table(schema));
      return;
    } catch (error) {
      // The codec that is missing is ZSTD.
      if (!isFirst || isAgain || !hasCodecs || !isCompression(error)) throw arrowFault(source.path, error);
      await addZstd(source.path, arrow);
    }
  }
}

/** Of a file: its footer. apache-arrow believes how long it is. @throws Error. */
async function readFooter(source: RandomAccessSource): Promise<Uint8Array> {
  const tail = new Uint8Array(FOOTER_END);
  const room = source.byteLength - STREAM_IN_FILE - FOOTER_END;
  if (room < 0) throw new Error(`${String(source.byteLength)} bytes`);
  await source.read(source.byteLength - FOOTER_END, tail);
  const length = new DataView(tail.buffer).getInt32(0, true);
  if (!startsWith(tail.subarray(4), FILE_MAGIC)) throw new Error('no ARROW1 at its end: it was cut off');
  if (length <= 0 || length > room) throw new Error(`a footer of ${String(length)} bytes`);
  const footer = new Uint8Array(length);
  await source.read(source.byteLength - FOOTER_END - length, footer);
  return footer;
}

/** What apache-arrow reads, and before each batch what looks it through; null where that is done on the way. */
interface Opened {
  readonly reader: RecordBatchReader;
  readonly batches: readonly ArrowBlock[] | null;
  readonly messages: HeldMessage;
}

async function openReader(source: RandomAccessSource, head: Uint8Array, arrow: Arrow): Promise<Opened> {
  const messages = new HeldMessage(source);
  const footer = startsWith(head, FILE_MAGIC) ? parseFooter(await readFooter(source)) : null;
  const { isBigEndian } = footer ?? (await readMessage(source, { byteOffset: 0, byteLength: 0 })) ?? {};
  if (isBigEndian === true)
    throw new UnsupportedError(
      'ERR_FEATURE',
      'big-endian',
      `${source.path}: its numbers are big-endian, which is not read; write it with little-endian ones`,
    );
  for (const dictionary of footer?.dictionaries ?? []) await messages.hold(dictionary);
  const given = footer === null ? streamOf(source) : messages.fileHandle();
  // Both are known by their members.
  const reader = (await arrow.RecordBatchReader.from(given as AsyncIterable<Uint8Array>)) as RecordBatchReader;
  await reader.open();
  // What is no Arrow file has no schema, which nothing says.
  if ((reader.schema as unknown) === undefined || (reader.schema as unknown) === null)
    throw new Error('no schema where one should be');
  return { reader, batches: footer?.batches ?? null, messages };
}

/** Files are read by number: asked for the next batch, apache-arrow never ends where a message is of another kind. */
async function* batchesOf({ reader, batches, messages }: Opened): AsyncGenerator<RecordBatch, void, undefined> {
  if (!reader.isFile()) {
    yield* reader;
    return;
  }
  for (const [index, block] of (batches ?? []).entries()) {
    await messages.hold(block);
    const batch = await reader.readRecordBatch(index);
    if (batch === null) throw new Error(`no rows in batch ${String(index)}`);
    yield batch;
  }
}

/** A file whose message was looked through last is read once. */
class HeldMessage {
  readonly #source: RandomAccessSource;
  #byteOffset = 0;
  #bytes: Uint8Array = new Uint8Array(0);

  constructor(source: RandomAccessSource) {
    this.#source = source;
  }

  /** @throws Error where it is damaged. */
  async hold(block: ArrowBlock): Promise<void> {
    this.#bytes = (await readMessage(this.#source, block))?.bytes ?? new Uint8Array(0);
    this.#byteOffset = block.byteOffset;
  }

  /** What apache-arrow reads files by: the little that it needs of a `FileHandle` of Node. */
  fileHandle(): object {
    return {
      fd: 0,
      stat: () => Promise.resolve({ size: this.#source.byteLength }),
      read: async (buffer: Uint8Array, offset: number, length: number, position: number) => {
        const bytesRead = Math.max(0, Math.min(length, this.#source.byteLength - position));
        const target = buffer.subarray(offset, offset + bytesRead);
        const at = position - this.#byteOffset;
        if (at >= 0 && at + bytesRead <= this.#bytes.length) target.set(this.#bytes.subarray(at, at + bytesRead));
        else await this.#source.read(position, target);
        return { bytesRead, buffer };
      },
      close: () => Promise.resolve(),
    };
  }
}

/** The same, where all columns have names. Apache's writer leaves out an empty one, which its reader has as null. */
function namedSchema(schema: Schema, { Schema: SchemaOf }: Arrow): Schema {
  const names = schema.fields.map(({ name }) => (name as string | null) ?? '');
  const given = givenNames(names);
  if (!names.includes('')) return schema;
  return new SchemaOf(schema.fields.map((field, position) => field.clone({ name: given[position] as string })));
}

function requireColumns({ fields }: Schema, chosen: readonly string[] | undefined): void {
  const names = fields.map(({ name }) => name);
  const unknown = chosen?.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new UnknownColumnError(unknown, names);
}

/** As of Parquet. @throws UnsupportedError ERR_DTYPE. */
function refuseNested(path: string, schema: Schema, chosen: readonly string[] | undefined): void {
  const fields = schema.fields.filter(({ name }) => chosen?.includes(name) !== false);
  const namesOf = (isNested: boolean): string[] =>
    fields.filter(({ type }) => isNestedType(type as ArrowType) === isNested).map(({ name }) => name);
  const names = namesOf(true);
  if (names.length === 0) return;
  throw columnsRefused({ path, what: 'a nested column', names, others: namesOf(false), mayBeText: true });
}

function notesOf(
  { fields }: Schema,
  stored: Schema,
  chosen: readonly string[] | undefined,
  nested: boolean,
): ColumnNote[] {
  return fields.flatMap(({ name, type: own }, position) => {
    if (chosen?.includes(name) === false) return [];
    const type = valueType(own as ArrowType);
    const ofNested = nested && isNestedType(type) ? NESTED_NOTE : null;
    const ofName = stored.fields[position]?.name !== name ? NO_NAME_NOTE : null;
    const notes = [ofName, ofNested ?? zoneNote(type) ?? plainNote(type)];
    return notes.flatMap((note) => (note === null ? [] : [{ column: name, note }]));
  });
}

/** Zones of moments are not kept. */
function zoneNote({ timezone }: ArrowType): string | null {
  if (timezone == null) return null;
  return `moments of ${timezone} became datetime64: the same moments, in UTC, without a time zone`;
}

function requireArrow(path: string, head: Uint8Array): void {
  if (startsWith(head, FEATHER_V1))
    throw new UnsupportedError(
      'ERR_FEATURE',
      'Feather V1',
      `${path}: this is Feather V1, which is not read; write it as V2 (pyarrow: feather.write_feather(…, ` +
        `version=2, compression='uncompressed'))`,
    );
  if (head.length === 0)
    throw new CorruptFileError('ERR_TRUNCATED', {
      path,
      region: 'Arrow file',
      byteOffset: 0,
      expected: 'an Arrow file',
      found: 'an empty one',
    });
}

const isCompression = (error: unknown): boolean => error instanceof Error && /compress/iu.test(error.message);

/** @throws UnsupportedError ERR_FEATURE. */
async function addZstd(path: string, arrow: Arrow): Promise<void> {
  try {
    await registerZstdOfPeer(arrow);
  } catch (error) {
    if (!(error instanceof UnsupportedError)) throw error;
    throw new UnsupportedError(
      'ERR_FEATURE',
      'ZSTD',
      `${path}: its batches are compressed with ZSTD; ${error.message}, or ${UNCOMPRESSED}`,
    );
  }
}

/** What apache-arrow threw, which is plain Errors. */
function arrowFault(path: string, error: unknown): Error {
  if (isColkitError(error)) return error;
  const found = error instanceof Error ? error.message : String(error);
  if (isCompression(error))
    return new UnsupportedError(
      'ERR_FEATURE',
      'compression',
      `${path}: its batches are compressed, which apache-arrow before 21.1 does not read; ${UNCOMPRESSED}`,
    );
  // Polars writes integers of 128 bits.
  const type = found === 'Unrecognized Int type' ? 'Int128' : /^Unrecognized type: "([A-Z]\w*)"/u.exec(found)?.[1];
  if (type !== undefined)
    return new UnsupportedError(
      'ERR_DTYPE',
      type,
      `${path}: a column has the Arrow type ${type}, which apache-arrow does not read; write the file without it`,
    );
  return new CorruptFileError('ERR_METADATA', {
    path,
    region: 'Arrow file',
    byteOffset: 0,
    expected: 'an Arrow file that apache-arrow reads',
    found,
    cause: error,
  });
}

function startsWith(bytes: Uint8Array, magic: string): boolean {
  return Array.from(magic).every((letter, at) => bytes[at] === letter.charCodeAt(0));
}
