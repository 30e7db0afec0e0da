// The public face of colstore.
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
export type { InfoOptions, OpenOptions } from './open-table.ts';
export type { ManyOpenable } from './many/given-files.ts';
export { write, writeSync } from './write/write.ts';
export type { AnyTable, WriteInput, WriteOptions } from './write/write.ts';
export { compact, compactSync, upgrade, upgradeSync } from './rewrite/compact.ts';
export type { UpgradeOptions } from './rewrite/compact.ts';
export { concat, concatSync } from './rewrite/concat.ts';
export type { ConcatOptions } from './rewrite/concat.ts';
export { recover, recoverSync } from './rewrite/recover.ts';
export type { RecoverOptions, Recovery } from './rewrite/recover.ts';
export type { RewriteOptions } from './rewrite/rewrite-options.ts';
export { verify, verifySync } from './rewrite/verify.ts';
export type { Verification, VerifyOptions, VerifyProgress } from './rewrite/verify.ts';
export { create, createSync, recreate, recreateSync, update, updateSync } from './streams/open-writer.ts';
export type { StreamOptions } from './streams/open-writer.ts';
export { append, appendSync } from './shards/append.ts';
export type { AppendInput, AppendOptions } from './shards/append.ts';
export { ColStoreAppender, appender, appenderSync } from './shards/appender.ts';
export type { AppenderOptions } from './shards/appender.ts';
export { ColStoreWriter } from './streams/record-writer.ts';
export type { Checkpoint } from './streams/record-writer.ts';
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
export type {
  ExpectedSchema,
  Field,
  OnMismatch,
  Operand,
  Predicate,
  QueryParams,
  SchemaInput,
  TableInput,
  TableTypes,
} from '@colkit/table';
