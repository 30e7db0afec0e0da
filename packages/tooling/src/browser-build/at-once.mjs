// Options of esbuild for a script of a page that has everything at once: of the packages' sources the form of Node,
// since that for browsers is loaded in parts, but for what needs Node. An import of anything of Node is an error.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { browserFile } from './modules.mjs';

const withoutNode = {
  name: 'without-node',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.?\/.*\.ts$/ }, ({ path, importer, resolveDir }) => {
      const file = resolve(resolveDir, path);
      const needsNode = /from '(?:node:|@colkit\/io\/durable)/.test(readFileSync(file, 'utf8'));
      return { path: needsNode ? browserFile(file, importer) : file, sideEffects: false };
    });
  },
};

export const atOnce = {
  bundle: true,
  write: false,
  format: 'iife',
  platform: 'browser',
  target: 'es2022',
  alias: {
    '@colkit/io/effects': source('io/src/effects/browser.ts'),
    '@colkit/io': source('io/src/browser.ts'),
    '@colkit/table': source('table/src/index.ts'),
    'columna/inspect': source('columna/src/inspect/pushdown.ts'),
  },
  plugins: [withoutNode],
  logLevel: 'silent',
};

function source(path) {
  return fileURLToPath(new URL(`../../../${path}`, import.meta.url));
}
