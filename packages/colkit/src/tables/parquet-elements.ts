// Element types -> Parquet's types, in one table for tables and items.
import { isFixedText, parseDType } from '@colkit/io';
import type { DType } from '@colkit/io';
import type { SchemaElement } from 'hyparquet';

/** Moments of which Parquet has no unit: they go as milliseconds. */
export const SECONDS: DType = 'datetime64[s]';

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
  [SECONDS, timestamp('MILLIS')],
  ['datetime64[ms]', timestamp('MILLIS')],
  ['datetime64[us]', timestamp('MICROS')],
  ['datetime64[ns]', timestamp('NANOS')],
  ['string', { type: 'BYTE_ARRAY', converted_type: 'UTF8' }],
  ['binary', { type: 'BYTE_ARRAY' }],
]);

/** Null: values of it are not written to Parquet. Texts of fixed width are texts. */
export function parquetType(dtype: DType): ParquetType | null {
  return TYPES.get(isFixedText(parseDType(dtype)) ? 'string' : dtype) ?? null;
}

function timestamp(unit: 'MILLIS' | 'MICROS' | 'NANOS'): ParquetType {
  return { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit } };
}

/** Whether values of 64 bits go as numbers of 32: days. */
export function isNarrowed(dtype: DType): boolean {
  return parseDType(dtype).itemBytes === 8 && parquetType(dtype)?.type === 'INT32';
}
