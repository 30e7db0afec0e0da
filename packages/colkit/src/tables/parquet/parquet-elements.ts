// Element types -> Parquet's types, in one table for tables and items.
import { isFixedText, isMoment, isTime, parseDType } from '@colkit/io';
import type { DType } from '@colkit/io';
import type { SchemaElement } from 'hyparquet';

type ParquetType = Pick<SchemaElement, 'type' | 'converted_type' | 'logical_type'>;

const TYPES: ReadonlyMap<DType, ParquetType> = new Map<DType, ParquetType>([
  ['bool', { type: 'BOOLEAN' }],
  ['int8', { type: 'INT32', converted_type: 'INT_8' }],
  ['int16', { type: 'INT32', converted_type: 'INT_16' }],
  ['int32', { type: 'INT32' }],
  ['int64', { type: 'INT64' }],
  ['uint8', { type: 'INT32', converted_type: 'UINT_8' }],
  ['uint16', { type: 'INT32', converted_type: 'UINT_16' }],
  ['uint32', { type: 'INT32', converted_type: 'UINT_32' }],
  ['uint64', { type: 'INT64', converted_type: 'UINT_64' }],
  ['float16', { type: 'FLOAT' }],
  ['float32', { type: 'FLOAT' }],
  ['float64', { type: 'DOUBLE' }],
  ['datetime64[D]', { type: 'INT32', converted_type: 'DATE' }],
  ['datetime64[s]', timestamp('MILLIS')],
  ['datetime64[ms]', timestamp('MILLIS')],
  ['datetime64[us]', timestamp('MICROS')],
  ['datetime64[ns]', timestamp('NANOS')],
  ['string', { type: 'BYTE_ARRAY', converted_type: 'UTF8' }],
  ['binary', { type: 'BYTE_ARRAY' }],
]);

/** Of the units of durations: which of Arrow's they go as, and how many of it they are. */
const DURATIONS: ReadonlyMap<string | null, readonly [unit: string, factor: bigint]> = new Map([
  ['W', ['s', 604_800n]],
  ['D', ['s', 86_400n]],
  ['h', ['s', 3600n]],
  ['m', ['s', 60n]],
  ['s', ['s', 1n]],
  ['ms', ['ms', 1n]],
  ['us', ['us', 1n]],
  ['ns', ['ns', 1n]],
]);

/**
 * Null: values of it are not written to Parquet. Texts of fixed width are texts. Of durations Parquet knows nothing:
 * they are integers, and the Arrow schema beside them says the rest.
 */
export function parquetType(dtype: DType): ParquetType | null {
  const info = parseDType(dtype);
  if (isDuration(dtype)) return storedTicks(dtype) === null ? null : { type: 'INT64' };
  return TYPES.get(isFixedText(info) ? 'string' : dtype) ?? null;
}

export function isDuration(dtype: DType): boolean {
  const info = parseDType(dtype);
  return isTime(info) && !isMoment(info);
}

/** What 64-bit times go as, and how many of its ticks one is; null: of no times, or of a unit that nobody knows. */
export function storedTicks(dtype: DType): { readonly dtype: DType; readonly factor: bigint } | null {
  const info = parseDType(dtype);
  if (!isTime(info)) return null;
  // Parquet has no timestamps of seconds.
  if (isMoment(info))
    return dtype === 'datetime64[s]' ? { dtype: 'datetime64[ms]', factor: 1000n } : { dtype, factor: 1n };
  const [unit, factor] = DURATIONS.get(info.unit) ?? [null, 1n];
  return unit === null ? null : { dtype: `timedelta64[${unit}]`, factor: factor * BigInt(info.step) };
}

function timestamp(unit: 'MILLIS' | 'MICROS' | 'NANOS'): ParquetType {
  return { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit } };
}

/** Whether values of 64 bits go as numbers of 32: days. */
export function isNarrowed(dtype: DType): boolean {
  return parseDType(dtype).itemBytes === 8 && parquetType(dtype)?.type === 'INT32';
}

/** Whether one of the numbers, or of those in lists of them, is -0. */
export function holdsNegativeZero(values: ArrayLike<unknown>): boolean {
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at];
    if (value === 0 ? Object.is(value, -0) : Array.isArray(value) && holdsNegativeZero(value)) return true;
  }
  return false;
}
