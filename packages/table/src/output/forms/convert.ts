// A chunk of one column -> its values in the form that was asked for. Every loop lets others have a turn.
import { ArgumentError, dtypeFacts, isBool, isExactBigInt, isExactResult, isRawItem, typedArrayOver } from '@colkit/io';
import type { DTypeInfo, FixedArray } from '@colkit/io';
import { TURN } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { itemsOf, valuesOf } from '../../chunk/chunk.ts';
import type { Chunk, DictionaryChunk } from '../../chunk/chunk.ts';
import { decodeFixedStringsUnchecked } from '../../values/fixed-strings.ts';
import type { FixedStringType } from '../../values/fixed-strings.ts';
import { NAT } from '../../values/nat.ts';
import { decodingUtf8 } from '../../values/utf8-texts.ts';
import { datesOf } from './dating.ts';
import { allValid, isValid } from '../../validity.ts';
import { isText } from './column-form.ts';
import type { ColumnForm } from './column-form.ts';
import type { BitmapColumn, DictionaryColumn } from '../options.ts';
import { arrayFor } from '../../array-for.ts';
import { PIECE_ROWS } from '../../piece-rows.ts';

export type Cell = boolean | number | bigint | string | Uint8Array | Date | null;
/** Values of a column before nulls are put in. */
type Values = FixedArray | (string | Uint8Array)[] | Date[] | DictionaryColumn;
/** Every form that a column comes back in. */
export type AnyColumn = Values | Cell[] | BitmapColumn<Values>;

const CODE_OF_NULL = -1;
const TWO_32 = 2 ** 32;

/**
 * @param chunk of this read, so that it may be written over.
 * @param target the caller's array for the result, or null. Where the result has the items' width, the chunk's bytes
 * are its bytes.
 */
export function* convertColumn(
  form: ColumnForm,
  count: number,
  chunk: Chunk,
  target: FixedArray | null,
): Work<AnyColumn> {
  const { validity } = chunk;
  const values = yield* convertValues(form, count, chunk, target);
  switch (form.nulls) {
    case 'none':
    case 'codes':
      return values;
    case 'bitmap':
      return { values, validity: validity ?? allValid(count) };
    case 'nan':
      return yield* withNaN(form, values, validity, count, target);
    case 'list':
      return yield* withNulls(form.info, values, validity, count);
  }
}

function* convertValues(form: ColumnForm, count: number, chunk: Chunk, target: FixedArray | null): Work<Values> {
  const { info, field } = form;
  switch (form.values) {
    case 'array':
    case 'raw':
      if (target !== null && !needsFloats(form)) return target;
      return form.values === 'raw' ? itemsOf(chunk) : typedArrayOver(info, itemsOf(chunk));
    case 'numbers':
      return yield* wideToNumbers(target ?? itemsOf(chunk), count, dtypeFacts(info).isUnsigned, field.name);
    case 'dates':
    case 'dates-lossy':
      return yield* datesOf(form, typedArrayOver(info, itemsOf(chunk)), count, chunk.validity);
    case 'text':
      return yield* decodeText(textType(info), itemsOf(chunk), count);
    case 'text-codes':
      return yield* encodeDictionary(yield* decodeText(textType(info), itemsOf(chunk), count), chunk.validity);
    case 'values':
      return yield* allValues(chunk, count);
    case 'codes':
      return chunk.kind === 'dictionary'
        ? { codes: chunk.codes, dictionary: yield* dictionaryOf(chunk) }
        : yield* encodeDictionary(yield* allValues(chunk, count), chunk.validity);
  }
}

/** Whether integers become float64, so that there is a NaN for their nulls. */
export function needsFloats({ info, values, nulls }: ColumnForm): boolean {
  return nulls === 'nan' && values === 'array' && dtypeFacts(info).toFloats;
}

function textType(info: DTypeInfo): FixedStringType {
  if (!isText(info)) throw new ArgumentError('ERR_ARGUMENT', 'dtype', 'S<n> or U<n>', info.name);
  return info;
}

/**
 * 64-bit integers -> float64 in the same bytes.
 * @throws ArgumentError ERR_UNSAFE_INTEGER naming column and row for a value beyond +-2^53.
 */
function* wideToNumbers(items: FixedArray, count: number, unsigned: boolean, column: string): Work<Float64Array> {
  const words = new Int32Array(items.buffer, items.byteOffset, 2 * count);
  const numbers = items instanceof Float64Array ? items : new Float64Array(items.buffer, items.byteOffset, count);
  for (let start = 0; start < count; start += PIECE_ROWS) {
    for (let row = start, end = Math.min(count, start + PIECE_ROWS); row < end; row += 1) {
      const low = (words[2 * row] ?? 0) >>> 0;
      const high = words[2 * row + 1] ?? 0;
      const value = (unsigned ? high >>> 0 : high) * TWO_32 + low;
      if (!isExactResult(value)) checkExact(high, low, unsigned, column, row);
      numbers[row] = value;
    }
    yield TURN;
  }
  return numbers;
}

function checkExact(high: number, low: number, unsigned: boolean, column: string, row: number): void {
  const value = (BigInt(unsigned ? high >>> 0 : high) << 32n) | BigInt(low);
  if (!isExactBigInt(value)) throw unsafeInteger(column, value, row);
}

function unsafeInteger(column: string, value: bigint, row?: number): ArgumentError {
  const found = row === undefined ? String(value) : `${String(value)} at row ${String(row)}`;
  return new ArgumentError('ERR_UNSAFE_INTEGER', `column ${JSON.stringify(column)}`, 'integers within +-2^53', found);
}

function* decodeText(info: FixedStringType, bytes: Uint8Array, count: number): Work<string[]> {
  const out = arrayFor<string>(count);
  for (let start = 0; start < count; start += PIECE_ROWS) {
    decodeFixedStringsUnchecked(bytes, info, start, Math.min(count, start + PIECE_ROWS), out);
    yield TURN;
  }
  return out;
}

function* encodeDictionary(
  values: readonly (string | Uint8Array)[],
  validity: Uint8Array | null,
): Work<DictionaryColumn> {
  const codes = new Int32Array(values.length).fill(CODE_OF_NULL);
  const dictionary: string[] = [];
  const known = new Map<string, number>();
  for (let row = 0; row < values.length; row += 1) {
    if (row % PIECE_ROWS === 0) yield TURN;
    if (!isValid(validity, row)) continue;
    const text = String(values[row]);
    let code = known.get(text);
    if (code === undefined) {
      code = dictionary.push(text) - 1;
      known.set(text, code);
    }
    codes[row] = code;
  }
  return { codes, dictionary };
}

function* dictionaryOf(chunk: DictionaryChunk): Work<readonly string[]> {
  return chunk.utf8 === undefined ? chunk.dictionary : yield* decodingUtf8(chunk.utf8);
}

/** A variable-width column one by one, whichever way the source gives it. */
function* allValues(chunk: Chunk, count: number): Work<(string | Uint8Array)[]> {
  if (chunk.kind !== 'dictionary') return valuesOf(chunk) as (string | Uint8Array)[];
  const out = arrayFor<string>(count);
  for (let row = 0; row < count; row += 1) {
    if (row % PIECE_ROWS === 0) yield TURN;
    out[row] = isValid(chunk.validity, row) ? (chunk.dictionary[chunk.codes[row] ?? CODE_OF_NULL] ?? '') : '';
  }
  return out;
}

function* withNulls(info: DTypeInfo, values: Values, validity: Uint8Array | null, count: number): Work<Cell[]> {
  if (Array.isArray(values)) return yield* nullsInPlace(values, validity, count);
  const out = arrayFor<Cell>(count);
  const cellOf = cellReader(info, values);
  for (let row = 0; row < count; row += 1) {
    if (row % PIECE_ROWS === 0) yield TURN;
    out[row] = isValid(validity, row) ? cellOf(row) : null;
  }
  return out;
}

/** An array of texts or bytes is this read's own: another of so many pointers costs as much as all that went before. */
function* nullsInPlace(values: Cell[], validity: Uint8Array | null, count: number): Work<Cell[]> {
  if (validity === null) return values;
  for (let row = 0; row < count; row += 1) {
    if (row % PIECE_ROWS === 0) yield TURN;
    if ((((validity[row >>> 3] as number) >> (row & 7)) & 1) === 0) values[row] = null;
  }
  return values;
}

/** The values of a column one by one, of rows that are not null. */
export function cellReader(info: DTypeInfo, values: Values): (row: number) => Cell {
  if ('codes' in values) return (row) => values.dictionary[values.codes[row] ?? CODE_OF_NULL] ?? null;
  const { itemBytes } = info;
  if (isRawItem(info)) return (row) => (values as Uint8Array).slice(row * itemBytes, (row + 1) * itemBytes);
  return isBool(info) ? (row) => values[row] !== 0 : (row) => values[row] ?? null;
}

function* withNaN(
  form: ColumnForm,
  values: Values,
  validity: Uint8Array | null,
  count: number,
  target: FixedArray | null,
): Work<FixedArray> {
  let out = values as FixedArray;
  if (needsFloats(form)) {
    const numbers = target instanceof Float64Array ? target : new Float64Array(count);
    numbers.set(out as Int32Array);
    out = numbers;
    yield TURN;
  }
  if (validity === null) return out;
  for (let row = 0; row < count; row += 1) {
    if (row % PIECE_ROWS === 0) yield TURN;
    if (isValid(validity, row)) continue;
    if (out instanceof BigInt64Array) out[row] = NAT;
    else out[row] = Number.NaN;
  }
  return out;
}
