// colkit/convert: a .cna file, or a lazy table of any format, to and from files of other formats. Parquet needs
// optional peers.
export { fromParquet } from './from-parquet.ts';
export type { FromParquetOptions, FromParquetReport } from './from-parquet.ts';
export { toCsv } from './to-csv.ts';
export type { CsvReport, ToCsvOptions } from './to-csv.ts';
export { toParquet } from './to-parquet.ts';
export type { ParquetReport, ToParquetOptions } from './to-parquet.ts';
