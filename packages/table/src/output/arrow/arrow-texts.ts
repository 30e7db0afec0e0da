// Texts and bytes -> the arrays that Arrow has for them: UTF-8 back to back with offsets, or codes into a dictionary.
import { TURN } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import type * as Arrow from 'apache-arrow';
import { textOffsets } from '../../chunk/chunk.ts';
import type { DictionaryChunk, FixedChunk, Utf8Chunk } from '../../chunk/chunk.ts';
import { PIECE_ROWS } from '../../piece-rows.ts';
import { allValid, countValid, isValid, setNull } from '../../validity.ts';
import type { FixedStringType } from '../../values/fixed-strings.ts';
import { FixedUtf8 } from '../../values/fixed-utf8.ts';
import type { DictionaryColumn } from '../options.ts';
import { MOST_TEXT_BYTES, checkTextBytes } from './check-text-bytes.ts';
import { spreadTexts } from './spread-texts.ts';

export type ArrowModule = typeof Arrow;
export type ArrowData = Arrow.Data;

/** What Arrow is told of nulls. */
export interface ArrowNulls {
  readonly nullCount: number;
  readonly nullBitmap?: Uint8Array;
}

/** Bytes that are copied one by one. */
const SHORT_TEXT = 24;

export function nullsOf(validity: Uint8Array | null, length: number): ArrowNulls {
  const nullCount = length - countValid(validity, length);
  return nullCount === 0 || validity === null ? { nullCount: 0 } : { nullCount, nullBitmap: validity };
}

/** Texts that are UTF-8 already: they are moved, not decoded. */
export function* textData(arrow: ArrowModule, chunk: Utf8Chunk, name: string): Work<ArrowData> {
  const { rowCount: length, bytes, ends, codes, validity } = chunk;
  const nulls = nullsOf(validity, length);
  const type = new arrow.Utf8();
  if (codes === null) {
    checkTextBytes(bytes.length, name);
    const valueOffsets = signed(chunk.offsets ?? textOffsets(ends));
    return arrow.makeData({ type, length, ...nulls, valueOffsets, data: bytes });
  }
  const spread = yield* spreadTexts(chunk, codes, name);
  if (spread !== null) return arrow.makeData({ type, length, ...nulls, ...spread });
  const valueOffsets = new Int32Array(length + 1);
  let used = 0;
  for (let row = 0; row < length; row += 1) {
    if (row % PIECE_ROWS === 0) yield TURN;
    const code = codes[row] as number;
    if (isValid(validity, row)) used += (ends[code] as number) - (code === 0 ? 0 : (ends[code - 1] as number));
    valueOffsets[row + 1] = used;
    if (row % PIECE_ROWS === 0) checkTextBytes(used, name);
  }
  checkTextBytes(used, name);
  const data = new Uint8Array(used);
  for (let row = 0; row < length; row += 1) {
    if (row % PIECE_ROWS === 0) yield TURN;
    const [at, end] = [valueOffsets[row] as number, valueOffsets[row + 1] as number];
    // A call for each text costs more than the bytes of a short one.
    const from = (ends[codes[row] as number] as number) - (end - at);
    if (end - at > SHORT_TEXT) data.set(bytes.subarray(from, from + end - at), at);
    else for (let byte = at; byte < end; byte += 1) data[byte] = bytes[from + byte - at] as number;
  }
  return arrow.makeData({ type, length, ...nulls, valueOffsets, data });
}

/** Packed texts without nulls: no string is made of any. */
export function* fixedTextData(
  arrow: ArrowModule,
  { rowCount: length, bytes: items }: FixedChunk,
  type: FixedStringType,
  name: string,
): Work<ArrowData> {
  const coder = new FixedUtf8(type);
  const valueOffsets = new Int32Array(length + 1);
  let data = new Uint8Array(0);
  let used = 0;
  for (let start = 0; start < length; start += PIECE_ROWS) {
    yield TURN;
    const end = Math.min(length, start + PIECE_ROWS);
    const { bytes, ends } = coder.encode(items.subarray(start * type.itemBytes, end * type.itemBytes), end - start);
    const piece = bytes.subarray(0, ends.at(-1));
    checkTextBytes(used + piece.length, name);
    if (used + piece.length > data.length) {
      // As much as all rows take if they are like those so far, and half of what there is at least.
      const like = Math.ceil(((used + piece.length) / end) * length);
      const grown = new Uint8Array(Math.min(MOST_TEXT_BYTES, Math.max(like, data.length + (data.length >> 1))));
      grown.set(data.subarray(0, used));
      data = grown;
    }
    data.set(piece, used);
    for (let row = start; row < end; row += 1) valueOffsets[row + 1] = used + (ends[row - start] as number);
    used += piece.length;
  }
  return arrow.makeData({ type: new arrow.Utf8(), length, nullCount: 0, valueOffsets, data: data.subarray(0, used) });
}

/** Codes into distinct texts, -1 for a null: the codes are moved where none is, texts that are UTF-8 always. */
export function* dictionaryData(
  arrow: ArrowModule,
  column: DictionaryColumn | DictionaryChunk,
  name: string,
): Work<ArrowData> {
  const { codes } = column;
  const { length } = codes;
  const utf8 = 'utf8' in column ? column.utf8 : undefined;
  if (utf8 !== undefined) checkTextBytes(utf8.bytes.length, name);
  const joined =
    utf8 === undefined
      ? yield* joinValues(column.dictionary, null, name)
      : { valueOffsets: signed(utf8.offsets ?? textOffsets(utf8.ends)), data: utf8.bytes };
  const textCount = joined.valueOffsets.length - 1;
  const texts = arrow.makeData({ type: new arrow.Utf8(), length: textCount, nullCount: 0, ...joined });
  const last = textCount - 1;
  let data = codes;
  let validity: Uint8Array | null = null;
  for (let start = 0; start < length; start += PIECE_ROWS) {
    yield TURN;
    const end = Math.min(length, start + PIECE_ROWS);
    let outside = 0;
    for (let row = start; row < end; row += 1) outside |= (codes[row] as number) | (last - (codes[row] as number));
    if (outside >= 0) continue;
    // Some readers look codes of nulls up as well.
    if (validity === null) [data, validity] = [codes.slice(), allValid(length)];
    for (let row = start; row < end; row += 1) {
      const code = codes[row] as number;
      if (code >= 0 && code <= last) continue;
      data[row] = 0;
      setNull(validity, row);
    }
  }
  return arrow.makeData({
    type: new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32()),
    length,
    ...nullsOf(validity, length),
    data,
    dictionary: new arrow.Vector([texts]),
  });
}

/** The same memory: offsets stay below 2^31. */
const signed = ({ buffer, byteOffset, length }: Uint32Array): Int32Array => new Int32Array(buffer, byteOffset, length);

/** Values back to back, and where each ends. @throws LimitError. */
export function* joinValues(
  values: readonly (string | Uint8Array)[],
  validity: Uint8Array | null,
  name: string,
): Work<{ valueOffsets: Int32Array; data: Uint8Array }> {
  // Rows may share a value: too many are refused before memory is taken for any. A text has as many bytes as letters at
  // least.
  let least = 0;
  for (const [row, value] of values.entries()) {
    if (row % PIECE_ROWS === 0) yield TURN;
    if (isValid(validity, row)) least += value.length;
  }
  checkTextBytes(least, name);
  const encoder = new TextEncoder();
  const valueOffsets = new Int32Array(values.length + 1);
  let data = new Uint8Array(16 * values.length + 64);
  let used = 0;
  for (const [row, value] of values.entries()) {
    if (row % PIECE_ROWS === 0) yield TURN;
    if (isValid(validity, row)) {
      const most = typeof value === 'string' ? 3 * value.length : value.length;
      if (used + most > data.length) {
        const grown = new Uint8Array(Math.max(2 * data.length, used + most));
        grown.set(data.subarray(0, used));
        data = grown;
      }
      if (typeof value === 'string') used += encoder.encodeInto(value, data.subarray(used)).written;
      else {
        data.set(value, used);
        used += value.length;
      }
      checkTextBytes(used, name);
    }
    valueOffsets[row + 1] = used;
  }
  return { valueOffsets, data: data.subarray(0, used) };
}
