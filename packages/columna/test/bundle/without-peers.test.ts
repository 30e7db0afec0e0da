// The published build, bundled where no optional peer is installed: nothing must be made external, nothing of Node
// comes along, and the bundle does not grow unnoticed.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'columna-bundle-'));
const PACKAGES = fileURLToPath(new URL('../../..', import.meta.url));
/** What npm would have put into node_modules: name, folder, what of it. */
const INSTALLED = [
  ['columna', 'columna', ['package.json', 'dist']],
  ['@colkit/io', 'io', ['package.json', 'dist']],
  ['@colkit/table', 'table', ['package.json', 'dist']],
  ['fflate', 'columna/node_modules/fflate', ['.']],
  ['@petamoriken/float16', 'io/node_modules/@petamoriken/float16', ['.']],
] as const;
/** Thousands of bytes, minified and gzipped. */
const LARGEST = { read: 23.9, scan: 29.6 };

beforeAll(() => {
  for (const [name, path, parts] of INSTALLED)
    for (const part of parts)
      cpSync(join(PACKAGES, path, part), join(folder, 'node_modules', name, part), {
        recursive: true,
        dereference: true,
      });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each(Object.entries(LARGEST))(
  'a page that imports %s: at most %d kB, and the rest when it is asked for',
  async (name, largest) => {
    const { outputFiles, metafile } = await build({
      stdin: { contents: `import { ${name} } from 'columna'; globalThis.use = ${name};`, resolveDir: folder },
      absWorkingDir: folder,
      bundle: true,
      splitting: true,
      outdir: 'out',
      write: false,
      metafile: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      target: 'es2022',
      logLevel: 'silent',
    });
    const atOnce = new Set(['out/stdin.js']);
    for (const path of atOnce)
      for (const { path: other, kind } of metafile.outputs[path]?.imports ?? [])
        if (kind === 'import-statement') atOnce.add(other);
    const text = outputFiles.flatMap(({ path, text }) => (atOnce.has(relative(folder, path)) ? [text] : [])).join('');
    expect(gzipSync(text, { level: 9 }).length / 1000).toBeLessThan(largest);
  },
);
