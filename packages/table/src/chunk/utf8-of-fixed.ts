// Packed texts of fixed width -> the same as UTF-8, without a string of the language for any of them.
import { PIECE_ROWS } from '../piece-rows.ts';
import { FixedUtf8 } from '../values/fixed-utf8.ts';
import type { FixedStringType } from '../values/fixed-strings.ts';
import type { FixedChunk, Utf8Chunk } from './chunk.ts';
import { ChunkJoiner } from './chunk-joiner.ts';

/** Copies. @throws ArgumentError ERR_VALUE beyond 4 GiB of UTF-8. */
export function utf8OfFixed({ rowCount, bytes: items, validity }: FixedChunk, type: FixedStringType): Utf8Chunk {
  const coder = new FixedUtf8(type);
  const texts = new ChunkJoiner(0);
  let start = 0;
  do {
    const end = Math.min(rowCount, start + PIECE_ROWS);
    const piece = coder.encode(items.subarray(start * type.itemBytes, end * type.itemBytes), end - start);
    texts.add({ kind: 'utf8', rowCount: end - start, ...piece, codes: null, validity: null });
    start = end;
  } while (start < rowCount);
  return { ...(texts.take() as Utf8Chunk), validity };
}
