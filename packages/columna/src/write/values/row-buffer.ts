// Batches of any size -> the rows of one row group: what came is copied here until there are enough. The memory is
// taken once and used for every row group.
import { ChunkJoiner, valuesOf } from '@colkit/table';
import type { Chunk } from '@colkit/table';
import type { ColumnType } from '../../layout/column-type.ts';

/** The rows of all columns. */
export class RowBuffer {
  readonly #columns: readonly ChunkJoiner[];
  /** The form of the rows that each column has. */
  readonly #kinds: (Chunk['kind'] | undefined)[] = [];
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
      this.#add(column, withOwnBytes(chunk));
      this.#byteLength += byteLengthOf(chunk);
    }
    this.#rowCount += rowCount;
  }

  /** All rows, which are no longer in it; valid until the next `add`. */
  take(): Chunk[] {
    const rows = this.#columns.map((column) => column.take());
    this.#kinds.length = 0;
    this.#rowCount = 0;
    this.#byteLength = 0;
    return rows;
  }

  /** Texts may come in another form than those before them: then all of them become values. */
  #add(column: number, chunk: Chunk): void {
    const joiner = this.#columns[column] as ChunkJoiner;
    const kind = this.#kinds[column];
    const same = kind === undefined || kind === chunk.kind;
    if (!same && kind !== 'values') joiner.add(oneByOne(joiner.take()));
    joiner.add(same ? chunk : oneByOne(chunk));
    this.#kinds[column] = same ? chunk.kind : 'values';
  }
}

function oneByOne(chunk: Chunk): Chunk {
  const { rowCount, validity } = chunk;
  return { kind: 'values', rowCount, values: valuesOf(chunk), validity };
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
