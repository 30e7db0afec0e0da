// colkit/convert: any file of a table as a lazy table, any table as a file of any format; a .cna file, or a lazy table,
// to and from files of other formats. Parquet and Arrow need optional peers.
export * from './convert-browser.ts';
export { fromParquet } from './tables/from-parquet.ts';
export type { FromParquetOptions, FromParquetReport } from './tables/from-parquet.ts';
