// One build for every published package: ES modules and their types, one entry per subpath; scripts of worker threads,
// each a file of its own; and for those that run in browsers dist/browser, one file a module.
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

/** @param scripts of worker threads of Node, by their place in dist. */
export function libraryBuild(
  entry: Record<string, string>,
  browser?: BrowserEntries,
  scripts: Record<string, string> = {},
) {
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
    onSuccess: async () => {
      if (Object.keys(scripts).length > 0) await buildThreadScripts(scripts);
      if (browser === undefined) return;
      const entries = Object.values(browser.types).map((path) => path.replace(/^src\//, ''));
      const webScripts = Object.entries(browser.scripts ?? {});
      buildForBrowsers(process.cwd(), [...entries, ...webScripts.map(([, path]) => path)]);
      for (const [place, path] of webScripts) await buildWorkerScript(place, path);
    },
  });
}

/**
 * Each one file with what it needs of @colkit/table: all of that package takes a thread longer to compile than much of
 * its work. What finds the addon stays where it is.
 */
async function buildThreadScripts(entry: Record<string, string>): Promise<void> {
  await build({
    config: false,
    silent: true,
    entry,
    format: ['esm'],
    platform: 'node',
    target: 'es2022',
    sourcemap: true,
    splitting: false,
    treeshake: true,
    external: [/^node:/, /^@colkit\/io/],
    noExternal: [/^@colkit\/table/],
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
