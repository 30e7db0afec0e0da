// The threads of a loader: where their script is, and how long they wait between two epochs.
import { KeptThreads, ThreadPool } from '@colkit/io/threads';
import type { PoolOptions } from '@colkit/io/threads';
import type { BatchTask } from '../batch-maker.ts';
import { LoaderError, unpackError } from '../loader-errors.ts';
import type { SentFailure } from '../loader-errors.ts';
import { workerScript } from './script.ts';
import { unpackValue } from './wire.ts';
import type { WorkerStart } from './wire.ts';

export type LoaderPool = ThreadPool<BatchTask, unknown>;

/**
 * After its first iteration nobody knows whether a loader gets another one: programs that make a loader for each epoch
 * must not gather threads.
 */
const IDLE_FIRST_MS = 1000;
/** Later: longer than most pauses between epochs. */
const IDLE_MS = 10_000;

/** A loader's workers between two of its iterations. */
export function keptWorkers(workers: number, iterations: () => number): KeptThreads {
  return new KeptThreads({ most: workers, idleMs: () => (iterations() > 1 ? IDLE_MS : IDLE_FIRST_MS) });
}

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
