// Who encodes row groups: this thread, when its turn comes; or worker threads, some row groups ahead of the file.
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { maxWorkers } from '@colkit/io';
import type { Action } from './actions.ts';
import type { ColumnValues } from './column-values.ts';
import type { EncodedChunk } from './encode-chunk.ts';
import { EncodePool } from './encode-pool.ts';
import { encodeRowGroup } from './encode-row-group.ts';
import type { RowGroupOptions } from './encode-row-group.ts';

export interface RowGroupEncoder {
  /** How many row groups may be begun before the first of them is waited for. */
  readonly ahead: number;
  /** Begins to encode; the action waits for the result. */
  begin(columns: readonly ColumnValues[], options: RowGroupOptions): Action<EncodedChunk[]>;
  /** What was begun and not waited for is given up. Idempotent. */
  close(): Promise<void>;
}

/** On this thread, when it is waited for. */
export const ON_THIS_THREAD: RowGroupEncoder = Object.freeze({
  ahead: 0,
  begin: (columns: readonly ColumnValues[], options: RowGroupOptions): Action<EncodedChunk[]> => {
    const run = (): EncodedChunk[] => encodeRowGroup(columns, options);
    return { run: () => new Promise((resolve) => resolve(run())), runSync: run };
  },
  close: () => Promise.resolve(),
});

/** Below this, starting a thread costs more than it saves. */
const LEAST_VALUES = 2_000_000;

/** For the asynchronous forms. Where the package runs from its sources there is no worker script: then this thread does it. */
export function rowGroupEncoder(rowGroups: number, values: number): RowGroupEncoder {
  const threads = Math.min(maxWorkers(), availableParallelism(), rowGroups);
  if (threads < 2 || values < LEAST_VALUES) return ON_THIS_THREAD;
  const script = new URL('./encode-worker.js', import.meta.url);
  return existsSync(fileURLToPath(script)) ? new EncodePool(script, threads) : ON_THIS_THREAD;
}
