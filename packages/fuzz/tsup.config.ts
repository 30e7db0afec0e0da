// One bundle of the sources of all packages: what is fuzzed is the working tree, without a build of each package. Only
// the addon stays outside, which is looked up where it runs.
import { writeFileSync } from 'node:fs';
import { defineConfig } from 'tsup';

const page = new URL('../colkit/scripts/bundle-page.mjs', import.meta.url).href;

export default defineConfig({
  entry: { main: 'src/main.ts', child: 'src/run/child.ts' },
  format: ['esm'],
  platform: 'node',
  target: 'es2022',
  clean: true,
  sourcemap: true,
  noExternal: [/^(?!node:|@colkit\/native$|apache-arrow|hyparquet)/],
  external: ['@colkit/native', 'apache-arrow', 'hyparquet', 'hyparquet-compressors'],
  esbuildOptions: (options) => {
    options.conditions = ['@colkit/source', 'module', 'import'];
  },
  // The script that inspectHtml puts into its pages, where the bundle looks for it.
  onSuccess: async () => {
    const { bundlePage } = (await import(page)) as { bundlePage: () => Promise<string> };
    writeFileSync(new URL('./dist/inspector-page.js', import.meta.url), await bundlePage());
  },
});
