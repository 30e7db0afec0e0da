// The public face of columna in Node: reading (reading.ts) and writing. Other formats in and out, and the page about a
// file, are colkit's.
export * from './reading.ts';
export { write, writeSync } from './write/write.ts';
export { commit, writePart } from './dataset/commit.ts';
export type { CommitTarget, WritePartOptions } from './dataset/commit.ts';
export { history, vacuum } from '@colkit/table';
export type { CommitOptions, Committed, HistoryEntry, PartReference, VacuumOptions, Vacuumed } from '@colkit/table';
export type { WriteProgress } from './write/file/new-file.ts';
export type { WriteOptions } from './write/write.ts';
export type { WriteBatches } from './write/stream/batches.ts';
export type { AnyTable, WriteInput } from './write/values/batch-input.ts';
export { writeCsv } from './write/write-csv.ts';
export type { WriteCsvOptions, WriteCsvReport } from './write/write-csv.ts';
export { create, createSync } from './write/create.ts';
export type { CreateOptions } from './write/create.ts';
export { append, appendSync, appender, appenderSync } from './write/append.ts';
export type { AppendOptions } from './write/append.ts';
export { edit } from './write/edit.ts';
export type { ColumnaEdit } from './write/edit.ts';
export type {
  ApplyOptions,
  ColumnFunction,
  ConditionOptions,
  CutFlow,
  CutFlowStep,
  DerivedValue,
  DerivedValues,
  EditWriter,
  ReportOptions,
  TableEdit,
} from '@colkit/table';
export { recover, recoverSync } from './write/recover.ts';
export type { Recovery, RecoverOptions } from './write/recover.ts';
export { ColumnaWriter } from './write/stream/table-writer.ts';
export type { Checkpoint } from './write/stream/table-writer.ts';
export type { StreamOptions } from './write/stream/stream-options.ts';
export type { EncodingOptions, ForcedEncoding } from './write/file/write-options.ts';
export type { ColumnNote, ColumnSummary, RowGroupReport, WriteReport } from './write/file/write-report.ts';
export type { WriteMode } from './write/encode/modes.ts';
export type { ChunkReport } from './write/file/file-encoder.ts';
export type { PageReport } from './write/encode/encode-page.ts';
export type { Candidate } from './columns/chooser.ts';
