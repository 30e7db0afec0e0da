// What a row group holds of one column, ready to be encoded: values without nulls, one after another, and a bitmap
// where there are nulls. Byte strings with few distinct ones are interned.
import { ArgumentError } from '@colkit/io';
import type { FixedArray } from '@colkit/io';
import { findNoBit } from '@colkit/table';
import type { ColumnType } from '../../layout/column-type.ts';
import { MAX_DICTIONARY_ENTRIES } from '../../layout/constants.ts';
import { isWellFormed } from '../../layout/schema.ts';
import { countOnes } from '../../columns/decode-page.ts';
import { byteOrder, pickStrings } from '../../columns/byte-strings.ts';
import { writeKernels } from '../../columns/kernels/write-kernels.ts';
import { latin1 } from '../../columns/latin1.ts';
import type { ByteStrings } from '../../columns/vector.ts';

export interface FixedColumn {
  readonly kind: 'fixed';
  readonly type: ColumnType;
  readonly rowCount: number;
  /** One bit a row, 1 = not null; null where no row is null. */
  readonly validity: Uint8Array | null;
  /** The values that are not null, in row order. */
  readonly values: FixedArray;
}

export interface StringColumn {
  readonly kind: 'strings';
  readonly type: ColumnType;
  readonly rowCount: number;
  readonly validity: Uint8Array | null;
  /** Where `codes` is null, the values that are not null, in row order; else distinct ones, ascending in byte order. */
  readonly entries: ByteStrings;
  /** For every value that is not null, its entry. */
  readonly codes: Uint32Array | null;
}

export type ColumnValues = FixedColumn | StringColumn;

/**
 * A fixed-width column of one row group. `values` has an item for every row; what stands in null rows does not matter.
 * No copy where there are no nulls.
 * @throws ArgumentError ERR_VALUE for a bool that is neither 0 nor 1.
 */
export function fixedColumn(type: ColumnType, values: FixedArray, validity: Uint8Array | null): FixedColumn {
  const rowCount = values.length;
  if (type.isBool) {
    const strange =
      values instanceof Uint8Array
        ? findNoBit(values)
        : values.findIndex((value: number | bigint) => value !== 0 && value !== 1);
    if (strange !== -1)
      throw new ArgumentError(
        'ERR_VALUE',
        'values',
        'bool as 0 and 1',
        `${String(values[strange])} at position ${strange}`,
      );
  }
  const bitmap = validity !== null && countOnes(validity, rowCount) < rowCount ? validity : null;
  return {
    kind: 'fixed',
    type,
    rowCount,
    validity: bitmap,
    values: bitmap === null ? values : present(values, bitmap),
  };
}

/**
 * The items whose bit is 1, as an array of the same kind. Copies the bytes, not the numbers: a NaN keeps its payload.
 */
function present(values: FixedArray, validity: Uint8Array): FixedArray {
  const width = values.BYTES_PER_ELEMENT;
  const count = countOnes(validity, values.length);
  const from = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  const to = new Uint8Array(count * width);
  const kernels = writeKernels(values.length);
  if (kernels !== null) kernels.packPresent(from, width, validity, to);
  else
    for (let row = 0, at = 0; row < values.length; ) {
      let end = row;
      while (end < values.length && isSet(validity, end)) end++;
      if (end > row) to.set(from.subarray(row * width, end * width), at);
      at += (end - row) * width;
      row = end + 1;
    }
  const Kind = values.constructor as new (buffer: ArrayBuffer) => FixedArray;
  return new Kind(to.buffer);
}

export function isSet(bitmap: Uint8Array, bit: number): boolean {
  return (((bitmap[bit >>> 3] ?? 0) >>> (bit & 7)) & 1) === 1;
}

/**
 * A column of texts. Null and undefined are nulls, and so is what `validity` says (one bit a row, 1 = not null),
 * whatever stands there.
 * @throws ArgumentError ERR_VALUE for text that is not well-formed Unicode, which UTF-8 could not give back.
 */
export function textColumn(
  type: ColumnType,
  values: readonly (string | null | undefined)[],
  validity: Uint8Array | null = null,
): StringColumn {
  const encoder = new TextEncoder();
  const encode = (text: string) => {
    if (!isWellFormed(text))
      throw new ArgumentError('ERR_VALUE', 'values', 'text of well-formed Unicode', JSON.stringify(text));
    return encoder.encode(text);
  };
  return stringColumn(type, values, validity, (text) => text, encode);
}

/** A column of byte arrays; nulls as in `textColumn`. */
export function binaryColumn(
  type: ColumnType,
  values: readonly (Uint8Array | null | undefined)[],
  validity: Uint8Array | null = null,
): StringColumn {
  return stringColumn(type, values, validity, latin1, (bytes) => bytes);
}

function stringColumn<T>(
  type: ColumnType,
  values: readonly (T | null | undefined)[],
  validity: Uint8Array | null,
  key: (value: T) => string,
  encode: (value: T) => Uint8Array,
): StringColumn {
  const rowCount = values.length;
  const interned = intern(values, validity, key, encode);
  if (interned !== null) return { kind: 'strings', type, rowCount, ...interned };
  const split = splitNulls(values, validity);
  return {
    kind: 'strings',
    type,
    rowCount,
    validity: split.validity,
    entries: concatenate(split.dense.map(encode)),
    codes: null,
  };
}

function splitNulls<T>(
  values: readonly (T | null | undefined)[],
  given: Uint8Array | null,
): { validity: Uint8Array | null; dense: readonly T[] } {
  const rowCount = values.length;
  const validity = new Uint8Array(Math.ceil(rowCount / 8));
  const dense = new Array<T>(rowCount);
  let count = 0;
  for (let row = 0; row < rowCount; row++) {
    const value = values[row];
    if (value === null || value === undefined || (given !== null && !isSet(given, row))) continue;
    dense[count++] = value;
    validity[row >>> 3] = (validity[row >>> 3] as number) | (1 << (row & 7));
  }
  if (count === rowCount) return { validity: null, dense };
  dense.length = count;
  return { validity, dense };
}

/** So many distinct values are compared with one by one before they are looked up. */
const FEW = 8;

interface Interned {
  readonly validity: Uint8Array | null;
  readonly entries: ByteStrings;
  readonly codes: Uint32Array;
}

/**
 * Distinct entries in byte order, codes of the values that are not null; or null where more than half of the values, or
 * too many, are distinct.
 */
function intern<T>(
  values: readonly (T | null | undefined)[],
  given: Uint8Array | null,
  key: (value: T) => string,
  encode: (value: T) => Uint8Array,
): Interned | null {
  const rowCount = values.length;
  const most = Math.min(MAX_DICTIONARY_ENTRIES, Math.max(1, rowCount >>> 1));
  const indexes = new Map<string, number>();
  const found: T[] = [];
  const codes = new Uint32Array(rowCount);
  const validity = new Uint8Array(Math.ceil(rowCount / 8));
  // The last value again, one of the first few, any other: from a nanosecond to some tens of them.
  let last: T | undefined;
  let lastIndex = -1;
  let count = 0;
  for (let row = 0; row < rowCount; row++) {
    const value = values[row];
    if (value === null || value === undefined || (given !== null && !isSet(given, row))) continue;
    validity[row >>> 3] = (validity[row >>> 3] as number) | (1 << (row & 7));
    if (value !== last) {
      let index = 0;
      const few = Math.min(found.length, FEW);
      while (index < few && found[index] !== value) index++;
      if (index === few) {
        const text = key(value);
        const known = indexes.get(text);
        if (known === undefined) {
          if (found.length === most) return null;
          index = found.length;
          indexes.set(text, index);
          found.push(value);
        } else index = known;
      }
      last = value;
      lastIndex = index;
    }
    codes[count++] = lastIndex;
  }
  if (found.length > count >>> 1 && count > 1) return null;
  const strings = concatenate(found.map(encode));
  const order = byteOrder(strings);
  const rank = new Uint32Array(order.length);
  for (let position = 0; position < order.length; position++) rank[order[position] as number] = position;
  for (let i = 0; i < count; i++) codes[i] = rank[codes[i] as number] as number;
  const entries = pickStrings(strings, order);
  return { validity: count === rowCount ? null : validity, entries, codes: codes.subarray(0, count) };
}

/** Byte strings back to back. */
export function concatenate(parts: readonly Uint8Array[]): ByteStrings {
  const ends = new Uint32Array(parts.length);
  let byteLength = 0;
  for (const [i, part] of parts.entries()) {
    byteLength += part.length;
    if (byteLength > 0xffffffff)
      throw new ArgumentError('ERR_VALUE', 'values', 'less than 4 GiB of strings in a row group', 'more');
    ends[i] = byteLength;
  }
  const bytes = new Uint8Array(byteLength);
  for (const [i, part] of parts.entries()) bytes.set(part, (ends[i] as number) - part.length);
  return { kind: 'strings', count: parts.length, bytes, start: 0, ends };
}

/** Bits [start, start + count) of a bitmap, from bit 0 on; `start` is a multiple of 8. Bits behind are 0. */
function sliceBitmap(bitmap: Uint8Array, start: number, count: number): Uint8Array {
  const slice = bitmap.slice(start >>> 3, (start >>> 3) + Math.ceil(count / 8));
  if (count % 8 !== 0) slice[slice.length - 1] = (slice[slice.length - 1] ?? 0) & (2 ** (count % 8) - 1);
  return slice;
}

/**
 * One page of a column: rows [start, start + rowCount), of which the values that are not null are values [firstValue,
 * firstValue + valueCount) of the column.
 */
export interface PageSlice {
  readonly start: number;
  readonly rowCount: number;
  readonly firstValue: number;
  readonly valueCount: number;
  /** Null where all or none are null. */
  readonly validity: Uint8Array | null;
}

export function pageSlices(column: ColumnValues, pageRows: number): PageSlice[] {
  const slices: PageSlice[] = [];
  let firstValue = 0;
  for (let start = 0; start < column.rowCount; start += pageRows) {
    const rowCount = Math.min(pageRows, column.rowCount - start);
    const bits = column.validity === null ? null : sliceBitmap(column.validity, start, rowCount);
    const valueCount = bits === null ? rowCount : countOnes(bits, rowCount);
    slices.push({
      start,
      rowCount,
      firstValue,
      valueCount,
      validity: valueCount === rowCount || valueCount === 0 ? null : bits,
    });
    firstValue += valueCount;
  }
  return slices;
}
