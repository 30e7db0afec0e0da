// The same name as script.ts for browsers: bundlers find the script by this very expression, and give it a file of its
// own. Those that do not (esbuild) take `syrah/loader-worker` as one more entry, named worker-entry.js beside the
// bundle.
import type { ThreadScript } from '@colkit/io/threads';

declare const Worker: new (url: URL, options: { type: 'module' }) => never;

export function workerScript(): ThreadScript {
  // No name: Vite 5 and 6 take only options that they can read as they stand here.
  const make = (): never => new Worker(new URL('./worker-entry.ts', import.meta.url), { type: 'module' });
  return { make } as unknown as ThreadScript;
}
