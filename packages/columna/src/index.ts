// The public face of columna. Other formats in and out, and the page about a file, are colkit's.
export { write, writeSync } from './write/write.ts';
export type { WriteProgress } from './write/new-file.ts';
export type { WriteOptions } from './write/write.ts';
export type { AnyTable, WriteInput } from './write/batch-input.ts';
export { writeCsv } from './write/write-csv.ts';
export type { WriteCsvOptions, WriteCsvReport } from './write/write-csv.ts';
export { create, createSync } from './write/create.ts';
export type { CreateOptions } from './write/create.ts';
export { append, appendSync, appender, appenderSync } from './write/append.ts';
export type { AppendOptions } from './write/append.ts';
export { recover, recoverSync } from './write/recover.ts';
export type { Recovery, RecoverOptions } from './write/recover.ts';
export { ColumnaWriter } from './write/table-writer.ts';
export type { Checkpoint } from './write/table-writer.ts';
export type { StreamOptions } from './write/stream-options.ts';
export type { EncodingOptions, ForcedEncoding } from './write/write-options.ts';
export type { ColumnNote, ColumnSummary, RowGroupReport, WriteReport } from './write/write-report.ts';
export type { WriteMode } from './write/modes.ts';
export type { ChunkReport } from './write/file-encoder.ts';
export type { PageReport } from './write/encode-page.ts';
export type { Candidate } from './columns/chooser.ts';

export { open, openSync } from './read/open.ts';
export type { OpenSourceOptions as SourceOptions } from '@colkit/io';
export type { OpenOptions } from './read/open.ts';
export type { ReadLimits } from './read/file/read-footer.ts';
export { read, readSync } from './read/read.ts';
export type { ReadOptions } from './read/read.ts';
export { Scan, GroupedScan, scan, scanSync } from './read/scan.ts';
export type { AggregateValue, GroupedColumns, ScanOptions, ScannedColumns } from './read/scan.ts';
export { ScanResult } from './read/scan-result.ts';
export type { ScanStats } from './read/scan-result.ts';
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
export type { BackendInfo, ColkitErrorCode, DType, Openable, RandomAccessSource } from '@colkit/io';
export {
  Column,
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
export type { AggregateSpec, AggregateSpecs, Field, SchemaInput, TableInput } from '@colkit/table';
