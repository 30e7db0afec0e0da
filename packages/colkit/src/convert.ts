// colkit/convert: any file of a table as a lazy table, any table as a file of any format; a .cna file, or a lazy table,
// to and from files of other formats. Parquet and Arrow need optional peers.
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
export { fromParquet } from './tables/from-parquet.ts';
export type { FromParquetOptions, FromParquetReport } from './tables/from-parquet.ts';
// What the opened table is, and gives: declarations of a program that exports such a value name these types.
export type { ColumnNote } from 'columna';
export type { Float16ArrayLike } from '@colkit/io';
export type {
  AggregatesOf,
  ArrowTable,
  BitmapColumn,
  CellOf,
  Column,
  ColumnResult,
  ColumnType,
  ColumnsResult,
  DictionaryColumn,
  Field,
  GroupedColumns as GroupedTableColumns,
  GroupedResult,
  GroupedTable,
  RecordBatch,
  RowOf,
  Table,
  TableTypes,
  TypesOf,
  ViewOf,
} from '@colkit/table';
