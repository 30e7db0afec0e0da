// What a page loads at once of the published builds, minified and gzipped, and what more when a question is asked: no
// bundle grows unnoticed. The limits stand in docs/where-it-runs.md.
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import type { Metafile } from 'esbuild';
import { expect, it } from 'vitest';

/** Thousands of bytes. */
const LIMITS = [
  ['read of columna', "import { read } from 'columna'; globalThis.use = read;", 48.8],
  ['scan of columna, before it is asked', "import { col, scan } from 'columna'; globalThis.use = [col, scan];", 54.5],
  ['open of colstore', "import { open } from 'colstore'; globalThis.use = open;", 41.1],
  ['write of colstore', "import { write } from 'colstore'; globalThis.use = write;", 46.4],
  [
    'datasets and the loader of syrah',
    "import { DataLoader, SyrahDataset } from 'syrah'; globalThis.use = [DataLoader, SyrahDataset];",
    32.4,
  ],
] as const;

it.each(LIMITS)('%s', async (_, contents, limit) => {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    absWorkingDir: import.meta.dirname,
    bundle: true,
    splitting: true,
    outdir: 'out',
    write: false,
    metafile: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    external: ['apache-arrow'],
    logLevel: 'silent',
  });
  const names = atOnce(metafile);
  const texts = outputFiles.filter(({ path }) => names.has(`out${path.slice(path.lastIndexOf('/'))}`));
  expect(texts.length).toBe(names.size);
  const kilobytes = gzipSync(texts.map(({ text }) => text).join(''), { level: 9 }).length / 1000;
  expect(kilobytes).toBeLessThan(limit);
  // A limit that is far above what it holds holds nothing.
  expect(kilobytes).toBeGreaterThan(limit - 3);
});

/** The output files that the program imports before it runs. */
function atOnce({ outputs }: Metafile): Set<string> {
  const names = new Set(['out/stdin.js']);
  for (const name of names)
    for (const { path, kind, external } of outputs[name]?.imports ?? [])
      if (kind === 'import-statement' && external !== true) names.add(path);
  return names;
}
