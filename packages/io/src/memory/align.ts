// Alignment: rounding offsets up, buffers padded to whole words, and typed arrays over bytes, either without a copy
// (viewAs, which refuses) or always with one (copyAs).
import { ArgumentError, CannotViewError, LimitError, UnsupportedError } from '../errors/errors.ts';
import { isCount } from '../values/integers.ts';

/** A typed array's constructor, as far as it is needed here. */
export interface TypedArrayConstructor<A> {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): A;
}

/**
 * The smallest multiple of `alignment` that is not below `value`.
 * @throws ArgumentError where the result is beyond 2^53 - 1 or an argument is not a count.
 */
export function alignUp(value: number, alignment: number): number {
  const rest = value % alignment;
  const aligned = rest === 0 ? value : value + (alignment - rest);
  if (!isCount(value) || !isCount(alignment) || alignment === 0 || aligned > Number.MAX_SAFE_INTEGER) {
    throw new ArgumentError(
      'ERR_ARGUMENT',
      'alignUp',
      'a count and a positive alignment',
      `${String(value)}, ${String(alignment)}`,
    );
  }
  return aligned;
}

/** Whether an array of `itemBytes`-wide elements can start at `byteOffset` of its ArrayBuffer. */
export function isAligned(byteOffset: number, itemBytes: number): boolean {
  return byteOffset % itemBytes === 0;
}

/**
 * `byteLength` zero bytes that start at byte 0 of an ArrayBuffer of their own, which is padded to a multiple of
 * `alignment` (a power of two): typed arrays of any width fit, and whole words can be read to the end.
 * @throws ArgumentError; LimitError where the memory is not to be had.
 */
export function alignedBuffer(byteLength: number, alignment: number): Uint8Array {
  if (!isCount(alignment) || alignment === 0 || !Number.isInteger(Math.log2(alignment))) {
    throw new ArgumentError('ERR_ARGUMENT', 'alignment', 'a power of two', String(alignment));
  }
  return new Uint8Array(newArrayBuffer(alignUp(byteLength, alignment)), 0, byteLength);
}

/**
 * A zeroed ArrayBuffer.
 * @throws LimitError ERR_LIMIT where the runtime has no such memory, in place of its RangeError.
 */
export function newArrayBuffer(byteLength: number): ArrayBuffer {
  try {
    return new ArrayBuffer(byteLength);
  } catch {
    throw new LimitError('ERR_LIMIT', 'bytes (memory is short)', byteLength - 1, byteLength);
  }
}

/**
 * A typed array over `bytes`, without a copy.
 * @throws CannotViewError ERR_MISALIGNED where the bytes do not start at a multiple of the element's width;
 * ArgumentError where they are not whole elements.
 */
export function viewAs<A>(type: TypedArrayConstructor<A>, bytes: Uint8Array): A {
  const width = type.BYTES_PER_ELEMENT;
  const length = elementCount(bytes.byteLength, width);
  refuseBigEndian(width);
  if (!isAligned(bytes.byteOffset, width)) {
    throw new CannotViewError(
      'ERR_MISALIGNED',
      `the bytes start at offset ${String(bytes.byteOffset)}, not at a multiple of ${String(width)}`,
      'copy them (copyAs, toArray)',
    );
  }
  return new type(bytes.buffer, bytes.byteOffset, length);
}

/**
 * A typed array with a copy of `bytes`, in a buffer of its own.
 * @throws ArgumentError where they are not whole elements; LimitError.
 */
export function copyAs<A>(type: TypedArrayConstructor<A>, bytes: Uint8Array): A {
  const length = elementCount(bytes.byteLength, type.BYTES_PER_ELEMENT);
  refuseBigEndian(type.BYTES_PER_ELEMENT);
  const buffer = newArrayBuffer(bytes.byteLength);
  new Uint8Array(buffer).set(bytes);
  return new type(buffer, 0, length);
}

/** How many items of `itemBytes` bytes `byteLength` bytes are. @throws ArgumentError where they are not whole items. */
export function elementCount(byteLength: number, itemBytes: number): number {
  if (byteLength % itemBytes !== 0)
    throw new ArgumentError('ERR_ARGUMENT', 'bytes', `a multiple of ${String(itemBytes)} bytes`, String(byteLength));
  return byteLength / itemBytes;
}

/**
 * All formats are little-endian, and so are their bytes in memory; typed arrays would read them wrongly on the few
 * big-endian machines.
 */
export function refuseBigEndian(itemBytes: number): void {
  if (!LITTLE_ENDIAN && itemBytes > 1)
    throw new UnsupportedError(
      'ERR_FEATURE',
      'big-endian machine',
      'typed arrays over little-endian bytes need a little-endian machine',
    );
}

const LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
