// The code of an inspector's page -> one script: the predicate parser, the proofs and the pruning of scan(), and what
// wires them to the page. Nothing of Node is in it.
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { browserFile } from '../../tooling/src/browser-build/modules.mjs';

const IO = fileURLToPath(new URL('../../io/src/browser.ts', import.meta.url));
const EFFECTS = fileURLToPath(new URL('../../io/src/effects/browser.ts', import.meta.url));
const PUSHDOWN = fileURLToPath(new URL('../../columna/src/inspect/pushdown.ts', import.meta.url));
const TABLE = fileURLToPath(new URL('../../table/src/index.ts', import.meta.url));

/**
 * What needs Node is taken in its form for browsers; of the rest the form of Node, which is there at once, where that
 * for browsers would be loaded later.
 */
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

/** The script of the page. */
export async function bundlePage() {
  const result = await build({
    entryPoints: [fileURLToPath(new URL('../src/page/browser/page.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    charset: 'utf8',
    treeShaking: true,
    plugins: [withoutNode],
    alias: { '@colkit/io/effects': EFFECTS, '@colkit/io': IO, '@colkit/table': TABLE, 'columna/inspect': PUSHDOWN },
    // An import of anything of Node is an error here.
    external: [],
    logLevel: 'silent',
  });
  return result.outputFiles[0].text;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(
    process.argv[2] ?? fileURLToPath(new URL('../dist/inspector-page.js', import.meta.url)),
    await bundlePage(),
  );
