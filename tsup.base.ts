// One build for every published package: ES modules and their types, one entry per subpath; and for those that run in
// browsers dist/browser, one file a module.
import { defineConfig } from 'tsup';
// @ts-expect-error a build script without declarations
import { buildForBrowsers as untyped } from './packages/tooling/src/browser-build/build.mjs';

const buildForBrowsers = untyped as (folder: string, entries: readonly string[]) => void;

/** Public entry points for browsers by the name of their types, and scripts of workers. */
export interface BrowserEntries {
  readonly types: Record<string, string>;
  readonly scripts?: readonly string[];
}

/** Other packages come with the types that they were built with: their sources would all be checked once more. */
export function declarations(entry: Record<string, string>) {
  return { entry, compilerOptions: { customConditions: [] } };
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
          onSuccess: () => {
            const entries = Object.values(browser.types).map((path) => path.replace(/^src\//, ''));
            buildForBrowsers(process.cwd(), [...entries, ...(browser.scripts ?? [])]);
            return Promise.resolve();
          },
        }),
  });
}
