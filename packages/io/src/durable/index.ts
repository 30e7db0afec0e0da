// The durable files of @colkit/io, for the formats and their tests; Node only. The one way in which files come into
// being, grow, are locked, replaced and recovered.
export type { FileFacts, FileOperation, FileOperations, FileResult, FileSystemOptions } from './operations.ts';
export { SYSTEM_FILES } from './system-files.ts';
export { nothingBeside, reserve } from './reservation.ts';
export type { Ending, Reservation, ReserveOptions } from './reservation.ts';
export type { GrowingFile } from './growing-file.ts';
export { isAbandoned, isDeadWriter, temporaryName, temporaryPrefix, writerTag } from './temporary-name.ts';
export { openFileSink, openFileSinkSync } from './file-sink.ts';
export type { FileSinkOptions } from './file-sink.ts';
export { filesOf, onFiles } from './files-option.ts';
export { openOutput, writeFile } from '../writer/output.ts';
export type { Output, OutputSettings } from '../writer/output.ts';
export { Broken, WriterCalls, breaking } from '../writer/writer-calls.ts';
export type { CallsSetup } from '../writer/writer-calls.ts';
export type { Leak } from '../writer/leak-warning.ts';
