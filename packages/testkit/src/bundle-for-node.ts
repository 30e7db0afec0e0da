// A TypeScript file of a test -> a script that Node 20 can run, in a child process or a worker thread, made from the
// sources of all packages.
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @returns the path of NAME.mjs in the folder. Takes some seconds. */
export async function bundleForNode(entry: URL, folder: string): Promise<string> {
  const path = fileURLToPath(entry);
  const name = `${basename(path, '.ts')}.mjs`;
  // Who needs no bundle loads no bundler.
  const { build } = await import('vite');
  await build({
    configFile: false,
    logLevel: 'error',
    root: dirname(path),
    ssr: { noExternal: true, resolve: { conditions: ['@colkit/source'] } },
    build: {
      ssr: path,
      outDir: folder,
      emptyOutDir: false,
      target: 'node20',
      minify: false,
      rollupOptions: { output: { entryFileNames: name, chunkFileNames: '[name].mjs' } },
    },
  });
  return join(folder, name);
}
