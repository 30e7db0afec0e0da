// Who encodes row groups: this thread, when its turn comes; or worker threads, some row groups ahead of the file.
import { availableParallelism } from 'node:os';
import { maxWorkers } from '@colkit/io';
import type { Operation } from '@colkit/io/effects';
import type { ThreadScript } from '@colkit/io/threads';
import { ColumnPool } from './column-pool.ts';
import { EncodePool } from './encode-pool.ts';
import { ON_THIS_THREAD } from './on-this-thread.ts';
import type { EncodingThreads, RowGroupEncoder } from './on-this-thread.ts';
import { onWorkers } from './worker-threads.ts';

/** Below this, starting threads costs more than they save. */
const LEAST_VALUES = 2_000_000;
/**
 * Encoding so many values keeps a thread busy for some twenty milliseconds: others of the same thread should not have
 * to wait for more.
 */
const LEAST_GROUP_VALUES = 200_000;

/**
 * Of a whole table: several threads where they pay. Each has row groups of its own where there are as many as threads,
 * else they share the columns of one.
 */
export function tableThreads(rowGroups: number, values: number): EncodingThreads {
  return new Threads((threads) => {
    if (values < LEAST_VALUES || threads < 2) return null;
    return rowGroups < threads
      ? (script) => new ColumnPool(script, threads - 1)
      : (script) => new EncodePool(script, threads);
  }, true);
}

/** Of one row group after the other: one thread, so that this one stays free, where a row group is large enough. */
export function groupThreads(): EncodingThreads {
  return new Threads(
    (threads, values) =>
      values < LEAST_GROUP_VALUES || maxWorkers() < 2 || threads < 1 ? null : (script) => new EncodePool(script, 1),
    false,
  );
}

/** What starts threads, for a row group of so many values; null: this thread does it. */
type Choice = (threads: number, values: number) => ((script: ThreadScript) => RowGroupEncoder) | null;

class Threads implements EncodingThreads {
  readonly #choice: Choice;
  readonly #runsAhead: boolean;
  #encoder: RowGroupEncoder | null = null;

  constructor(choice: Choice, runsAhead: boolean) {
    this.#choice = choice;
    this.#runsAhead = runsAhead;
  }

  encoder(values: number): Operation<RowGroupEncoder> {
    return { run: () => Promise.resolve(this.#started(values)), runSync: () => ON_THIS_THREAD };
  }

  ahead({ ahead }: RowGroupEncoder): number {
    return this.#runsAhead ? ahead : 0;
  }

  close(): Operation<void> {
    return { run: () => this.#encoder?.close() ?? Promise.resolve(), runSync: () => this.giveUp() };
  }

  giveUp(): void {
    void this.#encoder?.close();
  }

  #started(values: number): RowGroupEncoder {
    if (this.#encoder !== null) return this.#encoder;
    const start = this.#choice(Math.min(maxWorkers(), availableParallelism()), values);
    return start === null ? ON_THIS_THREAD : (this.#encoder = onWorkers('encode-worker.js', start) ?? ON_THIS_THREAD);
  }
}
