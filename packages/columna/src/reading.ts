// What the public faces of columna in Node (index.ts) and in browsers (browser.ts) have in common: reading, scanning,
// looking into a file. Nothing here, or behind it, imports a Node module but for those that the build for browsers
// replaces.
export { open, openSync } from './read/open.ts';
export type { OpenSourceOptions as SourceOptions } from '@colkit/io';
export type { OpenOptions } from './read/open-file.ts';
export type { ReadLimits } from './read/file/read-footer.ts';
export { read, readSync } from './read/read.ts';
export type { ReadOptions } from './read/read.ts';
export { Scan, GroupedScan, scan, scanSync } from './read/scan.ts';
export type { AggregateValue, GroupedColumns, ScanOptions, ScannedColumns } from './read/scan.ts';
export { ScanResult } from './read/scan-result.ts';
export type { ScanStats } from './read/scan-result.ts';
export { openDataset, openDatasetSync } from './dataset/dataset.ts';
export { cnaParts } from './dataset/cna-parts.ts';
export { openTask, partial, runTask } from './dataset/tasks.ts';
export { mergePartials } from '@colkit/table';
export type { OpenTaskOptions, PartialState, PartialTask, Split, SplitOptions, Task, TaskOptions } from '@colkit/table';
export { verify, verifySync } from './read/verify.ts';
export type { VerifyReport } from './read/verify.ts';

export { inspect, inspectSync } from './inspect/inspect.ts';
export type { InspectOptions } from './inspect/inspect.ts';
export type {
  Choice,
  InspectedBound,
  InspectedChunk,
  InspectedColumn,
  InspectedFile,
  InspectedPage,
  InspectedRowGroup,
  InspectedStatistics,
  InspectedValue,
} from './inspect/inspected-file.ts';

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
  Dataset,
  Expression,
  NAT,
  RecordBatch,
  Table,
  TypedValues,
  col,
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
  Cell,
  CellOf,
  ColumnResult,
  ColumnType,
  ColumnsResult,
  DatasetFile,
  DatasetInput,
  DatasetOptions,
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
  PartitionType,
  Predicate,
  QueryParams,
  RowOf,
  SchemaInput,
  TableInput,
  TableTypes,
  TypesOf,
  ViewOf,
} from '@colkit/table';
