// Element types -> Parquet's types, in one table for tables and items.
import { parseDType } from '@colkit/io';
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
  ['float32', { type: 'FLOAT' }],
  ['float64', { type: 'DOUBLE' }],
  ['datetime64[D]', { type: 'INT32', converted_type: 'DATE' }],
  ['datetime64[us]', { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MICROS' } }],
  ['string', { type: 'BYTE_ARRAY', converted_type: 'UTF8' }],
  ['binary', { type: 'BYTE_ARRAY' }],
]);

/** Null: values of it are not written to Parquet. */
export function parquetType(dtype: DType): ParquetType | null {
  return TYPES.get(dtype) ?? null;
}

/** Whether values of 64 bits go as numbers of 32: days. */
export function isNarrowed(dtype: DType): boolean {
  return parseDType(dtype).itemBytes === 8 && parquetType(dtype)?.type === 'INT32';
}
