// What a page loads of the published builds, minified and gzipped: at once, before the program runs; together with what
// it loads beside the first bytes of a file that it reads; and as one file, which has all that may ever be asked. No
// bundle grows unnoticed. The limits stand in docs/where-it-runs.md.
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import type { Metafile } from 'esbuild';
import { expect, it } from 'vitest';

const READERS = 'table/dist/browser/output/reading/readers.js';
const PAGES = 'columna/dist/browser/read/page-readers.js';
const COLUMNS = 'table/dist/browser/output/reading/read-source.js';
const OF_COLSTORE = [READERS, 'colstore/dist/browser/opened-table.js'];
const OF_SYRAH = [
  'syrah/dist/browser/layout/read-layout.js',
  'syrah/dist/browser/items/gather/gather-items.js',
  'syrah/dist/browser/loader/producing/producers.js',
];

/**
 * Thousands of bytes at once, less than what is promised (25 for `read` of columna, 45 for `scan`, 20 for colstore, 25
 * for syrah with the loader); the parts that reading any file takes, and thousands of bytes with them; and in one file.
 */
const LIMITS = [
  ['read of columna', "import { read } from 'columna'; globalThis.use = read;", 18.8, [COLUMNS, PAGES], 57, 64.6],
  [
    'scan of columna, before it is asked',
    "import { col, scan } from 'columna'; globalThis.use = [col, scan];",
    26.1,
    [READERS, PAGES],
    67,
    154.3,
  ],
  ['open of colstore', "import { open } from 'colstore'; globalThis.use = open;", 19.8, OF_COLSTORE, 43, 117.4],
  ['write of colstore', "import { write } from 'colstore'; globalThis.use = write;", 46, [], 46, 107.9],
  [
    'datasets and the loader of syrah',
    "import { DataLoader, SyrahDataset } from 'syrah'; globalThis.use = [DataLoader, SyrahDataset];",
    25,
    OF_SYRAH,
    35.7,
    50.7,
  ],
  ['a bucket as a store', "import { s3Store } from '@colkit/s3'; globalThis.use = s3Store;", 19.9, [], 19.9, 22],
] as const;

it.each(LIMITS)('%s', async (_, contents, limit, parts, limitOfAll, limitOfOne) => {
  const { outputFiles, metafile } = await bundle(contents, true);
  const [one] = (await bundle(contents, false)).outputFiles;
  const kilobytesOf = (names: ReadonlySet<string>): number => {
    const texts = outputFiles.filter(({ path }) => names.has(`out${path.slice(path.lastIndexOf('/'))}`));
    expect(texts.length).toBe(names.size);
    return gzippedKilobytes(texts.map(({ text }) => text).join(''));
  };
  const files = parts.map((part) => fileOf(metafile, part));
  for (const [kilobytes, most] of [
    [kilobytesOf(atOnce(metafile, ['out/stdin.js'])), limit],
    [kilobytesOf(atOnce(metafile, ['out/stdin.js', ...files])), limitOfAll],
    [gzippedKilobytes(one?.text ?? ''), limitOfOne],
  ] as const) {
    expect(kilobytes).toBeLessThan(most);
    // A limit that is far above what it holds holds nothing.
    expect(kilobytes).toBeGreaterThan(most - 2);
  }
});

function bundle(contents: string, splitting: boolean) {
  return build({
    stdin: { contents, resolveDir: import.meta.dirname },
    absWorkingDir: import.meta.dirname,
    bundle: true,
    splitting,
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
}

function gzippedKilobytes(text: string): number {
  return gzipSync(text, { level: 9 }).length / 1000;
}

/** The output files that these import before they run, and they. */
function atOnce({ outputs }: Metafile, files: readonly string[]): Set<string> {
  const names = new Set(files);
  for (const name of names)
    for (const { path, kind, external } of outputs[name]?.imports ?? [])
      if (kind === 'import-statement' && external !== true) names.add(path);
  return names;
}

/** The output file that a part begins with. */
function fileOf({ outputs }: Metafile, part: string): string {
  const found = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint?.endsWith(part));
  if (found === undefined) throw new Error(`${part} is no part that is loaded later`);
  return found[0];
}
