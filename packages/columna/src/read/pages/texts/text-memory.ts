// Memory for texts as UTF-8: how much there may be, and what is handed out of it.
import { LimitError } from '@colkit/io';
import type { ByteStrings } from '../../../columns/vector.ts';
import { isAscii, isUtf8 } from '../../../columns/utf8.ts';
import type { FileLocation } from '../../../layout/location.ts';
import { illFormed } from './texts.ts';

/** Memory is kept where it is not far more than what is used. */
const MOST_SPARE = 1.5;
/** Where a text ends is told in 32 bits. */
const MOST_BYTES = 2 ** 32 - 1;

/** @throws LimitError. */
export function checkByteCount(bytes: number): void {
  if (bytes > MOST_BYTES)
    throw new LimitError('ERR_LIMIT', 'bytes of texts of a column in one read', MOST_BYTES, bytes);
}

/** Memory that comes with any content is not handed out part-filled. */
export function usedBytes(bytes: Uint8Array, used: number): Uint8Array {
  const isSpare = used * MOST_SPARE < bytes.length;
  if (!isSpare) bytes.fill(0, used);
  return isSpare ? bytes.slice(0, used) : bytes.subarray(0, used);
}

export const dataOf = ({ bytes, start, ends, count }: ByteStrings): Uint8Array =>
  bytes.subarray(start, ends[count - 1]);

/**
 * Together they are well-formed; each of them is, where none starts inside a character.
 * @throws CorruptFileError ERR_LAYOUT.
 */
export function checkTexts({ start, ends, count }: ByteStrings, data: Uint8Array, location: FileLocation): void {
  if (isAscii(data)) return;
  if (!isUtf8(data)) throw illFormed(location);
  for (let i = 0, from = 0; i < count; i++) {
    const to = (ends[i] as number) - start;
    if (from < to && ((data[from] as number) & 0xc0) === 0x80) throw illFormed(location);
    from = to;
  }
}
