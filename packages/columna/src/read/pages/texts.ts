// Byte strings -> JavaScript strings: all of a run decoded in one go and cut, since a call per string costs more than
// the string. UTF-8 is checked on the way.
import { corrupt } from '../../layout/place.ts';
import type { Place } from '../../layout/place.ts';
import type { DecodedBytes } from '../file/decoded-bytes.ts';
import type { ByteStrings } from '../../columns/vector.ts';

/** Well-formed UTF-8 or an error; a byte order mark is a character like any other. */
const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The strings as texts, counted before.
 * @throws CorruptFileError ERR_LAYOUT where one of them is not well-formed UTF-8; LimitError.
 */
export function decodeTexts(
  { bytes, start, ends, count }: ByteStrings,
  place: Place,
  decoded: DecodedBytes | null = null,
): string[] {
  const texts = new Array<string>(count);
  if (count === 0) return texts;
  const data = bytes.subarray(start, ends[count - 1]);
  decoded?.add(data.length);
  const text = decode(data, place);
  if (text.length === data.length) {
    for (let i = 0, from = 0; i < count; i++) {
      const to = (ends[i] as number) - start;
      texts[i] = text.slice(from, to);
      from = to;
    }
    return texts;
  }
  let unit = 0;
  for (let i = 0, byte = 0; i < count; i++) {
    const from = unit;
    const end = (ends[i] as number) - start;
    // Together they are well-formed; each of them is, where none starts inside a character.
    if (byte < end && ((data[byte] as number) & 0xc0) === 0x80) throw illFormed(place);
    for (; byte < end; byte++) {
      const lead = data[byte] as number;
      if ((lead & 0xc0) !== 0x80) unit += lead >= 0xf0 ? 2 : 1;
    }
    texts[i] = text.slice(from, unit);
  }
  return texts;
}

function decode(data: Uint8Array, place: Place): string {
  try {
    return DECODER.decode(data);
  } catch {
    throw illFormed(place);
  }
}

export function illFormed(place: Place): Error {
  return corrupt('ERR_LAYOUT', place, 0, 'strings of well-formed UTF-8', 'other bytes');
}
