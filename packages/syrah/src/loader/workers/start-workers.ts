// The threads of a loader: where their script is, and what they are sent.
import { ThreadPool } from '@colkit/io/threads';
import type { PoolOptions } from '@colkit/io/threads';
import type { BatchTask } from '../batch-maker.ts';
import { LoaderError, unpackError } from '../loader-errors.ts';
import type { SentFailure } from '../loader-errors.ts';
import { workerScript } from './script.ts';
import { unpackValue } from './wire.ts';
import type { WorkerStart } from './wire.ts';

export type LoaderPool = ThreadPool<BatchTask, unknown>;

/** @throws LoaderError where the worker script is missing. */
export function startWorkers(start: WorkerStart, options: PoolOptions): LoaderPool {
  return new ThreadPool(
    {
      script: workerScript(),
      name: 'syrah loader',
      start,
      unpack: unpackValue,
      unpackError: (error) => unpackError(error as SentFailure),
      ended: (what, cause) => new LoaderError('worker', `a loader worker ${what}`, cause),
    },
    options,
  );
}
