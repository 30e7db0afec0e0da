// The public face of colstore in browsers, and what Node has too: opening, reading, writing in one go.
export { ColStore } from './col-store.ts';
export type { CreateOptions } from './creating.ts';
export type { RowSelector, RowSlice } from './get.ts';
export type { ColumnInfo, FileInfo } from './info.ts';
export { FILE_EXTENSION } from './layout/constants.ts';
export type { WireLayout } from './layout/read-layout.ts';
export type { RecordStatistics, StatisticsValue } from './layout/statistics-footer.ts';
export { open, openSync } from './open.ts';
export { info, infoSync, schema, schemaSync } from './open-table.ts';
export type { OpenSourceOptions as SourceOptions } from '@colkit/io';
export type { OpenOptions } from './open-options.ts';
export { cstoreParts } from './many/cstore-parts.ts';
export { write, writeSync } from './write/write.ts';
export type { AnyTable, WriteInput, WriteOptions } from './write/write.ts';
export type { FileForm } from './write/plan-file.ts';
export type { WriteProgress } from './write/stream-file.ts';

// What users of this package need from the layers below, so that one import is enough.
export {
  ArgumentError,
  CannotViewError,
  ClosedError,
  ColkitError,
  CorruptFileError,
  IoError,
  LimitError,
  MemorySink,
  OutOfRangeError,
  QueryError,
  UnknownColumnError,
  UnsupportedError,
  backendInfo,
  isColkitError,
  maxWorkers,
  openSource,
  openSourceSync,
  setDefaultBackend,
  setDefaultMadvise,
  setMaxWorkers,
} from '@colkit/io';
export type {
  BackendInfo,
  ColkitErrorCode,
  DType,
  FileHandle,
  Float16ArrayLike,
  Openable,
  RandomAccessSource,
  Sink,
  WriteTarget,
} from '@colkit/io';
export {
  Column,
  Expression,
  NAT,
  RecordBatch,
  Table,
  TypedValues,
  col,
  decodeFixedStrings,
  fromDate,
  fromISO,
  toDate,
  toISO,
  typed,
} from '@colkit/table';
// The types of what its methods give, too: declarations of a program that exports such a value name them, and cannot
// name a package that the program does not depend on itself (TS2742).
export type {
  AggregateSpec,
  AggregateSpecs,
  AggregatesOf,
  ArrowTable,
  BitmapColumn,
  CellOf,
  ColumnResult,
  ColumnType,
  ColumnsResult,
  DictionaryColumn,
  ExpectedSchema,
  Field,
  GroupedColumns as GroupedTableColumns,
  GroupedResult,
  GroupedTable,
  NamedColumns,
  NamedValues,
  Operand,
  PartFormat,
  Predicate,
  QueryParams,
  RowOf,
  SchemaInput,
  TableInput,
  TableTypes,
  TypesOf,
  ViewOf,
} from '@colkit/table';
