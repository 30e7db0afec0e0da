// The same name as script.ts for browsers: bundlers find the script by this very expression, and give it a file of its
// own. Those that do not (esbuild, rollup) take `syrah/loader-worker` as one more entry of that name, so that it lies
// there beside the bundle.
import type { ThreadScript } from '@colkit/io/threads';
import { LoaderError } from '../loader-errors.ts';

declare const Worker: (new (url: URL, options: { type: 'module' }) => never) | undefined;

/** @throws LoaderError in service workers, which have no workers. */
export function workerScript(): ThreadScript {
  if (typeof Worker !== 'function') throw new LoaderError('worker', 'there is no Worker here; load with workers: 0');
  // The address is a file below this module and the name of the package's entry, too: where Vite's server for
  // development has moved this module to a folder of its own, the file is found by that name.
  // No name: Vite 5 and 6 take only options that they can read as they stand here.
  const make = (): never => new Worker(new URL('syrah/loader-worker.js', import.meta.url), { type: 'module' });
  return { make } as unknown as ThreadScript;
}
