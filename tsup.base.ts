// One build for every published package: ES modules and their types, one entry per subpath.
import { defineConfig } from 'tsup';

export function libraryBuild(entry: Record<string, string>) {
  return defineConfig({
    entry,
    format: ['esm'],
    platform: 'neutral',
    target: 'es2022',
    dts: true,
    clean: true,
    sourcemap: true,
    splitting: true,
    treeshake: true,
    external: [/^node:/, /^@colkit\//],
  });
}
