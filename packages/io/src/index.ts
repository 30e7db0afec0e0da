export {
  ArgumentError, CannotViewError, ClosedError, ColkitError, CorruptFileError, IoError, LimitError, OutOfRangeError, QueryError, UnknownColumnError, UnsupportedError, isColkitError,
} from './errors.ts';
export type { ColkitErrorCode, CorruptFileDetails } from './errors.ts';
export { isDType, parseDType } from './dtype.ts';
export type {
  BigIntDType, DType, DTypeInfo, DTypeMap, FixedArray, FixedStringDType, Float16ArrayLike, NumberDType, TimeDType, TimeUnit, VariableDType,
} from './dtype.ts';
export type { ColumnSegments, GatherOutput, GatherRequest, Gatherer, IndexArray, RowSelection } from './gather.ts';
export type { MemoryBacked, RandomAccessSource } from './source.ts';
