// Worker threads that encode row groups that this thread has made.
import type { Operation } from '@colkit/io/effects';
import type { ThreadPool, ThreadScript } from '@colkit/io/threads';
import type { ColumnValues } from '../values/column-values.ts';
import type { EncodedChunk } from '../encode/encode-chunk.ts';
import type { RowGroupOptions } from '../encode/encode-row-group.ts';
import { encodeTask } from './encode-wire.ts';
import type { EncodeTask } from './encode-wire.ts';
import { startWorkers } from './worker-threads.ts';

export class EncodePool {
  /** Each thread has one row group at work, and one is ready for whichever is done first. */
  readonly ahead: number;
  readonly #workers: ThreadPool<EncodeTask, EncodedChunk[]>;

  /** @param script the built `encode-worker.js`. */
  constructor(script: ThreadScript, threads: number) {
    this.ahead = threads;
    this.#workers = startWorkers(script, { threads, doing: 'encode a row group' });
  }

  begin(columns: readonly ColumnValues[], options: RowGroupOptions): Operation<EncodedChunk[]> {
    const result = this.#workers.ask(...encodeTask(columns, null, options));
    // It is waited for in its turn; until then its failure is nobody's.
    result.catch(() => undefined);
    const runSync = (): never => {
      throw new Error('worker threads answer asynchronously');
    };
    return { run: () => result, runSync };
  }

  close(): Promise<void> {
    return this.#workers.close();
  }
}
