// A TypeScript file of a test -> a script that Node 20 can run, in a child process or a worker thread, made from the
// sources of all packages.
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @returns the path of NAME.mjs in the folder. */
export async function bundleForNode(entry: URL, folder: string): Promise<string> {
  const path = fileURLToPath(entry);
  // Who needs no bundle loads no bundler.
  const { build } = await import('esbuild');
  await build({
    entryPoints: [path],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // What is imported when it is needed stays apart, and is loaded by those that need it.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['@colkit/source'],
    logLevel: 'error',
  });
  return join(folder, `${basename(path, '.ts')}.mjs`);
}
