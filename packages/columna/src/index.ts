export { write, writeSync } from './write/write.ts';
export type { AnyTable, WriteInput, WriteOptions, WriteProgress } from './write/write.ts';
export type { EncodingOptions, ForcedEncoding } from './write/write-options.ts';
export type { ColumnSummary, RowGroupReport, WriteReport } from './write/write-report.ts';
export type { WriteMode } from './write/modes.ts';
export type { ChunkReport } from './write/file-encoder.ts';
export type { PageReport } from './write/encode-page.ts';
export type { Candidate } from './write/choose-encoding.ts';

export { open, openSync } from './read/open.ts';
export type { OpenOptions, SourceOptions } from './read/open.ts';
export type { ReadLimits } from './read/read-footer.ts';
export { read, readSync } from './read/read.ts';
export type { ReadOptions } from './read/read.ts';

// What users of this package need from the layers below, so that one import is enough.
export {
  ArgumentError, CannotViewError, ClosedError, ColkitError, CorruptFileError, IoError, LimitError, OutOfRangeError, QueryError, UnknownColumnError, UnsupportedError,
  backendInfo, isColkitError, maxWorkers, openSource, openSourceSync, setDefaultBackend, setDefaultMadvise, setMaxWorkers,
} from '@colkit/io';
export type { BackendInfo, ColkitErrorCode, DType, Openable, RandomAccessSource } from '@colkit/io';
export { Column, NAT, RecordBatch, Table, TypedValues, fromDate, fromISO, toDate, toISO, typed } from '@colkit/table';
export type { Field, SchemaInput, TableInput } from '@colkit/table';
