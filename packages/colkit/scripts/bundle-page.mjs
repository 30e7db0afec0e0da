// The code of an inspector's page -> one script: the predicate parser, the proofs and the pruning of scan(), and what
// wires them to the page. Nothing of Node is in it.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { atOnce } from '../../tooling/src/browser-build/at-once.mjs';

/** The script of the page. */
export async function bundlePage() {
  const result = await build({
    ...atOnce,
    entryPoints: [fileURLToPath(new URL('../src/page/browser/page.ts', import.meta.url))],
    minify: true,
    legalComments: 'none',
    charset: 'utf8',
    treeShaking: true,
  });
  return result.outputFiles[0].text;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(
    process.argv[2] ?? fileURLToPath(new URL('../dist/inspector-page.js', import.meta.url)),
    await bundlePage(),
  );
