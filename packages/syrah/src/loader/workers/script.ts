// Where the script of the loader's workers is.
import { findScript, mayStartThreads } from '@colkit/io/threads';
import type { ThreadScript } from '@colkit/io/threads';
import { LoaderError } from '../loader-errors.ts';

/** @throws LoaderError where it is missing, or threads are forbidden. */
export function workerScript(): ThreadScript {
  if (!mayStartThreads())
    throw new LoaderError(
      'worker',
      "Node's permission model lets this process start no workers: run it with --allow-worker, or load with workers: 0",
    );
  const built = './loader-worker.js';
  const script = findScript({ from: import.meta.url, built, fromSource: '../../../dist/loader-worker.js' });
  if (script !== null) return script;
  throw new LoaderError(
    'worker',
    `the worker script ${built.slice(2)} is missing beside the program: in a bundle, make syrah/loader-worker one ` +
      'more entry that is named loader-worker.js (or .mjs, .cjs) beside it, or make syrah external; in its ' +
      'repository, build the package',
  );
}
