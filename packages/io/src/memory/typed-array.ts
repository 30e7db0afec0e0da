// A dtype's bytes as its JavaScript array, and a JavaScript array's dtype.
import { elementCount, refuseBigEndian, viewAs } from './align.ts';
import type { TypedArrayConstructor } from './align.ts';
import { Float16ArrayOfRuntime, isFloat16Array } from './float16.ts';
import { dtypeFacts, isTime } from '../values/dtype-facts.ts';
import type { DType, DTypeInfo, FixedArray, Float16ArrayLike } from '../values/dtype.ts';
import { ArgumentError, UnsupportedError } from '../errors/errors.ts';

/** The arrays of JavaScript: the dtype of their elements, and their tag. */
const ARRAYS: readonly (readonly [dtype: DType, tag: string, type: TypedArrayConstructor<FixedArray>])[] = [
  ['int8', 'Int8Array', Int8Array],
  ['uint8', 'Uint8Array', Uint8Array],
  ['int16', 'Int16Array', Int16Array],
  ['uint16', 'Uint16Array', Uint16Array],
  ['int32', 'Int32Array', Int32Array],
  ['uint32', 'Uint32Array', Uint32Array],
  ['int64', 'BigInt64Array', BigInt64Array],
  ['uint64', 'BigUint64Array', BigUint64Array],
  ['float16', 'Float16Array', Float16ArrayOfRuntime],
  ['float32', 'Float32Array', Float32Array],
  ['float64', 'Float64Array', Float64Array],
];
const BY_NAME = new Map(ARRAYS.map(([dtype, , type]) => [dtype, type]));
const DTYPE_BY_TAG = new Map(ARRAYS.map(([dtype, tag]) => [tag, dtype])).set('Uint8ClampedArray', 'uint8');

/**
 * The typed array of a dtype's items: of bool bytes, of datetime and timedelta ticks, of packed text and float128 the
 * bytes of the items. Null where there is no fixed width.
 */
export function arrayTypeOf(info: DTypeInfo): TypedArrayConstructor<FixedArray> | null {
  if (info.itemBytes === 0) return null;
  return BY_NAME.get(info.name) ?? (isTime(info) ? BigInt64Array : Uint8Array);
}

/**
 * The array of a fixed-width dtype over packed little-endian bytes, without a copy. bool: Uint8Array of 0 and 1;
 * datetime and timedelta: BigInt64Array of ticks; bytes, unicode and float128: Uint8Array of the raw items.
 * @throws CannotViewError ERR_MISALIGNED; ArgumentError where the bytes are not whole items; UnsupportedError for a
 * variable-width dtype.
 */
export function typedArrayOver(info: DTypeInfo, bytes: Uint8Array): FixedArray {
  const type = arrayTypeOf(info);
  if (type === null)
    throw new UnsupportedError('ERR_DTYPE', info.name, `${info.name} has no fixed width and so no typed array`);
  if (type !== Uint8Array) return viewAs(type, bytes);
  elementCount(bytes.byteLength, info.itemBytes);
  refuseBigEndian(dtypeFacts(info).unitBytes);
  // A Uint8Array proper over the same bytes, also where a Buffer was given.
  return bytes.constructor === Uint8Array ? bytes : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The dtype that a typed array says by its type (a Buffer: uint8); null for anything else. Works across realms. */
export function dtypeOfArray(array: unknown): DType | null {
  if (isFloat16Array(array)) return 'float16';
  const tag = typedArrayTag(array);
  return tag === null ? null : (DTYPE_BY_TAG.get(tag) ?? null);
}

/** The bytes of any typed array or DataView, not a copy. @throws ArgumentError for anything else. */
export function bytesOfArray(array: ArrayBufferView | Float16ArrayLike, argument = 'array'): Uint8Array {
  // The ponyfill's Float16Array is a Proxy, which ArrayBuffer.isView does not know.
  if (!ArrayBuffer.isView(array) && !isFloat16Array(array))
    throw new ArgumentError('ERR_ARGUMENT', argument, 'a typed array or DataView', typeof array);
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** Reads the internal slot, which no subclass or foreign realm can change. */
function typedArrayTag(value: unknown): string | null {
  if (!ArrayBuffer.isView(value)) return null;
  const tag: unknown = Reflect.get(TYPED_ARRAY_PROTOTYPE, Symbol.toStringTag, value);
  return typeof tag === 'string' ? tag : null;
}

const TYPED_ARRAY_PROTOTYPE = Object.getPrototypeOf(Uint8Array.prototype) as object;
