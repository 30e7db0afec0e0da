// JSON text -> its records, block by block, in order: whatever holds one object after another.
import { ArgumentError, LimitError } from '@colkit/io';
import type { Openable } from '@colkit/io';
import { cutTexts } from '../values/utf8-texts.ts';
import { requireText } from '../text-input/decompress.ts';
import { NO_UTF8_REMEDY } from '../text-input/rejected-rows.ts';
import { plainSource } from '../text-input/plain-source.ts';
import type { Plain } from '../text-input/plain-source.ts';
import { findRecords } from './find-records.ts';
import type { JsonForm, ListState, Records } from './find-records.ts';
import { parseRecord } from './parse-record.ts';

const BLOCK_BYTES = 1 << 20;
const LONGEST_RECORD = 1 << 28;
const BOM = [0xef, 0xbb, 0xbf];
const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const LF = 0x0a;
const OPEN_LIST = 0x5b;

/** Bytes [byteOffset, byteOffset + bytes.length), the taker's own, and the records that begin and end in them. */
export interface RecordBlock {
  readonly form: JsonForm;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly byteOffset: number;
  readonly records: Records;
  /** Where the block begins: from 1. */
  readonly firstLine: number;
}

/** @throws ArgumentError ERR_VALUE, behind the records before it; LimitError for a record of more than 256 MiB. */
export async function* readRecords(
  { source, name }: Plain,
  signal: AbortSignal | undefined,
  blockBytes = BLOCK_BYTES,
): AsyncGenerator<RecordBlock, void, undefined> {
  const head = new Uint8Array(Math.min(BLOCK_BYTES, source.byteLength));
  await source.read(0, head, signal);
  requireText(head, name, 'JSON');
  const { form, byteOffset: start, line } = formOf(head);
  let [byteOffset, firstLine, size, column] = [start, line, blockBytes, 1 + start - lineStart(head, start)];
  let state: ListState = 'begun';
  while (byteOffset < source.byteLength) {
    signal?.throwIfAborted();
    const bytes = new Uint8Array(Math.min(size, source.byteLength - byteOffset));
    await source.read(byteOffset, bytes, signal);
    const records = findRecords(bytes, form, byteOffset + bytes.length === source.byteLength, state);
    const { fault, byteLength } = records;
    // Told before whoever gets the block changes its bytes.
    const faultColumn = fault === null ? 0 : columnOf(bytes, fault.at, column);
    if (byteLength > 0) column = columnOf(bytes, byteLength, column);
    if (records.starts.length > 0) yield { form, bytes, byteOffset, records, firstLine };
    // What brackets and strings do behind a fault, nobody knows.
    if (fault !== null)
      throw new ArgumentError(
        'ERR_VALUE',
        `${name}: line ${String(firstLine + fault.line)}, column ${String(faultColumn)}`,
        fault.expected,
        fault.found,
      );
    if (byteLength === 0) {
      if (size >= LONGEST_RECORD) throw new LimitError('ERR_LIMIT', `${name}: bytes of a row`, LONGEST_RECORD, size);
      size *= 2;
      continue;
    }
    byteOffset += byteLength;
    firstLine += records.lineCount;
    [size, state] = [blockBytes, records.state];
  }
}

/** The first byte of the line that `at` is on, or of the bytes. */
function lineStart(bytes: Uint8Array, at: number): number {
  return at === 0 ? 0 : bytes.lastIndexOf(LF, at - 1) + 1;
}

/** The column of a byte, from 1, in characters. @param first the column of the first byte. */
function columnOf(bytes: Uint8Array, at: number, first: number): number {
  const start = lineStart(bytes, at);
  return (
    (start === 0 ? first : 1) + new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(start, at)).length
  );
}

/** What the first bytes tell of the form, and where the records begin. */
function formOf(bytes: Uint8Array): { readonly form: JsonForm; readonly byteOffset: number; readonly line: number } {
  const start = BOM.every((byte, index) => bytes[index] === byte) ? BOM.length : 0;
  const first = bytes.findIndex((byte, at) => at >= start && byte > 0x20);
  if (bytes[first] === OPEN_LIST) {
    const line = 1 + bytes.subarray(0, first).filter((byte) => byte === LF).length;
    return { form: 'list', byteOffset: first + 1, line };
  }
  const end = bytes.indexOf(LF, Math.max(first, 0));
  const isLine = end !== -1 && isObject(bytes.subarray(first, end));
  return { form: isLine || first === -1 ? 'lines' : 'values', byteOffset: start, line: 1 };
}

function isObject(bytes: Uint8Array): boolean {
  const nothing = (): undefined => undefined;
  return (
    typeof parseRecord(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), nothing, () => false) !== 'string'
  );
}

/** The text of each record; null: it is no UTF-8. */
export function recordTexts(bytes: Uint8Array, { starts, ends }: Records): readonly (string | null)[] {
  const count = starts.length;
  // What lies between two records is a text, too.
  const bounds = new Uint32Array(2 * count);
  for (let record = 0; record < count; record += 1) {
    bounds[2 * record] = starts[record] as number;
    bounds[2 * record + 1] = ends[record] as number;
  }
  const data = bytes.subarray(0, bounds.at(-1) ?? 0);
  const pieces = new Array<string>(bounds.length);
  try {
    cutTexts(DECODER.decode(data), data, 0, bounds, pieces, 0);
    return Array.from({ length: count }, (_, record) => pieces[2 * record + 1] as string);
  } catch {
    return starts.map((start, record) => textOrNull(bytes.subarray(start, ends[record])));
  }
}

function textOrNull(bytes: Uint8Array): string | null {
  try {
    return DECODER.decode(bytes);
  } catch {
    return null;
  }
}

export interface JsonText {
  readonly text: string;
  /** Where it begins: from 1. */
  readonly line: number;
}

/**
 * The text of each object of JSON lines, of a list, or of values one after another, also compressed with gzip or zstd.
 * @throws ArgumentError ERR_VALUE for what is no such text; LimitError for an object of more than 256 MiB; IoError.
 */
export async function* jsonTexts(
  input: Openable | AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<JsonText, void, undefined> {
  const plain = await plainSource(input, signal);
  try {
    for await (const { bytes, records, firstLine } of readRecords(plain, signal)) {
      for (const [record, text] of recordTexts(bytes, records).entries()) {
        const line = firstLine + (records.lines[record] as number);
        if (text === null)
          throw new ArgumentError(
            'ERR_VALUE',
            `${plain.name}: line ${String(line)}`,
            'UTF-8',
            `other bytes; ${NO_UTF8_REMEDY}`,
          );
        yield { text, line };
      }
    }
  } finally {
    await plain.close();
  }
}
