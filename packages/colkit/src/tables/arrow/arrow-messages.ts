// What tells of an Arrow file or stream: its footer, and the messages in front of its bodies. Their flatbuffers are
// looked through before apache-arrow has them: it believes each number of entries that it finds, and a damaged one
// would take all memory.
import type { RandomAccessSource } from '@colkit/io';

/** Where a message is, and how many bytes the footer says that it has in front of its body. */
export interface ArrowBlock {
  readonly byteOffset: number;
  readonly byteLength: number;
}

export interface ArrowFooter {
  readonly isBigEndian: boolean;
  readonly dictionaries: readonly ArrowBlock[];
  readonly batches: readonly ArrowBlock[];
}

export interface ArrowMessage {
  /** All that is in front of its body. */
  readonly bytes: Uint8Array;
  readonly bodyBytes: number;
  /** False of what is no schema. */
  readonly isBigEndian: boolean;
}

/** Since Arrow 0.15 a mark is in front of a message's length. */
const MARK = -1;
const PREFIX_BYTES = 8;
/** Of a body, what is read at a time. */
const PIECE_BYTES = 1 << 20;
const OFFSET_BYTES = 4;
const STRUCT_BYTES = 16;
const BLOCK_BYTES = 24;
const BIG_ENDIAN = 1;
/** Fields of the specification's File.fbs, Message.fbs and Schema.fbs, by number. */
const FOOTER = { schema: 1, dictionaries: 2, batches: 3, metadata: 4 };
const MESSAGE = { headerType: 1, header: 2, bodyLength: 3, metadata: 4 };
const HEADER = { schema: 1, dictionary: 2, batch: 3 };
const SCHEMA = { endianness: 0, fields: 1, metadata: 2 };
const FIELD = { children: 5, metadata: 6 };
const DICTIONARY_BATCH = 1;
const BATCH = { nodes: 1, buffers: 2, variadicCounts: 4 };

/** Tables of a flatbuffer by where they are. Reading behind its end is a RangeError. */
class Flatbuffer {
  readonly #view: DataView;
  /** Bytes that entries may still have: those of two vectors are not the same. */
  #left: number;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#left = bytes.length;
  }

  get root(): number {
    return this.#follow(0);
  }

  /** Null where the field has its default. */
  table(table: number, field: number): number | null {
    const at = this.#field(table, field);
    return at === null ? null : this.#follow(at);
  }

  /** Where each entry is. @throws Error where there is no room for so many. */
  entries(table: number, field: number, entryBytes: number): number[] {
    const vector = this.table(table, field);
    if (vector === null) return [];
    const count = this.#view.getInt32(vector, true);
    this.#left -= count * entryBytes;
    if (count < 0 || this.#left < 0)
      throw new Error(`${String(count)} entries in ${String(this.#view.byteLength)} bytes of metadata`);
    return Array.from({ length: count }, (_, entry) => vector + OFFSET_BYTES + entry * entryBytes);
  }

  tables(table: number, field: number): number[] {
    return this.entries(table, field, OFFSET_BYTES).map((at) => this.#follow(at));
  }

  small(table: number, field: number): number {
    const at = this.#field(table, field);
    return at === null ? 0 : this.#view.getUint8(at);
  }

  long(table: number, field: number): number {
    const at = this.#field(table, field);
    return at === null ? 0 : Number(this.#view.getBigInt64(at, true));
  }

  block(at: number): ArrowBlock {
    const byteOffset = Number(this.#view.getBigInt64(at, true));
    return { byteOffset, byteLength: this.#view.getInt32(at + 8, true) };
  }

  #field(table: number, field: number): number | null {
    const fields = table - this.#view.getInt32(table, true);
    const entry = 4 + 2 * field;
    const at = entry < this.#view.getUint16(fields, true) ? this.#view.getUint16(fields + entry, true) : 0;
    return at === 0 ? null : table + at;
  }

  #follow(at: number): number {
    return at + this.#view.getInt32(at, true);
  }
}

/** @throws Error where it is damaged. */
export function parseFooter(bytes: Uint8Array): ArrowFooter {
  const flat = new Flatbuffer(bytes);
  const { root } = flat;
  const isBigEndian = checkSchema(flat, flat.table(root, FOOTER.schema));
  flat.entries(root, FOOTER.metadata, OFFSET_BYTES);
  const blocks = (field: number): ArrowBlock[] => flat.entries(root, field, BLOCK_BYTES).map((at) => flat.block(at));
  return { isBigEndian, dictionaries: blocks(FOOTER.dictionaries), batches: blocks(FOOTER.batches) };
}

/** The message there, without its body; null where the stream ends. @throws Error where it is damaged. */
export async function readMessage(
  source: RandomAccessSource,
  { byteOffset, byteLength }: ArrowBlock,
): Promise<ArrowMessage | null> {
  const room = source.byteLength - byteOffset;
  if (byteOffset < 0 || room < 0) throw new Error(`a message at byte ${String(byteOffset)}`);
  const read = async (length: number): Promise<Uint8Array> => {
    const bytes = new Uint8Array(Math.min(length, room));
    await source.read(byteOffset, bytes);
    return bytes;
  };
  let bytes = await read(Math.max(byteLength, PREFIX_BYTES));
  if (bytes.length < PREFIX_BYTES) return null;
  const prefix = new DataView(bytes.buffer);
  const start = prefix.getInt32(0, true) === MARK ? PREFIX_BYTES : PREFIX_BYTES / 2;
  const length = prefix.getInt32(start - 4, true);
  if (length === 0) return null;
  if (length < 0 || start + length > room) throw new Error(`a message of ${String(length)} bytes`);
  if (bytes.length < start + length) bytes = await read(start + length);
  return { bytes, ...checkMessage(bytes.subarray(start, start + length)) };
}

/** A stream piece by piece, each message looked through before it is given. */
export async function* streamOf(source: RandomAccessSource): AsyncGenerator<Uint8Array, void, undefined> {
  let at = 0;
  for (;;) {
    const message = await readMessage(source, { byteOffset: at, byteLength: 0 });
    if (message === null) break;
    yield message.bytes;
    at += message.bytes.length;
    const end = Math.min(source.byteLength, at + message.bodyBytes);
    for (; at < end; at += PIECE_BYTES) {
      const piece = new Uint8Array(Math.min(PIECE_BYTES, end - at));
      await source.read(at, piece);
      yield piece;
    }
    at = end;
  }
}

function checkMessage(bytes: Uint8Array): { bodyBytes: number; isBigEndian: boolean } {
  const flat = new Flatbuffer(bytes);
  const { root } = flat;
  const bodyBytes = flat.long(root, MESSAGE.bodyLength);
  if (bodyBytes < 0) throw new Error(`a body of ${String(bodyBytes)} bytes`);
  flat.entries(root, MESSAGE.metadata, OFFSET_BYTES);
  const header = flat.table(root, MESSAGE.header);
  const type = flat.small(root, MESSAGE.headerType);
  if (type === HEADER.batch) checkBatch(flat, header);
  if (type === HEADER.dictionary && header !== null) checkBatch(flat, flat.table(header, DICTIONARY_BATCH));
  return { bodyBytes, isBigEndian: type === HEADER.schema && checkSchema(flat, header) };
}

/** Whether its numbers are big-endian, to which apache-arrow pays no attention. */
function checkSchema(flat: Flatbuffer, schema: number | null): boolean {
  if (schema === null) return false;
  flat.entries(schema, SCHEMA.metadata, OFFSET_BYTES);
  checkFields(flat, flat.tables(schema, SCHEMA.fields));
  return flat.small(schema, SCHEMA.endianness) === BIG_ENDIAN;
}

function checkFields(flat: Flatbuffer, fields: readonly number[]): void {
  for (const field of fields) {
    flat.entries(field, FIELD.metadata, OFFSET_BYTES);
    checkFields(flat, flat.tables(field, FIELD.children));
  }
}

function checkBatch(flat: Flatbuffer, batch: number | null): void {
  if (batch === null) return;
  flat.entries(batch, BATCH.nodes, STRUCT_BYTES);
  flat.entries(batch, BATCH.buffers, STRUCT_BYTES);
  flat.entries(batch, BATCH.variadicCounts, 8);
}
