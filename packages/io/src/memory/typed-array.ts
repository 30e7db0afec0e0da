// A dtype's bytes as its JavaScript array, and a JavaScript array's dtype.
import { elementCount, refuseBigEndian, viewAs } from './align.ts';
import type { TypedArrayConstructor } from './align.ts';
import { Float16ArrayOfRuntime, isFloat16Array } from './float16.ts';
import { assertNever } from '../errors/assert-never.ts';
import type { DType, DTypeInfo, FixedArray, Float16ArrayLike } from '../values/dtype.ts';
import { ArgumentError, UnsupportedError } from '../errors/errors.ts';

const BY_NAME: ReadonlyMap<string, TypedArrayConstructor<FixedArray>> = new Map<
  string,
  TypedArrayConstructor<FixedArray>
>([
  ['int8', Int8Array],
  ['uint8', Uint8Array],
  ['int16', Int16Array],
  ['uint16', Uint16Array],
  ['int32', Int32Array],
  ['uint32', Uint32Array],
  ['int64', BigInt64Array],
  ['uint64', BigUint64Array],
  ['float16', Float16ArrayOfRuntime],
  ['float32', Float32Array],
  ['float64', Float64Array],
]);

/**
 * The array of a fixed-width dtype over packed little-endian bytes, without a copy. bool: Uint8Array of 0 and 1;
 * datetime and timedelta: BigInt64Array of ticks; bytes, unicode and float128: Uint8Array of the raw items.
 * @throws CannotViewError ERR_MISALIGNED; ArgumentError where the bytes are not whole items; UnsupportedError for a
 * variable-width dtype.
 */
export function typedArrayOver(info: DTypeInfo, bytes: Uint8Array): FixedArray {
  switch (info.kind) {
    case 'bool':
    case 'bytes':
      elementCount(bytes.byteLength, info.itemBytes);
      return plainBytes(bytes);
    case 'unicode':
      elementCount(bytes.byteLength, info.itemBytes);
      refuseBigEndian(4);
      return plainBytes(bytes);
    case 'datetime':
    case 'timedelta':
      return viewAs(BigInt64Array, bytes);
    case 'int':
    case 'uint':
    case 'float': {
      const type = BY_NAME.get(info.name);
      if (type !== undefined) return viewAs(type, bytes);
      elementCount(bytes.byteLength, info.itemBytes);
      return plainBytes(bytes);
    }
    case 'string':
    case 'binary':
      throw new UnsupportedError('ERR_DTYPE', info.name, `${info.name} has no fixed width and so no typed array`);
    default:
      return assertNever(info);
  }
}

/** A Uint8Array proper over the same bytes, also where a Buffer was given. */
function plainBytes(bytes: Uint8Array): Uint8Array {
  return bytes.constructor === Uint8Array ? bytes : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const DTYPE_BY_TAG: ReadonlyMap<string, DType> = new Map<string, DType>([
  ['Int8Array', 'int8'],
  ['Uint8Array', 'uint8'],
  ['Uint8ClampedArray', 'uint8'],
  ['Int16Array', 'int16'],
  ['Uint16Array', 'uint16'],
  ['Int32Array', 'int32'],
  ['Uint32Array', 'uint32'],
  ['BigInt64Array', 'int64'],
  ['BigUint64Array', 'uint64'],
  ['Float16Array', 'float16'],
  ['Float32Array', 'float32'],
  ['Float64Array', 'float64'],
]);

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
