// colkit/convert in browsers: everything but what needs a path.
export { identify } from './formats/file-kind.ts';
export type { AnyFormat, IdentifyOptions, TableFormat } from './formats/file-kind.ts';
export { openTable } from './exchange/open-table.ts';
export type { ImportProgress, OpenTableOptions, OpenedTable, ScratchFile } from './exchange/open-table.ts';
export type { ImportOptions } from './exchange/import-options.ts';
export { writeTable } from './exchange/write-table.ts';
export type { WriteTableOptions, WriteTableReport } from './exchange/write-table.ts';
export type { ByteStream } from './exchange/stream-sink.ts';
export { toCsv } from './tables/to-csv.ts';
export type { CsvReport, ToCsvOptions } from './tables/to-csv.ts';
export { toParquet } from './tables/to-parquet.ts';
export type { ParquetReport, ToParquetOptions } from './tables/to-parquet.ts';
