// One build for every published package: ES modules and their types, one entry per subpath; and for those that run in
// browsers dist/browser, one file a module.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build, defineConfig } from 'tsup';
// @ts-expect-error a build script without declarations
import { buildForBrowsers as untyped } from './packages/tooling/src/browser-build/build.mjs';

const buildForBrowsers = untyped as (folder: string, entries: readonly string[]) => void;

const IN_BROWSERS = 'dist/browser';

/** Public entry points for browsers by the name of their types; scripts of workers, by their place in dist/browser. */
export interface BrowserEntries {
  readonly types: Record<string, string>;
  readonly scripts?: Record<string, string>;
}

/**
 * Other packages come with the types that they were built with: their sources would all be read once more. What is
 * emitted is the same without a check, which `npm run check` makes of each package with its tests.
 */
export function declarations(entry: Record<string, string>) {
  return { entry, compilerOptions: { customConditions: [], noCheck: true } };
}

export function libraryBuild(entry: Record<string, string>, browser?: BrowserEntries) {
  return defineConfig({
    entry,
    format: ['esm'],
    platform: 'neutral',
    target: 'es2022',
    dts: declarations({ ...entry, ...browser?.types }),
    clean: true,
    sourcemap: true,
    splitting: true,
    treeshake: true,
    external: [/^node:/, /^@colkit\//],
    ...(browser === undefined
      ? {}
      : {
          onSuccess: async () => {
            const entries = Object.values(browser.types).map((path) => path.replace(/^src\//, ''));
            const scripts = Object.entries(browser.scripts ?? {});
            buildForBrowsers(process.cwd(), [...entries, ...scripts.map(([, path]) => path)]);
            for (const [place, path] of scripts) await buildWorkerScript(place, path);
          },
        }),
  });
}

/**
 * Of the module of a worker's script one file, with all that it imports now or later: Vite 5 to 7 make workers of one
 * file unless told otherwise, and their servers for development hand it out as it is.
 */
async function buildWorkerScript(place: string, path: string): Promise<void> {
  const module = join(IN_BROWSERS, path.replace(/\.ts$/, '.js'));
  await build({
    config: false,
    silent: true,
    entry: { [place]: module },
    outDir: IN_BROWSERS,
    format: ['esm'],
    platform: 'browser',
    target: 'es2022',
    splitting: false,
    noExternal: [/./],
  });
  rmSync(module);
}
