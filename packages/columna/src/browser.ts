// The public face of columna in browsers: reading, and writing whole files to memory or to the handle of a file.
export * from './reading.ts';
export { write, writeSync } from './write/write.ts';
export { commit, writePart } from './dataset/commit.ts';
export type { CommitTarget, WritePartOptions } from './dataset/commit.ts';
export { history, vacuum } from '@colkit/table';
export type { CommitOptions, Committed, HistoryEntry, PartReference, VacuumOptions, Vacuumed } from '@colkit/table';
export { writeCsv } from './write/write-csv.ts';
export type { WriteCsvOptions, WriteCsvReport } from './write/write-csv.ts';
export type { WriteBatches } from './write/stream/batches.ts';
export type { WriteProgress } from './write/file/new-file.ts';
export type { WriteOptions } from './write/write.ts';
export type { AnyTable, WriteInput } from './write/values/batch-input.ts';
export type { EncodingOptions, ForcedEncoding } from './write/file/write-options.ts';
export type { ColumnNote, ColumnSummary, RowGroupReport, WriteReport } from './write/file/write-report.ts';
export type { WriteMode } from './write/encode/modes.ts';
export type { ChunkReport } from './write/file/file-encoder.ts';
export type { PageReport } from './write/encode/encode-page.ts';
export type { Candidate } from './columns/chooser.ts';
