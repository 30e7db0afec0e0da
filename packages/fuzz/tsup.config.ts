// The built packages are what is fuzzed: what users get. Only what exists as source alone is bundled.
import { defineConfig } from 'tsup';

export default defineConfig({
  entry: { main: 'src/main.ts', child: 'src/run/child.ts' },
  format: ['esm'],
  target: 'es2022',
  clean: true,
  sourcemap: true,
  noExternal: ['@colkit/testkit'],
  external: [/^node:/, '@colkit/io', '@colkit/native', '@colkit/table', 'colstore', 'columna', 'syrah'],
});
