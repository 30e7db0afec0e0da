// Parts of one column, as blocks of a CSV file give them -> what a row group holds of it: the same, value for value and
// entry for entry, as from the column in one piece.
import { ArgumentError, parseDType } from '@colkit/io';
import { TextTable } from '@colkit/table/csv';
import type { ColumnPart } from '@colkit/table/csv';
import type { Field } from '@colkit/table';
import type { ColumnType } from '../../layout/column-type.ts';
import { MAX_DICTIONARY_ENTRIES } from '../../layout/constants.ts';
import { compareBytes } from '../../layout/statistics.ts';
import type { ByteStrings } from '../../columns/vector.ts';
import { encoderValues, planColumn } from '../values/column-plan.ts';
import { concatenate, isSet, stringAt } from '../values/column-values.ts';
import type { ColumnValues, StringColumn } from '../values/column-values.ts';

/** Rows of one block: a part for every column. */
export interface Piece {
  readonly rowCount: number;
  readonly parts: readonly ColumnPart[];
}

type TextPart = Extract<ColumnPart, { readonly kind: 'texts' }>;

/** Rows [start, end) of a piece, with memory of its own. */
export function slicePiece({ rowCount, parts }: Piece, start: number, end: number): Piece {
  return { rowCount: end - start, parts: parts.map((part) => slicePart(part, rowCount, start, end)) };
}

/** The memory of pieces that can be given away: what is shared need not be. */
export function buffersOfPieces(pieces: readonly Piece[]): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  const add = (array: Uint8Array | Uint16Array | Uint32Array | null): void => {
    if (array?.buffer instanceof ArrayBuffer) buffers.add(array.buffer);
  };
  for (const { parts } of pieces) {
    for (const part of parts) {
      add(part.bytes);
      add(part.validity);
      if (part.kind === 'fixed') continue;
      add(part.ends);
      add(part.codes);
    }
  }
  return [...buffers];
}

/**
 * Column number `column` of all pieces. `firstRow` is only for messages.
 * @throws ArgumentError ERR_VALUE for values that the file's type cannot hold.
 */
export function joinParts(field: Field, pieces: readonly Piece[], column: number, firstRow: number): ColumnValues {
  const info = parseDType(field.dtype);
  const plan = planColumn(field, info);
  const { type } = plan.schema;
  const rowCount = pieces.reduce((sum, piece) => sum + piece.rowCount, 0);
  const parts = pieces.map((piece) => piece.parts[column] as ColumnPart);
  const validity = joinValidity(pieces, parts, rowCount);
  if (info.kind === 'string') return joinTexts(type, pieces, parts, validity, rowCount);
  const bytes = new Uint8Array(rowCount * info.itemBytes);
  let used = 0;
  for (const part of parts) {
    bytes.set(part.bytes, used);
    used += part.bytes.length;
  }
  return encoderValues(type, plan.store({ kind: 'fixed', bytes, validity }, rowCount, firstRow));
}

function slicePart(part: ColumnPart, rowCount: number, start: number, end: number): ColumnPart {
  const validity = part.validity === null ? null : sliceBits(part.validity, start, end - start);
  if (part.kind === 'fixed') {
    const itemBytes = part.bytes.length / rowCount;
    return { ...part, bytes: part.bytes.slice(start * itemBytes, end * itemBytes), validity };
  }
  if (part.codes !== null)
    return {
      ...part,
      bytes: part.bytes.slice(),
      ends: part.ends.slice(),
      codes: part.codes.slice(start, end),
      validity,
    };
  const from = start === 0 ? 0 : (part.ends[start - 1] as number);
  const ends = part.ends.slice(start, end);
  for (let row = 0; row < ends.length; row++) ends[row] = (ends[row] as number) - from;
  return { ...part, bytes: part.bytes.slice(from, from + (ends.at(-1) ?? 0)), ends, validity };
}

function sliceBits(bits: Uint8Array, start: number, count: number): Uint8Array {
  const slice = new Uint8Array(Math.ceil(count / 8));
  for (let row = 0; row < count; row++)
    if (isSet(bits, start + row)) slice[row >>> 3] = (slice[row >>> 3] as number) | (1 << (row & 7));
  return slice;
}

/** Null where no row is null. */
function joinValidity(pieces: readonly Piece[], parts: readonly ColumnPart[], rowCount: number): Uint8Array | null {
  if (parts.every(({ validity }) => validity === null)) return null;
  const joined = new Uint8Array(Math.ceil(rowCount / 8));
  let row = 0;
  for (const [number, piece] of pieces.entries()) {
    const own = (parts[number] as ColumnPart).validity;
    for (let from = 0; from < piece.rowCount; from++, row++) {
      const bit = own === null ? 1 : ((own[from >>> 3] as number) >>> (from & 7)) & 1;
      joined[row >>> 3] = (joined[row >>> 3] as number) | (bit << (row & 7));
    }
  }
  return joined;
}

function joinTexts(
  type: ColumnType,
  pieces: readonly Piece[],
  parts: readonly ColumnPart[],
  validity: Uint8Array | null,
  rowCount: number,
): StringColumn {
  let valueCount = rowCount;
  if (validity !== null) {
    valueCount = 0;
    for (let row = 0; row < rowCount; row++) valueCount += ((validity[row >>> 3] as number) >>> (row & 7)) & 1;
  }
  const bitmap = valueCount === rowCount ? null : validity;
  const interned = intern(pieces, parts, rowCount, valueCount);
  if (interned !== null) return { kind: 'strings', type, rowCount, validity: bitmap, ...interned };
  return {
    kind: 'strings',
    type,
    rowCount,
    validity: bitmap,
    entries: everyText(pieces, parts, valueCount),
    codes: null,
  };
}

/**
 * Distinct texts in byte order and codes, or null where more than half of the values, or too many, are distinct: by the
 * rules that columns in one piece have.
 */
function intern(
  pieces: readonly Piece[],
  parts: readonly ColumnPart[],
  rowCount: number,
  valueCount: number,
): Pick<StringColumn, 'entries' | 'codes'> | null {
  const most = Math.min(MAX_DICTIONARY_ENTRIES, Math.max(1, rowCount >>> 1));
  const table = new TextTable();
  const placesOf: Uint32Array[] = [];
  for (const [number, part] of parts.entries()) {
    const places = part.kind === 'texts' ? placesIn(part, (pieces[number] as Piece).rowCount, table, most) : null;
    if (places === null) return null;
    placesOf.push(places);
  }
  if (table.count > valueCount >>> 1 && valueCount > 1) return null;
  const { bytes, ends } = table.entries();
  const found: ByteStrings = { kind: 'strings', count: ends.length, bytes, start: 0, ends };
  const texts = Array.from(ends, (_, place) => stringAt(found, place));
  const order = Uint32Array.from(texts.keys()).sort((a, b) =>
    compareBytes(texts[a] as Uint8Array, texts[b] as Uint8Array),
  );
  const rank = new Uint32Array(order.length);
  for (let place = 0; place < order.length; place++) rank[order[place] as number] = place;
  const codes = new Uint32Array(valueCount);
  let count = 0;
  for (const [number, part] of parts.entries()) {
    if (part.kind !== 'texts') continue;
    const places = placesOf[number] as Uint32Array;
    for (let place = 0; place < places.length; place++) places[place] = rank[places[place] as number] as number;
    const rows = (pieces[number] as Piece).rowCount;
    count = putCodes(part, places, rows, codes, count);
  }
  return { entries: concatenate(Array.from(order, (place) => texts[place] as Uint8Array)), codes };
}

/**
 * For each of the part's texts, or rows where it has all of them, its place in the table; null where there are too
 * many.
 */
function placesIn(
  { bytes, ends, codes, validity }: TextPart,
  rowCount: number,
  table: TextTable,
  most: number,
): Uint32Array | null {
  const places = new Uint32Array(ends.length);
  const used = codes === null ? validity : usedTexts(codes, validity, rowCount, ends.length);
  for (let text = 0; text < ends.length; text++) {
    if (used !== null && (((used[text >>> 3] as number) >>> (text & 7)) & 1) === 0) continue;
    places[text] = table.place(bytes, text === 0 ? 0 : (ends[text - 1] as number), ends[text] as number);
    if (table.count > most) return null;
  }
  return places;
}

/** Which of the texts occur, a bit each: in a part of a block not all of them do. */
function usedTexts(codes: Uint16Array, validity: Uint8Array | null, rowCount: number, textCount: number): Uint8Array {
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
  { codes, validity }: TextPart,
  places: Uint32Array,
  rowCount: number,
  to: Uint32Array,
  count: number,
): number {
  let at = count;
  for (let row = 0; row < rowCount; row++) {
    if (validity !== null && (((validity[row >>> 3] as number) >>> (row & 7)) & 1) === 0) continue;
    to[at++] = places[codes === null ? row : (codes[row] as number)] as number;
  }
  return at;
}

/** The texts that are not null, one after the other. */
function everyText(pieces: readonly Piece[], parts: readonly ColumnPart[], valueCount: number): ByteStrings {
  const joinedEnds = new Uint32Array(valueCount);
  let [count, byteLength] = [0, 0];
  eachText(pieces, parts, (_, start, end) => {
    byteLength += end - start;
    joinedEnds[count++] = byteLength;
  });
  if (byteLength > 0xffffffff)
    throw new ArgumentError('ERR_VALUE', 'values', 'less than 4 GiB of strings in a row group', 'more');
  const joined = new Uint8Array(byteLength);
  let used = 0;
  eachText(pieces, parts, (bytes, start, end) => {
    if (end - start > LONG) joined.set(bytes.subarray(start, end), used);
    else for (let i = start, to = used; i < end; i++, to++) joined[to] = bytes[i] as number;
    used += end - start;
  });
  return { kind: 'strings', count: valueCount, bytes: joined, start: 0, ends: joinedEnds };
}

/** Bytes from which on a copy by the runtime is faster than a loop. */
const LONG = 64;

function eachText(
  pieces: readonly Piece[],
  parts: readonly ColumnPart[],
  visit: (bytes: Uint8Array, start: number, end: number) => void,
): void {
  for (const [number, part] of parts.entries()) {
    if (part.kind !== 'texts') continue;
    const { bytes, ends, codes, validity } = part;
    const rows = (pieces[number] as Piece).rowCount;
    for (let row = 0; row < rows; row++) {
      if (validity !== null && !isSet(validity, row)) continue;
      const code = codes === null ? row : (codes[row] as number);
      visit(bytes, code === 0 ? 0 : (ends[code - 1] as number), ends[code] as number);
    }
  }
}
