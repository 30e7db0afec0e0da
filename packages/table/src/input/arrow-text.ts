// The texts of an Arrow vector, from its bytes. `get` of Apache's library would drop a U+FEFF in front of a text, and
// put U+FFFD where the bytes are no UTF-8.
import { ArgumentError } from '@colkit/io';
import { isValid } from '../validity.ts';
import type { ArrowChunk, ArrowVector } from './arrow-vector.ts';
import { columnLabel } from './typed.ts';

const VIEW_BYTES = 16;
const INLINE_BYTES = 12;

/**
 * A text or null for each row, of utf8, large utf8, utf8 views, and dictionaries of them. Copies.
 * @throws ArgumentError ERR_VALUE naming column and row for bytes that are no UTF-8, or lie outside of their buffer.
 */
export function arrowTexts({ data, length }: ArrowVector, name: string): (string | null)[] {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const texts = new Array<string | null>(length).fill(null);
  const dictionaries = new Map<ArrowVector, readonly (string | null)[]>();
  let row = 0;
  for (const chunk of data) {
    const bitmap = chunk.nullCount === 0 || !chunk.nullBitmap ? null : chunk.nullBitmap;
    const textAt = readerOf(chunk, name, decoder, dictionaries);
    for (let index = 0; index < chunk.length; index += 1, row += 1) {
      if (!isValid(bitmap, chunk.offset + index)) continue;
      try {
        texts[row] = textAt(index);
      } catch {
        throw new ArgumentError(
          'ERR_VALUE',
          `${columnLabel(name)}: row ${String(row)}`,
          'text in UTF-8',
          'other bytes',
        );
      }
    }
  }
  return texts;
}

/** Gives the text at an index of a chunk that is not null there; throws where there is none. */
function readerOf(
  chunk: ArrowChunk,
  name: string,
  decoder: { decode(bytes: Uint8Array): string },
  dictionaries: Map<ArrowVector, readonly (string | null)[]>,
): (index: number) => string | null {
  const { values, valueOffsets, variadicBuffers = [], dictionary } = chunk;
  if (dictionary) {
    const texts = dictionaries.get(dictionary) ?? arrowTexts(dictionary, name);
    dictionaries.set(dictionary, texts);
    const codes = values as ArrayLike<number | bigint>;
    return (index) => {
      const text = texts[Number(codes[index])];
      if (text === undefined) throw new RangeError('a code outside of the dictionary');
      return text;
    };
  }
  const bytes = values as Uint8Array;
  if (valueOffsets)
    return (index) => decoder.decode(within(bytes, Number(valueOffsets[index]), Number(valueOffsets[index + 1])));
  const views = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return (index) => {
    const at = index * VIEW_BYTES;
    const size = views.getInt32(at, true);
    if (size <= INLINE_BYTES) return decoder.decode(within(bytes, at + 4, at + 4 + size));
    const start = views.getInt32(at + 12, true);
    return decoder.decode(within(variadicBuffers[views.getInt32(at + 8, true)], start, start + size));
  };
}

function within(bytes: Uint8Array | undefined, start: number, end: number): Uint8Array {
  if (bytes === undefined || !(start >= 0 && start <= end && end <= bytes.length))
    throw new RangeError('bytes outside of the buffer');
  return bytes.subarray(start, end);
}
