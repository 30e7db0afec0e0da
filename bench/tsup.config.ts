// The harness, its child process and every Node peer, as modules that plain Node runs. Peers are found as files: one
// more file in peers/ is one more candidate.
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { defineConfig } from 'tsup';

const peers = readdirSync('peers', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));

export default defineConfig({
  entry: {
    main: 'src/main.ts',
    child: 'src/run/child.ts',
    'remote-server': 'remote/server.ts',
    'checkout-hook': 'src/checkouts/checkout-hook.ts',
    ...Object.fromEntries(peers.map((name) => [`peers/${basename(name, '.ts')}`, `peers/${name}`])),
  },
  outDir: 'dist',
  format: ['esm'],
  platform: 'node',
  target: 'es2022',
  clean: true,
  splitting: true,
  sourcemap: true,
});
