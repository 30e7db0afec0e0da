// The public names in Node: those for everywhere, files and the addon.
export * from './everywhere.ts';
export { openSource, openSourceSync } from './source/open-source.ts';
export { MappedSource } from './source/mapped-source.ts';
export type { MappedSourceOptions } from './source/mapped-source.ts';
export { FileSource } from './source/file-source.ts';
export { createGatherer } from './gather/create-gatherer.ts';
export { gatherFiles } from './gather/gather-files.ts';
export type { FilesGatherer, FilesSegments } from './gather/gather-files.ts';
export { copyRanges, copyRangesSync } from './gather/copy-ranges-native.ts';
export { pageDecoder } from './pages/page-decoder.ts';
export { numberKernels } from './backend/number-kernels.ts';
export { allocateOutputs } from './memory/allocate-native.ts';
export { filePath } from './source/file-path.ts';
export { openFileSink, openFileSinkSync } from './durable/file-sink.ts';
export type { FileSinkOptions } from './durable/file-sink.ts';
export type { FileFacts, FileOperation, FileOperations, FileResult } from './effects/file-operations.ts';
export { backendInfo } from './backend/native.ts';
export { maxWorkers, setMaxWorkers } from './backend/workers.ts';
