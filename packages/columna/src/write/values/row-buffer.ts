// Batches of any size -> the rows of one row group: what came is copied here until there are enough. The memory is
// taken once and used for every row group.
import { ChunkJoiner } from '@colkit/table';
import type { Chunk } from '@colkit/table';
import type { ColumnType } from '../../layout/column-type.ts';

/** The rows of all columns. */
export class RowBuffer {
  readonly #columns: readonly ChunkJoiner[];
  #rowCount = 0;
  #byteLength = 0;

  constructor(types: readonly ColumnType[]) {
    this.#columns = types.map(({ itemBytes }) => new ChunkJoiner(itemBytes));
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  /** About what the rows take in memory. */
  get byteLength(): number {
    return this.#byteLength;
  }

  /** Copies `rowCount` rows: one chunk a column. */
  add(chunks: readonly Chunk[], rowCount: number): void {
    for (const [column, chunk] of chunks.entries()) {
      this.#columns[column]?.add(withOwnBytes(chunk));
      this.#byteLength += byteLengthOf(chunk);
    }
    this.#rowCount += rowCount;
  }

  /** All rows, which are no longer in it; valid until the next `add`. */
  take(): Chunk[] {
    const rows = this.#columns.map((column) => column.take());
    this.#rowCount = 0;
    this.#byteLength = 0;
    return rows;
  }
}

/** The caller may change a byte array once the batch is taken. */
function withOwnBytes(chunk: Chunk): Chunk {
  if (chunk.kind !== 'values' || typeof chunk.values[0] === 'string') return chunk;
  return { ...chunk, values: chunk.values.map((value) => value.slice()) };
}

function byteLengthOf(chunk: Chunk): number {
  switch (chunk.kind) {
    case 'fixed':
    case 'utf8':
      return chunk.bytes.length;
    case 'values':
      return chunk.values.reduce((sum, { length }) => sum + length, 0);
    case 'dictionary':
      return chunk.codes.byteLength;
  }
}
