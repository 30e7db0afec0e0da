export { fromParquet } from './from-parquet.ts';
export type { FromParquetOptions } from './from-parquet.ts';
export { toParquet } from './to-parquet.ts';
export type { ParquetReport, ToParquetOptions } from './to-parquet.ts';
