export { fromParquet } from './from-parquet.ts';
export type { FromParquetOptions, FromParquetReport } from './from-parquet.ts';
export { toParquet } from './to-parquet.ts';
export type { ParquetReport, ToParquetOptions } from './to-parquet.ts';
