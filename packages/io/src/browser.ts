// The public names for browsers: those for everywhere, and what stands for files and the addon where there are none.
export * from './everywhere.ts';
export { HeldSource } from './source/held/held-source-browser.ts';
export { createGatherer } from './gather/browser-gatherer.ts';
export { chooseWorkers as setMaxWorkers } from './backend/settings.ts';
export {
  allocateOutputs,
  backendInfo,
  copyRanges,
  copyRangesSync,
  textInputKernels,
  encodeKernels,
  filePath,
  maxWorkers,
  numberKernels,
  openFileSink,
  openFileSinkSync,
  openSource,
  openSourceSync,
  pageDecoder,
} from './browser-parts.ts';
