// The durable files of @colkit/io, for the formats and their tests; Node only. The one way in which files come into
// being, grow, are locked, replaced and recovered.
export type {
  FileFacts,
  FileOperation,
  FileOperations,
  FileResult,
  FileSystemOptions,
} from './effects/file-operations.ts';
export { SYSTEM_FILES } from './durable/system-files.ts';
export { reserve } from './durable/reservation.ts';
export type { Ending, Reservation, ReserveOptions } from './durable/reservation.ts';
export type { GrowingFile } from './durable/growing-file.ts';
export { isBeingWritten } from './durable/file-lock.ts';
export { GrowingFolder } from './durable/folder.ts';
export { isAbandoned, temporaryName, temporaryPrefix, writerTag } from './durable/temporary-name.ts';
export { openFileSink, openFileSinkSync } from './durable/file-sink.ts';
export type { FileSinkOptions } from './durable/file-sink.ts';
export { temporaryFolder } from './durable/temporary-folder.ts';
export type { TemporaryFolder } from './durable/temporary-folder.ts';
export { removeUnfinished } from './durable/unfinished.ts';
export { filesOf, onFiles } from './durable/files-option.ts';
export { openOutput, writeFile } from './writer/output.ts';
export type { Output, OutputSettings, WriteTarget } from './writer/output.ts';
export { targetName } from './writer/sink-output.ts';
export { Broken, WriterCalls, breaking } from './writer/writer-calls.ts';
export type { CallsSetup } from './writer/writer-calls.ts';
export type { Leak } from './writer/leak-warning.ts';
export { FolderStore } from './store/folder-store.ts';
export type { FolderStoreOptions } from './store/folder-store.ts';
export { writeThroughFile } from './store/write-through-file.ts';
export type { WriteThroughFileOptions } from './store/write-through-file.ts';
