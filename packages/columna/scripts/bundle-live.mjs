// The code of an inspector's page -> one script: the predicate parser, the proofs and the pruning of scan(), and what
// wires them to the page. Nothing of Node is in it.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const SOURCE = new URL('../src/inspect/', import.meta.url);
const IO = fileURLToPath(new URL('../../io/src/browser.ts', import.meta.url));
const EFFECTS = fileURLToPath(new URL('../../io/src/effects/browser.ts', import.meta.url));
const TABLE = fileURLToPath(new URL('../../table/src/index.ts', import.meta.url));

/** `entry` below src/inspect; `globalName` for a bundle whose exports a test looks at. */
export async function bundle(entry, globalName) {
  const result = await build({
    entryPoints: [fileURLToPath(new URL(entry, SOURCE))],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    charset: 'utf8',
    treeShaking: true,
    alias: { '@colkit/io/effects': EFFECTS, '@colkit/io': IO, '@colkit/table': TABLE },
    // An import of anything of Node is an error here.
    external: [],
    logLevel: 'silent',
    ...(globalName === undefined ? {} : { globalName }),
  });
  return result.outputFiles[0].text;
}

/** The script of the page. */
export function bundlePage() {
  return bundle('browser/page.ts');
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(
    process.argv[2] ?? fileURLToPath(new URL('../dist/inspector-page.js', import.meta.url)),
    await bundlePage(),
  );
