export { write, writeSync } from './write/write.ts';
export type { AnyTable, WriteInput, WriteOptions, WriteProgress } from './write/write.ts';
export type { EncodingOptions, ForcedEncoding } from './write/write-options.ts';
export type { ColumnSummary, RowGroupReport, WriteReport } from './write/write-report.ts';
export type { WriteMode } from './write/modes.ts';
export type { ChunkReport } from './write/file-encoder.ts';
export type { PageReport } from './write/encode-page.ts';
export type { Candidate } from './write/choose-encoding.ts';
