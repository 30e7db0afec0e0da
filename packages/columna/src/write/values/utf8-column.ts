// Chunks of UTF-8, one behind the other -> what a row group holds of a column of texts.
import { ArgumentError } from '@colkit/io';
import { TextTable, ValidityBuilder } from '@colkit/table';
import type { Utf8Chunk } from '@colkit/table';
import type { ColumnType } from '../../layout/column-type.ts';
import { MAX_DICTIONARY_ENTRIES } from '../../layout/constants.ts';
import { countOnes } from '../../columns/decode-page.ts';
import { numbersFrom } from '../../columns/vector.ts';
import type { ByteStrings } from '../../columns/vector.ts';
import { byteOrder, pickStrings } from '../../columns/byte-strings.ts';
import { giveBack, lentWords } from '../../columns/kernels/lent-words.ts';
import { foundAtMost, writeKernels } from '../../columns/kernels/write-kernels.ts';
import { isSet } from './column-values.ts';
import type { StringColumn } from './column-values.ts';

/** Of a row group. */
const MOST_TEXT_BYTES = 0xffffffff;

/**
 * The same column, value for value and entry for entry, as of all its texts in one piece (`textColumn`), without a
 * string of the language for any of them.
 * @throws ArgumentError ERR_VALUE beyond 4 GiB.
 */
export function utf8Column(type: ColumnType, chunks: readonly Utf8Chunk[]): StringColumn {
  let rowCount = 0;
  const nulls = new ValidityBuilder(chunks.reduce((sum, chunk) => sum + chunk.rowCount, 0));
  for (const chunk of chunks) {
    nulls.copy(chunk.validity, 0, chunk.rowCount, rowCount);
    rowCount += chunk.rowCount;
  }
  const bitmap = nulls.finish(rowCount);
  const valueCount = bitmap === null ? rowCount : countOnes(bitmap, rowCount);
  const validity = valueCount === rowCount ? null : bitmap;
  const texts = inOneChunk(chunks, rowCount, validity);
  const interned = intern(texts, rowCount, valueCount);
  if (interned !== null) return { kind: 'strings', type, rowCount, validity, ...interned };
  return { kind: 'strings', type, rowCount, validity, entries: everyText(texts, valueCount), codes: null };
}

/** Texts without codes as one chunk, which is looked through as a whole; others as they are. */
function inOneChunk(chunks: readonly Utf8Chunk[], rowCount: number, validity: Uint8Array | null): readonly Utf8Chunk[] {
  if (chunks.length < 2 || chunks.some(({ codes }) => codes !== null)) return chunks;
  const texts = joinedTexts(chunks);
  return texts === null ? chunks : [{ kind: 'utf8', rowCount, ...texts, codes: null, validity }];
}

/** The texts of chunks, one after the other; those of one as they lie. Null where they are too many bytes. */
function joinedTexts(chunks: readonly Utf8Chunk[]): Pick<Utf8Chunk, 'bytes' | 'ends'> | null {
  const [only] = chunks;
  if (only !== undefined && chunks.length === 1) return { bytes: only.bytes, ends: only.ends };
  const byteLength = chunks.reduce((sum, { ends }) => sum + (ends.at(-1) ?? 0), 0);
  if (byteLength > MOST_TEXT_BYTES) return null;
  const bytes = new Uint8Array(byteLength);
  const ends = new Uint32Array(textCountOf(chunks));
  let [used, text] = [0, 0];
  for (const chunk of chunks) {
    const [count, textBytes] = [chunk.ends.length, chunk.ends.at(-1) ?? 0];
    bytes.set(chunk.bytes.subarray(0, textBytes), used);
    for (let i = 0; i < count; i++) ends[text + i] = used + (chunk.ends[i] as number);
    [used, text] = [used + textBytes, text + count];
  }
  return { bytes, ends };
}

const textCountOf = (chunks: readonly Utf8Chunk[]): number => chunks.reduce((sum, { ends }) => sum + ends.length, 0);

/**
 * Distinct texts in byte order and codes in lent memory, or null where more than half of the values, or too many, are
 * distinct: by the rules that columns in one piece have.
 */
function intern(
  chunks: readonly Utf8Chunk[],
  rowCount: number,
  valueCount: number,
): Pick<StringColumn, 'entries' | 'codes'> | null {
  const most = Math.min(MAX_DICTIONARY_ENTRIES, Math.max(1, rowCount >>> 1));
  const interned = internInAddon(chunks, most) ?? internHere(chunks, most);
  if (interned === 'many') return null;
  const { found, entriesOf, release } = interned;
  if (found.count > valueCount >>> 1 && valueCount > 1) {
    release();
    return null;
  }
  const order = byteOrder(found);
  const rank = new Uint32Array(order.length);
  for (let code = 0; code < order.length; code++) rank[order[code] as number] = code;
  const codes = lentWords(valueCount);
  let count = 0;
  for (const [number, chunk] of chunks.entries()) {
    const codeOf = entriesOf[number] as Uint32Array;
    for (let text = 0; text < codeOf.length; text++) codeOf[text] = rank[codeOf[text] as number] as number;
    count = putCodes(chunk, codeOf, codes, count);
  }
  release();
  return { entries: pickStrings(found, order), codes };
}

/** The distinct texts, and for each chunk the entry of each of its texts, until that memory is given back. */
interface Found {
  readonly found: ByteStrings;
  readonly entriesOf: readonly Uint32Array[];
  readonly release: () => void;
}

/** Null where there is no addon, or texts are too many bytes for one call. */
function internInAddon(chunks: readonly Utf8Chunk[], most: number): Found | 'many' | null {
  const textCount = textCountOf(chunks);
  const kernels = writeKernels(textCount);
  const texts = kernels === null ? null : joinedTexts(chunks);
  if (kernels === null || texts === null) return null;
  const { bytes, ends } = texts;
  const used = usedOfAll(chunks, textCount);
  const entries = lentWords(textCount);
  const release = (): void => giveBack(entries);
  const firsts = foundAtMost(most, (room) => kernels.codeTexts(bytes, 0, ends, used, entries, room));
  if (firsts === null) {
    release();
    return 'many';
  }
  let first = 0;
  const entriesOf = chunks.map((chunk) => entries.subarray(first, (first += chunk.ends.length)));
  return {
    found: pickStrings({ kind: 'strings', count: textCount, bytes, start: 0, ends }, firsts),
    entriesOf,
    release,
  };
}

/** Which of the texts of all chunks some row has, a bit each. Null: all of them. */
function usedOfAll(chunks: readonly Utf8Chunk[], textCount: number): Uint8Array | null {
  const used = new ValidityBuilder(textCount);
  let text = 0;
  for (const chunk of chunks) {
    used.copy(usedOf(chunk), 0, chunk.ends.length, text);
    text += chunk.ends.length;
  }
  return used.finish(textCount);
}

function internHere(chunks: readonly Utf8Chunk[], most: number): Found | 'many' {
  const table = new TextTable();
  const entriesOf: Uint32Array[] = [];
  for (const chunk of chunks) {
    const entries = entriesIn(chunk, table, most);
    if (entries === null) return 'many';
    entriesOf.push(entries);
  }
  const { bytes, ends } = table.entries();
  return { found: { kind: 'strings', count: ends.length, bytes, start: 0, ends }, entriesOf, release: () => undefined };
}

/** For each text of a chunk its entry in the table; null where there are too many. */
function entriesIn(chunk: Utf8Chunk, table: TextTable, most: number): Uint32Array | null {
  const { bytes, ends } = chunk;
  const entries = new Uint32Array(ends.length);
  const used = usedOf(chunk);
  for (let text = 0; text < ends.length; text++) {
    if (used !== null && (((used[text >>> 3] as number) >>> (text & 7)) & 1) === 0) continue;
    entries[text] = table.codeOf(bytes, text === 0 ? 0 : (ends[text - 1] as number), ends[text] as number);
    if (table.count > most) return null;
  }
  return entries;
}

/** Which of the texts occur, a bit each: in some rows of a block not all of them do. Null: all of them. */
function usedOf({ codes, validity, rowCount, ends: { length: textCount } }: Utf8Chunk): Uint8Array | null {
  if (codes === null) return validity;
  const used = new Uint8Array(textCount);
  let left = textCount;
  for (let row = 0; row < rowCount && left > 0; row++) {
    const code = codes[row] as number;
    if (used[code] !== 0 || (validity !== null && !isSet(validity, row))) continue;
    used[code] = 1;
    left--;
  }
  const bits = new Uint8Array(Math.ceil(textCount / 8));
  for (let text = 0; text < textCount; text++)
    if (used[text] === 1) bits[text >>> 3] = (bits[text >>> 3] as number) | (1 << (text & 7));
  return bits;
}

/** Codes of the values that are not null, behind the first `count`; gives how many there are then. */
function putCodes(
  { rowCount, codes, validity }: Utf8Chunk,
  codeOf: Uint32Array,
  to: Uint32Array,
  count: number,
): number {
  const kernels = writeKernels(rowCount);
  if (kernels !== null) return count + kernels.mapPresent(codes, rowCount, validity, codeOf, to.subarray(count));
  let at = count;
  for (let row = 0; row < rowCount; row++) {
    if (validity !== null && (((validity[row >>> 3] as number) >>> (row & 7)) & 1) === 0) continue;
    to[at++] = codeOf[codes === null ? row : (codes[row] as number)] as number;
  }
  return at;
}

/** The texts that are not null, one after the other: no copy of the bytes of one chunk whose nulls have none. */
function everyText(chunks: readonly Utf8Chunk[], valueCount: number): ByteStrings {
  const [only] = chunks;
  const isPlain = only !== undefined && chunks.length === 1 && only.codes === null;
  const ends = isPlain ? endsOfPresent(only, valueCount) : null;
  if (only !== undefined && ends !== null)
    return { kind: 'strings', count: valueCount, bytes: only.bytes, start: 0, ends };
  const spread = spreadTexts(chunks, valueCount);
  if (spread !== null) return spread;
  const joinedEnds = new Uint32Array(valueCount);
  let [count, byteLength] = [0, 0];
  eachText(chunks, (_, start, end) => {
    byteLength += end - start;
    joinedEnds[count++] = byteLength;
  });
  checkBytes(byteLength);
  const joined = new Uint8Array(byteLength);
  let used = 0;
  eachText(chunks, (bytes, start, end) => {
    if (end - start > LONG) joined.set(bytes.subarray(start, end), used);
    else for (let i = start, to = used; i < end; i++, to++) joined[to] = bytes[i] as number;
    used += end - start;
  });
  return { kind: 'strings', count: valueCount, bytes: joined, start: 0, ends: joinedEnds };
}

function checkBytes(byteLength: number): void {
  if (byteLength > MOST_TEXT_BYTES)
    throw new ArgumentError('ERR_VALUE', 'values', 'less than 4 GiB of strings in a row group', 'more');
}

/** The same by the addon; null where there is none. Where texts end is found first: it says how long all are. */
function spreadTexts(chunks: readonly Utf8Chunk[], valueCount: number): ByteStrings | null {
  const kernels = writeKernels(valueCount);
  if (kernels === null) return null;
  const ends = new Uint32Array(valueCount);
  const codes = lentWords(valueCount);
  const most = chunks.reduce((least, chunk) => Math.max(least, chunk.ends.length), 0);
  const own = numbersFrom(0, most);
  let count = 0;
  const pieces = chunks.map((chunk) => {
    const first = count;
    count = putCodes(chunk, own, codes, count);
    return { chunk, codes: codes.subarray(first, count), ends: ends.subarray(first, count) };
  });
  const spread = (bytes: Uint8Array): number => {
    let used = 0;
    for (const piece of pieces) {
      used = kernels.spreadTexts(piece.chunk.bytes, 0, piece.chunk.ends, piece.codes, bytes, used, piece.ends);
      checkBytes(used);
    }
    return used;
  };
  const bytes = new Uint8Array(spread(new Uint8Array(0)));
  spread(bytes);
  giveBack(codes);
  return { kind: 'strings', count: valueCount, bytes, start: 0, ends };
}

/** Where the texts of the rows that are not null end; null where others have bytes. */
function endsOfPresent({ rowCount, ends, validity }: Utf8Chunk, valueCount: number): Uint32Array | null {
  if (valueCount === ends.length || validity === null) return valueCount === ends.length ? ends : null;
  const present = new Uint32Array(valueCount);
  let [count, last] = [0, 0];
  for (let row = 0; row < rowCount; row++) {
    const end = ends[row] as number;
    if (isSet(validity, row)) present[count++] = end;
    else if (end !== last) return null;
    last = end;
  }
  return present;
}

/** Bytes from which on a copy by the runtime is faster than a loop. */
const LONG = 64;

function eachText(chunks: readonly Utf8Chunk[], visit: (bytes: Uint8Array, start: number, end: number) => void): void {
  for (const { rowCount, bytes, ends, codes, validity } of chunks) {
    for (let row = 0; row < rowCount; row++) {
      if (validity !== null && !isSet(validity, row)) continue;
      const code = codes === null ? row : (codes[row] as number);
      visit(bytes, code === 0 ? 0 : (ends[code - 1] as number), ends[code] as number);
    }
  }
}
