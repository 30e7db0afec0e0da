// Whether byte strings are well-formed UTF-8.
import { isAscii, isUtf8 } from '@colkit/table';
import type { ByteStrings } from '../../../columns/vector.ts';
import type { FileLocation } from '../../../layout/location.ts';
import { illFormed } from './texts.ts';

/** The bytes of all of them. */
export const dataOf = ({ bytes, start, ends, count }: ByteStrings): Uint8Array =>
  bytes.subarray(start, ends[count - 1]);

/**
 * Together they are well-formed; each of them is, where none starts inside a character.
 * @throws CorruptFileError ERR_LAYOUT.
 */
export function checkTexts(strings: ByteStrings, data: Uint8Array, location: FileLocation): void {
  const { start, ends, count } = strings;
  if (strings.isAscii === true || isAscii(data)) return;
  if (!isUtf8(data)) throw illFormed(location);
  for (let i = 0, from = 0; i < count; i++) {
    const to = (ends[i] as number) - start;
    if (from < to && ((data[from] as number) & 0xc0) === 0x80) throw illFormed(location);
    from = to;
  }
}
