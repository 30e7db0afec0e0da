// The public names that Node and browsers share. Nothing here, or behind it, imports a Node module.
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
  withoutPath,
} from './errors/errors.ts';
export type { ColkitErrorCode, CorruptFileDetails } from './errors/errors.ts';
export { assertNever } from './errors/assert-never.ts';
export { messageOf } from './errors/system-error.ts';
export { DEFAULT_LIMITS, checkLimit } from './values/limits.ts';
export type { Limits } from './values/limits.ts';
export { checkJsonValues } from './values/json-values.ts';
export {
  MOST_EXACT,
  checkCount,
  isCount,
  isExactBigInt,
  isExactResult,
  numberFromBigInt,
} from './values/integers.ts';
export { isPathBelow } from './source/paths/path-below.ts';
export { sortedNaturally } from './listing/natural-order.ts';
export { isDType, parseDType } from './values/dtype.ts';
export {
  dtypeFacts,
  integerRange,
  isBinary,
  isBool,
  isFixedText,
  isFloat,
  isMoment,
  isRawItem,
  isTime,
  isVariableText,
} from './values/dtype-facts.ts';
export type { DTypeFacts } from './values/dtype-facts.ts';
export { itemReader } from './values/item-reader.ts';
export type { ReadItem } from './values/item-reader.ts';
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
} from './values/dtype.ts';
export { Float16ArrayOfRuntime } from './memory/float16.ts';
export { numbersOfHalves, roundToHalf, writeHalves } from './memory/half-numbers.ts';
export { floatsOfHalves } from './values/halves.ts';
export { arrayTypeOf, bytesOfArray, dtypeOfArray, typedArrayOver } from './memory/typed-array.ts';
export { alignUp, alignedBuffer, copyAs, viewAs } from './memory/align.ts';
export type { TypedArrayConstructor } from './memory/align.ts';
export { attached, isAttached } from './memory/attached.ts';
export { ofFixedLength } from './memory/fixed-length.ts';
export { areSameBytes } from './memory/same-bytes.ts';
export { crc32 } from './values/crc32.ts';
export { isMap } from './errors/tags.ts';
export { ofThisRealm } from './memory/this-realm.ts';
export { Cursor } from './values/cursor.ts';
export type { CorruptCode, CursorContext } from './values/cursor.ts';
export type { MemoryBacked, RandomAccessSource, Reopening, SourceCapabilities } from './source/source.ts';
export { isSource } from './source/own-source.ts';
export type { OwnSource } from './source/own-source.ts';
export type { CacheOptions } from './source/cache/cache-options.ts';
export { SOURCE_OPTIONS } from './source/source-options.ts';
export type { OpenSourceOptions } from './source/source-options.ts';
export { remoteUrl } from './source/paths/remote-url.ts';
export type { Openable, ReadableHandle } from './source/open-other-source.ts';
export { PhaseWindows } from './windows/phase-windows.ts';
export type { OpenWindow, Window } from './windows/phase-windows.ts';
export type { Stretch } from './windows/shared-windows.ts';
export { MemorySource } from './source/memory-source.ts';
export { BlobSource } from './source/blob-source.ts';
export { HttpSource } from './source/http/http-source.ts';
export { bodyReader } from './source/http/http-response.ts';
export { pause, retryAfterMs, unlessAborted } from './source/http/http-waits.ts';
export { onAbort } from './source/http/on-abort.ts';
export type { HttpRequest, HttpSourceOptions, RetryOptions, SignedRequest } from './source/http/http-options.ts';
export { visibleUrl } from './source/paths/visible-url.ts';
export type {
  ColumnSegments,
  CreateGatherer,
  GatherOutput,
  GatherRequest,
  Gatherer,
  IndexArray,
  RowSelection,
} from './gather/gather.ts';
export type { CopyRangesRequest } from './gather/copy-ranges.ts';
export {
  PAGE_LIMITS,
  RECORD_BYTES,
  TEXT_TEST,
  TEXT_TEST_FLAG,
  newResults,
  packJobs,
} from './pages/page-program.ts';
export { RAW_LIMITS, halfKey } from './raw/raw-program.ts';
export type {
  RawAnswer,
  RawBound,
  RawColumn,
  RawFold,
  RawFolded,
  RawGroup,
  RawNode,
  RawProgram,
  RawType,
  RawValue,
} from './raw/raw-program.ts';
export type { RawColumns, RawOptions } from './raw/raw-columns.ts';
export type { NumberKernels } from './backend/number-kernels.ts';
export { giveWorkingMemory, takeWorkingMemory } from './memory/working-memory.ts';
export type {
  DecodePagesRequest,
  JobPage,
  PageDecoder,
  PageDestination,
  PageJob,
  PageResult,
} from './pages/page-program.ts';
export type { AllocateOptions } from './memory/allocate.ts';
export { describeValue } from './errors/describe-value.ts';
export { visibleJson, visibleText } from './errors/visible-text.ts';
export { checkOptions, isByName, nearestName, omitOptions, option, optionsNow, pickOptions } from './options/index.ts';
export type { OptionKind, OptionSet } from './options/index.ts';
export { missingPeer } from './errors/optional-peer.ts';
export { MemorySink } from './memory/sink.ts';
export type { Sink } from './memory/sink.ts';
export { checkKey } from './store/check-key.ts';
export type { ObjectStore, ListOptions, StoreCallOptions, StoredObject } from './store/object-store.ts';
export { targetName } from './writer/sink-output.ts';
export type { WriteTarget } from './writer/sink-output.ts';
export type { FileHandle } from './writer/handle-sink.ts';
export type { BackendInfo, NativeMapping } from './backend/native.ts';
export type { Backend, Madvise } from './backend/settings.ts';
export { setDefaultBackend, setDefaultMadvise } from './backend/settings.ts';
