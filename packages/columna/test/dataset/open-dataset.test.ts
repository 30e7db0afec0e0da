// Many files as one table: the same answers as one file of the same rows, columns from paths, files that are passed
// over, refusals.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { FolderStore } from '@colkit/io/durable';
import { describe, expect, it } from 'vitest';
import { col, open, openDataset, openDatasetSync, writeSync } from '../../src/index.ts';
import type { Dataset, Table, TableInput } from '../../src/index.ts';
import { newFolders } from '../support/new-folders.ts';

const newFolder = newFolders('dataset');

function put(folder: string, path: string, columns: TableInput): string {
  const full = join(folder, path);
  mkdirSync(dirname(full), { recursive: true });
  writeSync(full, columns, { durability: 'none', rowGroupSize: 40 });
  return full;
}

const REGIONS = ['APAC', 'EMEA', 'north/south %', null] as const;
const PARTS = 12;
const ROWS = 100;

type Rows = {
  readonly id: number[];
  readonly amount: (number | null)[];
  readonly name: string[];
};

function rowsOf(part: number): Rows {
  const id = Array.from({ length: ROWS }, (_, row) => part * ROWS + row);
  return {
    id,
    amount: id.map((each) => (each % 7 === 0 ? null : ((each * 7919) % 1009) / 8)),
    name: id.map((each) => `n${String(each % 13)}`),
  };
}

/** The folder `region=…/day=…`, and one file with the same rows, in the order of the dataset's files. */
async function both(): Promise<{ dataset: Dataset; one: Table; folder: string }> {
  const { folder, path } = newFolder();
  for (let part = 0; part < PARTS; part += 1) {
    const region = REGIONS[part % REGIONS.length] ?? null;
    const values = `region=${region === null ? '__HIVE_DEFAULT_PARTITION__' : encodeURIComponent(region)}`;
    put(folder, `parts/${values}/day=2024-01-0${String(1 + (part % 3))}/part-${String(part)}.cna`, rowsOf(part));
  }
  writeFileSync(join(folder, 'parts', '_SUCCESS'), '');
  writeFileSync(join(folder, 'parts', '.part-9.cna.tmp'), 'not whole');
  const dataset = await openDataset(join(folder, 'parts'));
  const all = dataset.files.flatMap((file) => {
    const part = Number(/part-(\d+)/u.exec(file.path)?.[1]);
    const rows = rowsOf(part);
    return rows.id.map((id, row) => ({
      id,
      amount: rows.amount[row] ?? null,
      name: rows.name[row] ?? '',
      region: REGIONS[part % REGIONS.length] ?? null,
      day: BigInt(19723 + (part % 3)),
    }));
  });
  const schema = {
    id: 'float64',
    amount: { dtype: 'float64', nullable: true },
    name: 'string',
    region: { dtype: 'string', nullable: true },
    day: 'datetime64[D]',
  } as const;
  writeSync(path, all, { schema, durability: 'none', rowGroupSize: 130 });
  return { dataset, one: await open(path), folder: join(folder, 'parts') };
}

const QUESTIONS: readonly (readonly [string, (table: Table) => unknown])[] = [
  ['all columns', (table) => table.toColumns()],
  ['a selection', (table) => table.select('region', 'id').slice(37, 900, 11).toColumns()],
  ['backwards', (table) => table.select('name', 'day').slice(undefined, undefined, -3).toColumns()],
  ['rows at random', (table) => table.take([1199, 0, 500, 500, -1, 99, 100]).toColumns()],
  ['a filter', (table) => table.where('amount > 100 and id < 900').toColumns()],
  ['a filter on paths', (table) => table.where("region = 'EMEA' and day >= '2024-01-02'").select('id').toColumns()],
  ['a filter on both', (table) => table.where("region in ('EMEA', 'APAC') or amount < 3").toColumns()],
  ['nulls of paths', (table) => table.where('region is null').select('id', 'region').toColumns()],
  ['a computed filter', (table) => table.where('id % 10 = 3 and region != name').toColumns()],
  ['counts', (table) => table.where(col('name').eq('n3')).count()],
  ['aggregates', (table) => table.agg({ n: 'count', s: { sum: 'amount' }, low: { min: 'id' }, days: { max: 'day' } })],
  [
    'first and last',
    (table) => table.agg({ f: { first: 'amount' }, l: { last: 'region' }, d: { countDistinct: 'name' } }),
  ],
  [
    'groups',
    async (table) => {
      const specs = { n: 'count', s: { sum: 'amount' }, m: { mean: 'amount' } } as const;
      return (await table.groupBy('region', 'name').agg(specs)).columns;
    },
  ],
  ['an order', (table) => table.orderBy('amount', 'id').head(40).toColumns()],
  ['the largest', (table) => table.orderBy({ column: 'id', descending: true }, 'name').head(150).toColumns()],
  ['the largest of few', (table) => table.orderBy({ column: 'name', descending: true }).head(150).toColumns()],
  ['the smallest of paths', (table) => table.orderBy('day').head(30).toColumns()],
  ['distinct', (table) => table.select('region', 'day').distinct().toColumns()],
  ['rows', (table) => table.where('id between 250 and 260').toRows()],
  ['dictionaries', (table) => table.select('region').slice(0, 350).toColumns({ strings: 'dictionary' })],
  [
    'batches',
    async (table) => {
      const ids: unknown[] = [];
      for await (const batch of table.where('id % 2 = 0').select('id').batches({ rows: 70 })) ids.push(batch);
      return ids;
    },
  ],
];

describe('answers as one file of the same rows', async () => {
  const { dataset, one } = await both();
  it.each(QUESTIONS)('%s', async (_, ask) => {
    expect(await ask(dataset)).toEqual(await ask(one));
  });
});

/** What is no column of files without folders. */
const OF_PATHS = /region|day/u;
const IN_ORDER = [
  ...QUESTIONS.filter(([, ask]) => !OF_PATHS.test(String(ask))),
  ['a slice adds up', (table) => table.slice(130, 1170).agg({ s: { sum: 'amount' }, m: { min: 'name' } })],
  ['every other file', (table) => table.where('id % 200 < 100 and amount > 20').agg({ n: 'count', s: { sum: 'id' } })],
  ['few files', (table) => table.where('id between 550 and 720').groupBy('name').agg({ n: 'count' }).then(columnsOf)],
  ['matches of many', (table) => table.where("name == 'n3'").select('id', 'amount').toColumns()],
  [
    'by numbers',
    (table) =>
      table
        .groupBy('amount')
        .agg({ first: { min: 'id' } })
        .then(columnsOf),
  ],
] as const satisfies typeof QUESTIONS;

const columnsOf = ({ columns }: { readonly columns: unknown }): unknown => columns;

describe('files of one schema that are in memory answer as one file', async () => {
  const { folder, path } = newFolder();
  for (let part = 0; part < PARTS; part += 1) put(folder, `parts/${String(part)}.cna`, rowsOf(part));
  const rows = Array.from({ length: PARTS }, (_, part) => rowsOf(part));
  const schema = { id: 'float64', amount: { dtype: 'float64', nullable: true }, name: 'string' } as const;
  const columns = {
    id: rows.flatMap(({ id }) => id),
    amount: rows.flatMap(({ amount }) => amount),
    name: rows.flatMap(({ name }) => name),
  };
  writeSync(path, columns, { schema, durability: 'none', rowGroupSize: 130 });
  const [dataset, one] = [await openDataset(join(folder, 'parts')), await open(path)];
  it.each(IN_ORDER)('%s', async (_, ask) => {
    const expected = await ask(one);
    expect(await ask(dataset)).toEqual(expected);
    // What was learnt of the files is asked again.
    expect(await ask(dataset)).toEqual(expected);
    expect(dataset.openCount).toBeLessThanOrEqual(PARTS);
  });
});

it('tells what is wrong with one file of many of that file alone', async () => {
  const { folder } = newFolder();
  for (let part = 0; part < 4; part += 1) put(folder, `${String(part)}.cna`, rowsOf(part));
  const path = join(folder, '2.cna');
  const bytes = readFileSync(path);
  const found: { readonly region?: unknown }[] = [];
  for (const at of [...Array.from(bytes.keys()).filter((each) => each % 29 === 3), bytes.length - 2]) {
    const damaged = Uint8Array.from(bytes);
    damaged[at] = (damaged[at] ?? 0) ^ 0x55;
    writeFileSync(path, damaged);
    const opened = openDataset(folder);
    const refused = await errorOf(() => opened);
    expect(refused).toEqual(await errorOf(async () => (await open(path)).close()));
    if (refused !== null) {
      found.push(refused);
      continue;
    }
    const dataset = await opened;
    for (const ask of [
      (table: Table): unknown => table.agg({ a: { sum: 'amount' }, i: { sum: 'id' } }),
      (table: Table): unknown => table.groupBy('name').agg({ a: { sum: 'amount' } }),
      (table: Table): unknown => table.where('amount > 3 and id % 2 = 0').count(),
      (table: Table): unknown => table.where("name == 'n3'").toColumns(),
    ]) {
      const alone = await errorOf(async () => ask(await open(path)));
      expect(await errorOf(() => ask(dataset))).toEqual(alone);
      if (alone !== null) found.push(alone);
    }
    dataset.close();
  }
  const regions = new Set(found.map(({ region }) => region));
  for (const region of ['page', 'column block', 'footer', 'trailer']) expect(regions).toContain(region);
});

/** What an error says, but for its text; null: there was none. */
async function errorOf(ask: () => unknown): Promise<object | null> {
  try {
    await ask();
    return null;
  } catch (error) {
    const { code, path, region, byteOffset, column, rowGroup, page } = error as Record<string, unknown>;
    return { code, path, region, byteOffset, column, rowGroup, page };
  }
}

it('has columns from paths, typed, and files in natural order', async () => {
  const { dataset, folder } = await both();
  expect(dataset.schema).toEqual([
    { name: 'id', dtype: 'float64', nullable: false },
    { name: 'amount', dtype: 'float64', nullable: true },
    { name: 'name', dtype: 'string', nullable: false },
    { name: 'region', dtype: 'string', nullable: true },
    { name: 'day', dtype: 'datetime64[D]', nullable: false },
  ]);
  expect(dataset.rowCount).toBe(PARTS * ROWS);
  expect(dataset.files[0]).toMatchObject({ rowCount: ROWS, values: { region: 'APAC', day: 19723n } });
  expect(dataset.files.filter(({ path }) => path.includes('APAC')).map(({ path }) => path.slice(-10))).toEqual(
    ['part-0.cna', 'part-4.cna', 'part-8.cna'].map((name) => name.padStart(10, '/')),
  );
  const typed = await openDataset(folder, { partitions: { day: 'string' } });
  expect((await typed.column('day').at(0)) as unknown).toBe('2024-01-01');
  const path = put(newFolder().folder, 'day#1 a?b/50%.cna', { x: Int32Array.of(1) });
  const odd = await openDataset(dirname(path));
  expect(odd.files.map((file) => file.path)).toEqual([path]);
  expect((await odd.splits()).map((split) => split.path)).toEqual([path]);
  const none = await openDataset(folder, { partitions: false });
  expect(none.columnNames).toEqual(['id', 'amount', 'name']);
  const sync = openDatasetSync(join(folder, '*', '*', '*.cna'));
  expect(sync.toColumnsSync()).toEqual(await dataset.toColumns());
  for (const each of [typed, odd, none, sync, dataset]) each.close();
});

it('passes over files by their paths and footers, opens few, and tells why', async () => {
  const { folder } = await both();
  const dataset = await openDataset(folder, { maxOpen: 2 });
  expect(dataset.openCount).toBe(0);
  expect(await dataset.where("region = 'EMEA' and id < 200").count()).toBe(100);
  expect(dataset.openCount).toBe(0);
  expect(await dataset.where('amount = 3.5 and region is null').count()).toBeGreaterThan(0);
  expect(dataset.openCount).toBeLessThanOrEqual(2);
  await dataset.toColumns();
  expect(dataset.openCount).toBeLessThanOrEqual(2);
  const text = await dataset.where("region = 'EMEA' and id < 200").explain();
  expect(text).toContain('files: 12, skipped by their paths and statistics: 11');
  expect(text).toMatch(/part-5\.cna: skipped, id: min 500 >= 200/u);
  dataset.close();
  await expect(dataset.count()).rejects.toMatchObject({ code: 'ERR_CLOSED' });
});

it('refuses files of other columns, or keeps what all have', async () => {
  const { folder } = newFolder();
  put(folder, 'a.cna', { x: Int32Array.of(1, 2), y: Float64Array.of(1, 2) });
  put(folder, 'b.cna', { y: Float64Array.of(3), x: Int32Array.of(3) });
  put(folder, 'c.cna', { x: Int32Array.of(4), y: Float32Array.of(4), z: Int32Array.of(1) });
  await expect(openDataset(folder)).rejects.toMatchObject({
    code: 'ERR_SCHEMA',
    message: expect.stringMatching(/c\.cna: "y" float32 \(float64 there\), "z" more/u) as unknown,
  });
  const common = await openDataset(folder, { onMismatch: 'drop' });
  expect(common.dropped).toEqual(['y', 'z']);
  expect(await common.toColumns()).toEqual({ x: Int32Array.of(1, 2, 3, 4) });
  const two = await openDataset([join(folder, 'a.cna'), join(folder, 'b.cna')], { expect: { y: 'float64' } });
  expect(await two.toColumns()).toEqual({ y: Float64Array.of(1, 2, 3) });
  await expect(openDataset(folder, { partitions: { day: 'int32' } })).rejects.toMatchObject({ code: 'ERR_SCHEMA' });
});

it('is empty where there is nothing, and says what is not there', async () => {
  const { folder } = newFolder();
  const empty = await openDataset(folder);
  expect([empty.rowCount, empty.columnNames, await empty.count()]).toEqual([0, [], 0]);
  await expect(openDataset(join(folder, 'nowhere'))).rejects.toMatchObject({ code: 'ERR_NOT_FOUND' });
  await expect(openDataset(join(folder, '*.cna'))).rejects.toMatchObject({ code: 'ERR_NOT_FOUND' });
  writeFileSync(join(folder, 'bad.cna'), 'this is no file of ours');
  await expect(openDataset(folder)).rejects.toMatchObject({ code: 'ERR_MAGIC' });
  await expect(openDataset(7 as never)).rejects.toMatchObject({ code: 'ERR_ARGUMENT' });
});

it('refuses a file that is another one by now', async () => {
  const { folder } = newFolder();
  // Random bits: more bytes than a small file has.
  const x = Float64Array.from({ length: 8000 }, (_, i) => Math.sin(i * i) * 1e6);
  const path = put(folder, 'a.cna', { x });
  const dataset = await openDataset(folder);
  const replace = (values: Float64Array): void => {
    rmSync(path);
    put(folder, 'a.cna', { x: values });
  };
  replace(x.map((value) => value + 1));
  await expect(dataset.toColumns()).rejects.toMatchObject({ code: 'ERR_FILE_CHANGED' });
  // The same bytes again are the same file.
  replace(x);
  expect(await dataset.toColumns()).toEqual({ x });
});

it('reads many small files and large ones among them, in their order', async () => {
  const { folder } = newFolder();
  const expected: number[] = [];
  for (let k = 0; k < 150; k += 1) {
    // More than a small file has.
    const length = k === 70 ? 9000 : 3;
    const x = Float64Array.from({ length }, (_, i) => (length > 3 ? Math.sin(i * i) * 1e6 : k + i / 8));
    expected.push(...x);
    writeSync(join(folder, `${String(k)}.cna`), { x }, { durability: 'none' });
  }
  const dataset = await openDataset(folder);
  expect((await dataset.toColumns())['x']).toEqual(Float64Array.from(expected));
  expect(dataset.files.map(({ rowCount }) => rowCount)[70]).toBe(9000);
  expect(await dataset.where('x = 100.125').count()).toBe(1);
  dataset.close();
  writeFileSync(join(folder, '99.cna'), 'CNA1 and no more');
  await expect(openDataset(folder)).rejects.toMatchObject({ code: 'ERR_TRUNCATED' });
});

it('reads small files once: they stay what they were, whatever is asked and as often as it is', async () => {
  const { folder } = newFolder();
  const texts = ['b', null, 'a', 'b'];
  put(folder, 'a.cna', { x: Int32Array.of(1, 2, 3, 4), t: texts });
  put(folder, 'b.cna', { x: Int32Array.of(5, 6, 7, 8), t: texts });
  const dataset = await openDataset(folder);
  rmSync(join(folder, 'a.cna'));
  put(folder, 'a.cna', { x: Int32Array.of(70, 80), t: ['z', 'z'] });
  rmSync(join(folder, 'b.cna'));
  for (let round = 0; round < 2; round += 1) {
    expect(await dataset.toColumns()).toEqual({ x: Int32Array.of(1, 2, 3, 4, 5, 6, 7, 8), t: [...texts, ...texts] });
    expect(await dataset.where("t == 'b' and x > 1").toColumns()).toEqual({
      x: Int32Array.of(4, 5, 8),
      t: ['b', 'b', 'b'],
    });
    expect(await dataset.column('x').sum()).toBe(36);
    expect((await dataset.groupBy('t').agg({ x: { sum: 'x' } })).columns.t).toEqual(['b', null, 'a']);
  }
  dataset.close();
  await expect(dataset.toColumns()).rejects.toMatchObject({ code: 'ERR_CLOSED' });
  writeSync(join(folder, 'plain.cna'), { x: Int32Array.of(1, 2) }, { mode: 'plain' });
  const plain = openDatasetSync(join(folder, 'plain.cna'));
  const view = plain.column('x').viewArray() as Int32Array;
  view[0] = 99;
  expect(plain.column('x').toArraySync()).toEqual(Int32Array.of(1, 2));
  plain.close();
  expect(view).toEqual(Int32Array.of(99, 2));
});

it('opens URLs, whose paths say values, and stores', async () => {
  const { folder } = newFolder();
  put(folder, 'region=a%20b/2.cna', { x: Int32Array.of(1, 2) });
  // Stores list it first.
  put(folder, 'region=a%20b/10.cna', { x: Int32Array.of(4) });
  put(folder, 'region=c/2.cna', { x: Int32Array.of(3) });
  for (const name of ['_draft/3.cna', 'region=c/_3.cna']) put(folder, name, { x: Int32Array.of(9) });
  const store = new FolderStore(folder);
  const ofStore = await openDataset(store);
  expect(await ofStore.toColumns()).toEqual({
    x: Int32Array.of(1, 2, 4, 3),
    region: ['a b', 'a b', 'a b', 'c'],
  });
  expect(() => openDatasetSync(store)).toThrow(expect.objectContaining({ code: 'ERR_FEATURE' }) as Error);
  const requests: string[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const bytes = await store.read(decodeURIComponent((request.url ?? '').slice(1)));
      const range = /bytes=(\d+)-(\d*)/u.exec(request.headers.range ?? '');
      const start = Number(range?.[1] ?? 0);
      const end = Math.min(Number(range?.[2] === '' ? bytes.length : (range?.[2] ?? bytes.length)), bytes.length - 1);
      requests.push(request.url ?? '');
      const headers = { 'content-range': `bytes ${String(start)}-${String(end)}/${String(bytes.length)}`, etag: '"1"' };
      response.writeHead(206, headers).end(bytes.subarray(start, end + 1));
    })();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  try {
    const base = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    const urls = ['a%2520b/2', 'a%2520b/10', 'c/2'].map((name) => `${base}/region=${name}.cna`);
    const dataset = await openDataset(urls);
    expect(requests.length).toBeLessThanOrEqual(6);
    expect(await dataset.toColumns()).toEqual(await ofStore.toColumns());
    dataset.close();
  } finally {
    server.close();
  }
});
