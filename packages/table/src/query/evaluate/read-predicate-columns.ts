// Some rows of a source -> the values of predicate columns, in memory that is used again for every batch. The request
// and its result are apart, so that the next batch can be on its way while one is evaluated.
import { ArgumentError } from '@colkit/io';
import type { GatherOutput, RowSelection } from '@colkit/io';
import type { Chunk } from '../../chunk/chunk.ts';
import type { ReadRequest } from '../../source.ts';
import type { ColumnRef } from '../bound-predicate.ts';

/** Memory of one batch: the bytes of fixed-width columns by number. */
export type BatchMemory = Map<number, Uint8Array<ArrayBuffer>>;

export function predicateRequest(
  refs: readonly ColumnRef[],
  rows: RowSelection,
  count: number,
  memory: BatchMemory,
): ReadRequest {
  const outputs = refs.map(({ number, info: { itemBytes } }): GatherOutput | null => {
    if (itemBytes === 0) return null;
    let bytes = memory.get(number);
    if (bytes === undefined || bytes.length < itemBytes * count)
      memory.set(number, (bytes = new Uint8Array(itemBytes * count)));
    return {
      bytes: bytes.length === itemBytes * count ? bytes : bytes.subarray(0, itemBytes * count),
      byteOffset: 0,
      byteStride: itemBytes,
    };
  });
  return { columns: refs.map(({ number }) => number), rows, outputs, strings: 'dictionary' };
}

export function setChunks(refs: readonly ColumnRef[], chunks: readonly Chunk[], into: Map<number, Chunk>): void {
  for (const [position, ref] of refs.entries()) {
    const chunk = chunks[position];
    if (chunk === undefined)
      throw new ArgumentError('ERR_ARGUMENT', 'source', `${String(refs.length)} chunks`, String(chunks.length));
    into.set(ref.number, chunk);
  }
}
