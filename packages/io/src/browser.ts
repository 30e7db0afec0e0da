// The public names for browsers: the same as index.ts without files and the addon. Nothing here, or behind it, imports
// a Node module.
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
  isColkitError,
} from './errors.ts';
export type { ColkitErrorCode, CorruptFileDetails } from './errors.ts';
export { assertNever } from './assert-never.ts';
export { DEFAULT_LIMITS, checkLimit } from './limits.ts';
export type { Limits } from './limits.ts';
export { checkJsonValues } from './json-values.ts';
export {
  MOST_EXACT,
  checkCount,
  fitsWithin,
  isCount,
  isExactBigInt,
  isExactResult,
  numberFromBigInt,
  readI64,
  readU64,
  writeU64,
} from './integers.ts';
export { isDType, parseDType } from './dtype.ts';
export { dtypeFacts, isFixedText, isTime } from './dtype-facts.ts';
export type { DTypeFacts } from './dtype-facts.ts';
export type {
  BigIntDType,
  DType,
  DTypeInfo,
  DTypeMap,
  FixedArray,
  FixedStringDType,
  Float16ArrayLike,
  NumberDType,
  TimeDType,
  TimeUnit,
  VariableDType,
} from './dtype.ts';
export { Float16ArrayOfRuntime, bytesOfArray, dtypeOfArray, typedArrayOver } from './typed-array.ts';
export { alignUp, alignedBuffer, copyAs, isAligned, viewAs } from './align.ts';
export type { TypedArrayConstructor } from './align.ts';
export { crc32 } from './crc32.ts';
export { Cursor } from './cursor.ts';
export type { CorruptCode, CursorContext } from './cursor.ts';
export type { MemoryBacked, RandomAccessSource, Reopening, SourceCapabilities } from './source.ts';
export { isSource } from './source/own-source.ts';
export type { OwnSource } from './source/own-source.ts';
export { SOURCE_OPTIONS } from './source-options.ts';
export type { OpenSourceOptions } from './source-options.ts';
export type { Openable } from './open-other-source.ts';
export { PhaseWindows } from './windows/phase-windows.ts';
export type { OpenWindow, Window } from './windows/phase-windows.ts';
export type { Stretch } from './windows/shared-windows.ts';
export { MemorySource } from './memory-source.ts';
export { BlobSource } from './blob-source.ts';
export { HttpSource } from './http-source.ts';
export type { HttpSourceOptions } from './http-source.ts';
export type {
  ColumnSegments,
  CreateGatherer,
  GatherOutput,
  GatherRequest,
  Gatherer,
  IndexArray,
  RowSelection,
} from './gather.ts';
export type { CopyRangesRequest } from './copy-ranges.ts';
export type { NumberKernels } from './number-kernels.ts';
export { giveWorkingMemory, takeWorkingMemory } from './working-memory.ts';
export { PAGE_LIMITS, newResults, packJobs } from './pages/page-program.ts';
export type {
  DecodePagesRequest,
  JobPage,
  PageDecoder,
  PageDestination,
  PageJob,
  PageResult,
} from './pages/page-program.ts';
export type { AllocateOptions } from './allocate.ts';
export { MemorySink } from './sink.ts';
export type { Sink } from './sink.ts';
export { describeValue } from './describe-value.ts';
export { visibleJson, visibleText } from './visible-text.ts';
export { checkOptions, isByName, nearestName, omitOptions, option, pickOptions } from './options/index.ts';
export type { OptionKind, OptionSet } from './options/index.ts';
export { missingPeer } from './optional-peer.ts';
export type { BackendInfo, NativeMapping } from './native.ts';
export { checkWord, setDefaultBackend, setDefaultMadvise, chooseWorkers as setMaxWorkers } from './settings.ts';
export type { Backend, Madvise } from './settings.ts';
export {
  allocateOutputs,
  backendInfo,
  copyRanges,
  copyRangesSync,
  createGatherer,
  filePath,
  maxWorkers,
  numberKernels,
  openFileSink,
  openFileSinkSync,
  openSource,
  openSourceSync,
  pageDecoder,
} from './browser-parts.ts';
