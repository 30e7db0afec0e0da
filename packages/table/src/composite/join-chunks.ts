// What the reads of the parts gave of one column -> what the read gives of it. Fixed-width items are where they belong
// already.
import type { GatherOutput } from '@colkit/io';
import { valuesOf, writtenChunk } from '../chunk/chunk.ts';
import type { Chunk } from '../chunk/chunk.ts';
import { joinedChunk } from '../chunk/chunk-joiner.ts';
import { ValidityBuilder } from '../chunk/validity-builder.ts';
import { arrayFor } from '../array-for.ts';
import { isValid } from '../validity.ts';

/**
 * @param chunks in the order of their rows, of which there are `count`.
 * @param output that of the read; null for a column of variable width.
 */
export function joinChunks(chunks: readonly Chunk[], count: number, output: GatherOutput | null): Chunk {
  const [only] = chunks;
  if (chunks.length === 1 && only !== undefined) return only;
  if (output !== null) return writtenChunk(output, count, joinValidity(chunks, count));
  return joinedChunk(0, alike(chunks), count);
}

/** In one form: where some part does not have its texts as UTF-8, the values of all. */
function alike(chunks: readonly Chunk[]): readonly Chunk[] {
  if (chunks.every(({ kind }) => kind === chunks[0]?.kind)) return chunks;
  return chunks.map((chunk) => {
    const { rowCount, validity } = chunk;
    return { kind: 'values', rowCount, values: valuesOf(chunk), validity };
  });
}

/** The same rows in the order of `positions`; items have been brought to the output. */
export function arrangeChunk(chunk: Chunk, positions: Int32Array, output: GatherOutput | null): Chunk {
  const rowCount = positions.length;
  const nulls = new ValidityBuilder(rowCount);
  if (chunk.validity !== null)
    for (let row = 0; row < rowCount; row += 1)
      if (!isValid(chunk.validity, positions[row] as number)) nulls.setNull(row);
  const validity = nulls.finish();
  if (output !== null) return writtenChunk(output, rowCount, validity);
  if (chunk.kind === 'dictionary') {
    const { codes, dictionary } = chunk;
    return {
      kind: 'dictionary',
      rowCount,
      codes: positions.map((index) => codes[index] as number),
      dictionary,
      validity,
    };
  }
  if (chunk.kind === 'utf8') {
    const { codes } = chunk;
    const arranged = Uint32Array.from(positions, (index) => (codes === null ? index : (codes[index] as number)));
    return { ...chunk, rowCount, codes: arranged, validity };
  }
  const values = valuesOf(chunk);
  const joined = arrayFor<string | Uint8Array>(rowCount);
  for (let row = 0; row < rowCount; row += 1) joined[row] = values[positions[row] as number] ?? '';
  return { kind: 'values', rowCount, values: joined, validity };
}

function joinValidity(chunks: readonly Chunk[], count: number): Uint8Array | null {
  const joined = new ValidityBuilder(count);
  let row = 0;
  for (const { rowCount, validity } of chunks) {
    joined.copy(validity, 0, rowCount, row);
    row += rowCount;
  }
  return joined.finish();
}
