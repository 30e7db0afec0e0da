// Who encodes row groups: this thread, when its turn comes; or worker threads, some row groups ahead of the file.
import { availableParallelism } from 'node:os';
import { maxWorkers } from '@colkit/io';
import type { Operation } from '@colkit/io/effects';
import type { ColumnValues } from '../values/column-values.ts';
import type { EncodedChunk } from '../encode/encode-chunk.ts';
import { EncodePool } from './encode-pool.ts';
import { encodeRowGroup } from '../encode/encode-row-group.ts';
import type { RowGroupOptions } from '../encode/encode-row-group.ts';
import { workerScript } from './worker-threads.ts';

export interface RowGroupEncoder {
  /** How many row groups may be begun before the first of them is waited for. */
  readonly ahead: number;
  /** Begins to encode; the action waits for the result. */
  begin(columns: readonly ColumnValues[], options: RowGroupOptions): Operation<EncodedChunk[]>;
  /** What was begun and not waited for is given up. Idempotent. */
  close(): Promise<void>;
}

/** On this thread, when it is waited for. */
export const ON_THIS_THREAD: RowGroupEncoder = Object.freeze({
  ahead: 0,
  begin: (columns: readonly ColumnValues[], options: RowGroupOptions): Operation<EncodedChunk[]> => {
    const run = (): EncodedChunk[] => encodeRowGroup(columns, options);
    return { run: () => new Promise((resolve) => resolve(run())), runSync: run };
  },
  close: () => Promise.resolve(),
});

/** Below this, starting threads costs more than they save. */
const LEAST_VALUES = 2_000_000;
/**
 * Encoding so many values keeps a thread busy for some twenty milliseconds: others of the same thread should not have
 * to wait for more.
 */
const LEAST_GROUP_VALUES = 200_000;

/** For the asynchronous form of a whole table. */
export function rowGroupEncoder(rowGroups: number, values: number): RowGroupEncoder {
  const threads = Math.min(maxWorkers(), availableParallelism(), rowGroups);
  return threads < 2 || values < LEAST_VALUES ? ON_THIS_THREAD : threadEncoder(threads);
}

/**
 * For the asynchronous form of one row group after the other, none of them ahead: one thread, so that this one stays
 * free. Null where a row group is too small for it.
 */
export function groupEncoder(values: number): RowGroupEncoder | null {
  return values < LEAST_GROUP_VALUES || maxWorkers() < 2 ? null : threadEncoder(1);
}

/** Where there is no worker script, this thread does it. */
function threadEncoder(threads: number): RowGroupEncoder {
  const script = workerScript('encode-worker.js');
  return script === null ? ON_THIS_THREAD : new EncodePool(script, threads);
}
