// Values that a user hands in: arrays that say their type, arrays that are told it (`typed`), and what type an array
// says.
import { ArgumentError, describeValue, dtypeOfArray, ofThisRealm, parseDType } from '@colkit/io';
import type { DType, DTypeInfo, FixedArray } from '@colkit/io';
import { Column } from '../output/column.ts';
import { describeNoColumn } from '../values/other-copies.ts';
import type { BitmapColumn, DictionaryColumn } from '../output/options.ts';

export type InputValue = boolean | number | bigint | string | Date | Uint8Array | null;
/** Plain values: typed arrays, or arrays of one kind of value, with null where the format has nulls. */
export type PlainValues = FixedArray | Uint8ClampedArray | readonly InputValue[];
/**
 * One column on the way in. Typed arrays say their type (Float16Array: the runtime's or the ponyfill's); boolean[] is
 * bool, bigint[] int64, number[] float64, Date[] datetime64[ms], string[] string, Uint8Array[] binary; `typed` says it
 * outright; a lazy column keeps its own. The forms that `toColumns` gives with `nulls: 'bitmap'` and
 * `strings: 'dictionary'` are accepted too.
 */
export type ColumnInput =
  | PlainValues
  | TypedValues
  | Column
  | BitmapColumn<PlainValues | TypedValues>
  | DictionaryColumn;

/** Values with the dtype that they shall have; see `typed`. */
export class TypedValues<D extends DType = DType> {
  readonly dtype: D;
  readonly info: DTypeInfo;
  readonly values: PlainValues;

  constructor(dtype: D, values: PlainValues) {
    this.info = parseDType(dtype);
    this.dtype = dtype;
    this.values = values;
    if (!Array.isArray(values) && dtypeOfArray(values) === null)
      throw new ArgumentError('ERR_ARGUMENT', 'values', 'an array or a typed array', describeValue(values));
  }
}

/**
 * Says the dtype of values outright. They are checked when they are written; a value that the dtype cannot hold exactly
 * throws ERR_VALUE naming column and row.
 * - bool: boolean[], or Uint8Array of 0 and 1
 * - integers: numbers and bigints; 64-bit ones take numbers up to 2^53
 * - float32, float16: numbers, rounded to the nearest; a finite number that would become infinite is refused, and so is
 *   an integer of an Int32Array or another array of integers that would be rounded. A Uint16Array holds numbers here,
 *   not the bits of halves
 * - datetime64: Date[], ISO text ('NaT' is not-a-time; an invalid Date is refused), or bigint ticks; never rounded:
 *   `typed('datetime64[s]', …)` refuses half a second. timedelta64: bigint ticks or 'NaT'
 * - S<n>: text of U+0000..U+00FF or Uint8Array[]; U<n>: text; a Uint8Array is taken as packed raw items. Trailing NULs
 *   of text are refused, since they are padding
 * - string: text; binary: Uint8Array[]
 * @throws UnsupportedError ERR_DTYPE for an unknown dtype.
 */
export function typed<D extends DType>(dtype: D, values: PlainValues): TypedValues<D> {
  return new TypedValues(dtype, values);
}

/**
 * The dtype that plain values say by themselves; arrays must be of one kind throughout.
 * @throws ArgumentError ERR_SCHEMA where they say none: an empty array, only nulls, or something that is no value.
 */
export function dtypeOfValues(values: PlainValues, column: string): DType {
  const own = dtypeOfArray(values);
  if (own !== null) return own;
  if (!Array.isArray(values))
    throw new ArgumentError(
      'ERR_SCHEMA',
      column,
      'an array, a typed array or typed(dtype, values)',
      describeNoColumn(values),
    );
  let dtype: DType | null = null;
  for (let row = 0; row < values.length; row += 1) {
    const value: unknown = values[row];
    if (value === null) continue;
    const own = dtypeOfValue(value);
    if (own === null || (dtype !== null && own !== dtype)) {
      const expected =
        dtype === null
          ? 'booleans, numbers, bigints, text, dates or Uint8Arrays'
          : `values of one kind (the first says ${dtype})`;
      throw new ArgumentError('ERR_VALUE', column, expected, `${describeValue(value)} at row ${String(row)}`);
    }
    dtype = own;
  }
  if (dtype !== null) return dtype;
  throw new ArgumentError(
    'ERR_SCHEMA',
    column,
    'values that say their type, typed(dtype, values) or { schema }',
    values.length === 0 ? 'an empty array' : 'only nulls',
  );
}

function dtypeOfValue(value: unknown): DType | null {
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'number':
      return 'float64';
    case 'bigint':
      return 'int64';
    case 'string':
      return 'string';
    case 'object':
      if (ofThisRealm(value) instanceof Date) return 'datetime64[ms]';
      return dtypeOfArray(value) === 'uint8' ? 'binary' : null;
    default:
      return null;
  }
}

/** How messages name a column. */
export function columnLabel(name: string): string {
  return `column ${JSON.stringify(name)}`;
}
