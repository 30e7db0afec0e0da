// The bytes of one array -> its JavaScript value: a typed array over the same memory, or a string.
import { ArgumentError, bytesOfArray, describeValue, dtypeOfArray } from '@colkit/io';
import type { TypedArrayConstructor } from '@colkit/io';
import { accepts, arrayTypeOfDType, isFloat128, isSyrahDType, itemBytesOf } from '../layout/dtype.ts';
import type { StoredDType, SyrahArray, SyrahDType } from '../layout/dtype.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const UCS4_BYTES = 4;
const LAST_CODE_POINT = 0x10ffff;

/** No copy. `byteOffset` is a multiple of the element's size, and `byteLength` bytes are whole elements. */
export function arrayOver(
  dtype: Exclude<SyrahDType, 'str'>,
  buffer: ArrayBufferLike,
  byteOffset: number,
  byteLength: number,
): SyrahArray {
  const type = arrayTypeOfDType(dtype) as TypedArrayConstructor<SyrahArray>;
  return new type(buffer, byteOffset, byteLength / type.BYTES_PER_ELEMENT);
}

/** The text of an array, or null where the bytes are no text. */
export function decodeText(dtype: 'str' | `<U${number}`, bytes: Uint8Array): string | null {
  if (dtype !== 'str') return decodeUcs4(dtype, bytes);
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

/**
 * numpy's fixed-width text: each element padded with NULs, which are not part of it; the elements joined, as `str`
 * stores them.
 */
function decodeUcs4(dtype: StoredDType, bytes: Uint8Array): string | null {
  const width = itemBytesOf(dtype);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let text = '';
  for (let start = 0; start + width <= bytes.length; start += width) {
    let end = start + width;
    while (end > start && view.getUint32(end - UCS4_BYTES, true) === 0) end -= UCS4_BYTES;
    for (let at = start; at < end; at += UCS4_BYTES) {
      const codePoint = view.getUint32(at, true);
      if (codePoint > LAST_CODE_POINT) return null;
      text += String.fromCodePoint(codePoint);
    }
  }
  return text;
}

/**
 * The bytes of a caller's output array, which must take exactly `byteLength` bytes of `dtype`.
 * @throws ArgumentError ERR_OUT_BUFFER.
 */
export function outputBytes(out: SyrahArray, dtype: SyrahDType, byteLength: number): Uint8Array {
  if (!accepts(out, dtype))
    throw new ArgumentError('ERR_OUT_BUFFER', 'out', `an array of ${dtype}`, dtypeOfArray(out) ?? describeValue(out));
  if (out.byteLength !== byteLength)
    throw new ArgumentError(
      'ERR_OUT_BUFFER',
      'out',
      `${String(byteLength)} bytes of ${dtype}`,
      `${String(out.byteLength)} bytes`,
    );
  return bytesOfArray(out);
}

/** @throws ArgumentError for another dtype that the stored bytes do not divide into. */
export function checkOverride(stored: StoredDType, wanted: SyrahDType, byteLength: number, where: string): void {
  if (!isSyrahDType(wanted))
    throw new ArgumentError('ERR_ARGUMENT', 'dtype', 'a dtype of .syr files', JSON.stringify(wanted));
  const converted = isFloat128(stored) && wanted === 'float64';
  if (converted || byteLength % itemBytesOf(wanted) === 0) return;
  throw new ArgumentError(
    'ERR_VALUE',
    'dtype',
    `a dtype whose elements divide the ${String(byteLength)} bytes of ${where}, stored as ${stored}`,
    wanted,
  );
}
