// Who encodes row groups: this thread, when its turn comes; or worker threads, some row groups ahead of the file.
import { availableParallelism } from 'node:os';
import { maxWorkers } from '@colkit/io';
import type { Operation } from '@colkit/io/effects';
import { EncodePool } from './encode-pool.ts';
import { ON_THIS_THREAD } from './on-this-thread.ts';
import type { EncodingThreads, RowGroupEncoder } from './on-this-thread.ts';
import { workerScript } from './worker-threads.ts';

/** Below this, starting threads costs more than they save. */
const LEAST_VALUES = 2_000_000;
/**
 * Encoding so many values keeps a thread busy for some twenty milliseconds: others of the same thread should not have
 * to wait for more.
 */
const LEAST_GROUP_VALUES = 200_000;

/** Of a whole table: several threads where they pay. */
export function tableThreads(rowGroups: number, values: number): EncodingThreads {
  const pays = values >= LEAST_VALUES;
  return new Threads((threads) => (pays ? Math.min(threads, rowGroups) : 1), 2, true);
}

/** Of one row group after the other: one thread, so that this one stays free, where a row group is large enough. */
export function groupThreads(): EncodingThreads {
  return new Threads(
    (threads, values) => (values < LEAST_GROUP_VALUES || maxWorkers() < 2 ? 0 : Math.min(threads, 1)),
    1,
    false,
  );
}

class Threads implements EncodingThreads {
  readonly #wanted: (available: number, values: number) => number;
  readonly #least: number;
  readonly #runsAhead: boolean;
  #encoder: RowGroupEncoder | null = null;

  constructor(wanted: (available: number, values: number) => number, least: number, runsAhead: boolean) {
    this.#wanted = wanted;
    this.#least = least;
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
    const threads = this.#wanted(Math.min(maxWorkers(), availableParallelism()), values);
    return threads < this.#least ? ON_THIS_THREAD : (this.#encoder = threadEncoder(threads));
  }
}

/** Where there is no worker script, this thread does it. */
function threadEncoder(threads: number): RowGroupEncoder {
  const script = workerScript('encode-worker.js');
  return script === null ? ON_THIS_THREAD : new EncodePool(script, threads);
}
