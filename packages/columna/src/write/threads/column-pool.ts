// The columns of one row group, shared out: worker threads and this one take the next of them, the largest first. What
// columns share is found here, once all of them are there.
import type { Operation } from '@colkit/io/effects';
import type { ThreadPool, ThreadScript } from '@colkit/io/threads';
import type { EncodedChunk } from '../encode/encode-chunk.ts';
import { encodeRowGroup, encodedAlone, encodingAlone, joining } from '../encode/encode-row-group.ts';
import type { RowGroupOptions } from '../encode/encode-row-group.ts';
import type { ColumnValues } from '../values/column-values.ts';
import { encodeTask } from './encode-wire.ts';
import type { EncodeTask } from './encode-wire.ts';
import { inTurns } from './on-this-thread.ts';
import type { RowGroupEncoder } from './on-this-thread.ts';
import { startWorkers } from './worker-threads.ts';

/** Columns that a thread has at once: it need not wait for this thread's turn to get the next. */
const DEPTH = 2;

export class ColumnPool implements RowGroupEncoder {
  readonly ahead = 0;
  readonly #takers: number;
  readonly #workers: ThreadPool<EncodeTask, EncodedChunk[]>;

  /** @param script the built `encode-worker.js`. @param threads beside this one. */
  constructor(script: ThreadScript, threads: number) {
    this.#takers = threads * DEPTH;
    this.#workers = startWorkers(script, { threads, depth: DEPTH, doing: 'encode a column' });
  }

  begin(columns: readonly ColumnValues[], options: RowGroupOptions): Operation<EncodedChunk[]> {
    return { run: () => this.#encode(columns, options), runSync: () => encodeRowGroup(columns, options) };
  }

  close(): Promise<void> {
    return this.#workers.close();
  }

  async #encode(columns: readonly ColumnValues[], options: RowGroupOptions): Promise<EncodedChunk[]> {
    const left = largestFirst(columns);
    const chunks: EncodedChunk[] = [];
    const takeAll = async (encode: (column: ColumnValues, number: number) => Promise<EncodedChunk>): Promise<void> => {
      try {
        for (let number = left.shift(); number !== undefined; number = left.shift())
          chunks[number] = await encode(columns[number] as ColumnValues, number);
      } catch (error) {
        // The others end with what they have in hand.
        left.length = 0;
        throw error;
      }
    };
    const there = async (column: ColumnValues, number: number): Promise<EncodedChunk> => {
      const [chunk] = await this.#workers.ask(...encodeTask([column], number, options));
      return chunk as EncodedChunk;
    };
    await Promise.all([
      ...Array.from({ length: this.#takers }, () => takeAll(there)),
      takeAll((column, number) => inTurns(encodingAlone(column, number, options))),
    ]);
    return await inTurns(joining(columns, chunks.map(encodedAlone), options));
  }
}

/** By the work that they make, about: texts with codes make little, and other texts as much as they have bytes. */
function largestFirst(columns: readonly ColumnValues[]): number[] {
  const work = columns.map((column) =>
    column.kind === 'fixed' ? column.values.length : column.entries.bytes.length + (column.codes?.length ?? 0) / 4,
  );
  return [...columns.keys()].sort((a, b) => (work[b] as number) - (work[a] as number));
}
