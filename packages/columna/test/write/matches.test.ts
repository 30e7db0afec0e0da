// Texts as matches, through every way of writing: the same bytes with the addon and without it, on threads and on this
// one; streams; dictionary pages; and what is read of them.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setDefaultBackend } from '@colkit/io';
import { afterAll, afterEach, expect, it } from 'vitest';
import { create, inspectSync, open, read, write, writeSync } from 'columna';

const folder = mkdtempSync(join(tmpdir(), 'columna-matches-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const projectBackend = process.env['COLKIT_BACKEND'] === 'js' ? 'js' : 'native';
afterEach(() => setDefaultBackend(projectBackend));

const NAMES = ['Łódź', 'Oslo', 'Bergen', 'Århus', 'Nowy Sącz'];

/** More and longer ones than there are symbols for, which come again after long. */
const SENTENCES = Array.from({ length: 997 }, (_, sentence) =>
  Array.from({ length: 24 }, (__, word) => Math.imul(24 * sentence + word + 1, 0x9e3779b1).toString(36)).join(' '),
);

/** Objects as JSON texts, of which every eleventh is null. */
const documents = (rows: number, first = 0): (string | null)[] =>
  Array.from({ length: rows }, (_, i) => {
    const row = first + i;
    return row % 11 === 5
      ? null
      : JSON.stringify({ row, town: NAMES[(row * 7) % 5], delay: (row * row) % 97, said: SENTENCES[row % 997] });
  });

const encodingsOf = (path: string): readonly string[] => [
  ...new Set(
    inspectSync(path).rowGroups.flatMap(({ chunks }) =>
      chunks.flatMap(({ pages }) => pages.map(({ encoding }) => encoding)),
    ),
  ),
];

it('is chosen where nothing but bytes counts, and takes fewer than blocks', () => {
  const t = documents(4000);
  const [own, blocks, other] = ['own', 'blocks', 'default'].map((name) => join(folder, `${name}.cna`)) as [
    string,
    string,
    string,
  ];
  writeSync(own, { t }, { mode: 'smallest' });
  writeSync(blocks, { t }, { mode: 'smallest', encodings: { t: 'BLOCKS' } });
  writeSync(other, { t });
  expect(encodingsOf(own)).toEqual(['MATCHES']);
  expect(encodingsOf(other)).not.toContain('MATCHES');
  expect(readFileSync(own).length).toBeLessThan(0.9 * readFileSync(blocks).length);
});

it.each([
  ['smallest', { mode: 'smallest' }],
  ['forced', { encodings: { t: 'MATCHES' } }],
] as const)('%s: the same bytes with and without the addon, and on threads', async (name, options) => {
  const table = { t: documents(9000), n: Int32Array.from({ length: 9000 }, (_, i) => i % 7) };
  const of = { ...options, overwrite: true, rowGroupSize: 4000, pageRows: 2000, durability: 'none' } as const;
  const path = join(folder, `${name}.cna`);
  const found = ['js', 'native'].map((backend) => {
    if (projectBackend === 'js' && backend === 'native') return readFileSync(path);
    setDefaultBackend(backend as 'js' | 'native');
    writeSync(path, table, of);
    return readFileSync(path);
  });
  expect(found[0]!.equals(found[1]!)).toBe(true);
  await write(path, table, of);
  expect(readFileSync(path).equals(found[0]!)).toBe(true);
  expect(encodingsOf(path)).toContain('MATCHES');
  expect(await read(path, { columns: ['t'] })).toEqual({ t: table.t });
});

it('goes through streams', async () => {
  const path = join(folder, 'stream.cna');
  const writer = await create(path, {
    mode: 'smallest',
    schema: { t: { dtype: 'string', nullable: true } },
    rowGroupSize: 3000,
  });
  for (let first = 0; first < 7000; first += 700) await writer.write({ t: documents(700, first) });
  await writer.close();
  expect(encodingsOf(path)).toContain('MATCHES');
  const table = await open(path);
  expect(await table.toColumns()).toEqual({ t: documents(7000) });
  const rows = [6999, 3, 3, 2999, 3000, 5];
  expect(await table.take(rows).toColumns()).toEqual({ t: rows.map((row) => documents(1, row)[0]) });
  expect(await table.where("t like '%Bergen%'").count()).toBe(
    documents(7000).filter((text) => text?.includes('Bergen')).length,
  );
  table.close();
});

it('holds the entries of dictionary pages', async () => {
  const entries = documents(1500).filter((text) => text !== null);
  const t = Array.from({ length: 12_000 }, (_, row) => entries[(row * 37) % entries.length]!);
  const path = join(folder, 'dictionary.cna');
  writeSync(path, { t }, { mode: 'smallest', pageRows: 3000 });
  const { dictionary } = inspectSync(path).rowGroups[0]!.chunks[0]!;
  expect(dictionary?.encoding).toBe('MATCHES');
  for (const backend of projectBackend === 'js' ? (['js'] as const) : (['js', 'native'] as const)) {
    const table = await open(path, { backend });
    expect(await table.toColumns()).toEqual({ t });
    expect(await table.where(`t == '${entries[7]!}'`).count()).toBe(t.filter((text) => text === entries[7]).length);
    table.close();
  }
});
