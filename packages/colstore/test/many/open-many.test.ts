// Several files as one table: what names them, in which order they come, how their columns fit. The folders in
// golden/many are what Python's colstore 0.5.1 wrote.
import { appendFileSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openSourceSync } from '@colkit/io';
import { describe, expect, it } from 'vitest';
import { col, info, infoSync, open, openSync, schema, schemaSync, writeSync } from '../../src/index.ts';
import type { Table } from '../../src/index.ts';
import { codeOf, foldersOfFiles, x, xs, xsOf } from '../support/folder-of-files.ts';
import { allKinds, inEveryLayout, pickItems } from '../support/tables.ts';

const golden = (path: string): string => new URL(`../golden/many/${path}`, import.meta.url).pathname;
const folderOf = foldersOfFiles();

describe('what Python wrote', () => {
  it('a folder of shards, in natural order; hidden and other files are passed over', async () => {
    const table = await open(golden('shards'));
    const expected = JSON.parse(readFileSync(golden('shards.json'), 'utf8')) as {
      columns: { name: string; bytes: string }[];
    };
    expect(table.paths.map((path) => path.split('/').at(-1))).toEqual([
      'run_2.cstore',
      'run_10.cstore',
      'run_100.cstore',
    ]);
    expect(table.columnNames).toEqual(expected.columns.map(({ name }) => name));
    const records = await table.toRecords();
    for (const [number, { name, bytes }] of expected.columns.entries()) {
      const { byteOffset } = records.fields[number]!;
      const width = bytes.length / 2 / 13;
      const found = Array.from({ length: 13 }, (_, row) => {
        const start = records.byteOffset + row * records.byteStride + byteOffset;
        return Buffer.from(records.buffer, start, width).toString('hex');
      });
      expect([name, found.join('')]).toEqual([name, bytes]);
    }
  });

  it("what the appender of Python's package wrote, with statistics", async () => {
    const table = await open(golden('appended'));
    expect(table.paths.map((path) => path.split('/').at(-1))).toEqual([
      'shard_00000.cstore',
      'shard_00001.cstore',
      'shard_00002.cstore',
      'shard_003.cstore',
    ]);
    const rows = await table.toRows();
    expect(rows.map(({ id }) => id)).toEqual([0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n, 100n]);
    expect(rows.at(-1)).toEqual({ id: 100n, price: -0, name: 'last', at: -(2n ** 63n) });
    const picked = table.where(col('id').between(5, 6));
    expect(await picked.toColumns()).toEqual({
      id: BigInt64Array.of(5n, 6n),
      price: Float32Array.of(7.5, 9),
      name: ['n2', 'n0'],
      at: BigInt64Array.of(5n, 6n),
    });
    expect(await picked.explain()).toMatch(/shard_00000\.cstore: read\n.*skipped by their statistics: 1/u);
    expect(await table.column('id').max()).toBe(100n);
    const { rowCount, statistics, files, layout, wire, needsCompaction, recordCount } = await table.info();
    expect({ rowCount, layout, wire, needsCompaction, recordCount }).toEqual({
      rowCount: 11,
      layout: 'records',
      wire: 'records-64',
      needsCompaction: true,
      recordCount: 4,
    });
    expect(files?.map((file) => file.rowCount)).toEqual([4, 4, 2, 1]);
    // The last one has none.
    expect(statistics).toBeNull();
    expect(files?.map((file) => file.statistics?.get('id')?.[0]?.max ?? null)).toEqual([3n, 7n, 9n, null]);
  });
});

describe('what names them', () => {
  it('a folder, by path and URL, a pattern, a list of files, folders and patterns', async () => {
    const own = folderOf({ 'run_2.cstore': x(1, 2), 'run_10.cstore': x(3), 'run_1.cstore': x(0) });
    const one = join(own, 'run_10.cstore');
    expect(await xsOf(own)).toEqual([0, 1, 2, 3]);
    expect(await xsOf(`${own}/`)).toEqual([0, 1, 2, 3]);
    expect(await xsOf(pathToFileURL(own))).toEqual([0, 1, 2, 3]);
    expect(await xsOf(`${own}/run_?.cstore`)).toEqual([0, 1, 2]);
    expect(await xsOf(`${own}/*`)).toEqual([0, 1, 2, 3]);
    expect(await xsOf([one])).toEqual([3]);
    expect(await xsOf([one, own, `${own}/run_[12].cstore`, pathToFileURL(one)])).toEqual([3, 0, 1, 2, 3, 0, 1, 2, 3]);
    const bytes = new Uint8Array(readFileSync(one));
    expect(await xsOf([bytes, one, bytes.buffer])).toEqual([3, 3, 3]);
    await using blobs = await open([new Blob([bytes]), one]);
    expect(Array.from((await blobs.toColumns())['x'] as Int32Array)).toEqual([3, 3]);
  });

  it('one path is one file; a file whose name is a pattern is that file', async () => {
    const own = folderOf({ 'a[1].cstore': x(7), 'a1.cstore': x(1) });
    using table = openSync(join(own, 'a[1].cstore'));
    expect([xs(table), table.paths, table.path]).toEqual([[7], [table.path], join(own, 'a[1].cstore')]);
    expect((await table.info()).files).toBeNull();
    expect(await xsOf(join(own, 'a[12].cstore'))).toEqual([1]);
    // As in Python, what is no text is no pattern.
    expect(codeOf(() => openSync(pathToFileURL(join(own, 'a[2].cstore'))))).toBe('ERR_NOT_FOUND');
  });

  it('no file, an empty folder, an empty list', async () => {
    const own = folderOf({});
    for (const what of [own, []]) {
      await using table = await open(what);
      expect([table.rowCount, table.columnNames, table.paths, await table.toRows()]).toEqual([0, [], [], []]);
      expect(await table.info()).toMatchObject({ rowCount: 0, files: [], layout: 'mixed', columns: [] });
      expect(await schema(what)).toEqual([]);
    }
    await expect(open(`${own}/*.cstore`)).rejects.toMatchObject({ code: 'ERR_NOT_FOUND' });
    expect(codeOf(() => openSync([`${own}/none_*.cstore`]))).toBe('ERR_NOT_FOUND');
    expect(codeOf(() => openSync(join(own, 'none')))).toBe('ERR_NOT_FOUND');
    expect(codeOf(() => openSync([join(own, 'none')]))).toBe('ERR_NOT_FOUND');
  });

  it('what cannot be opened again is refused, and a damaged file named', async () => {
    const own = folderOf({ 'a.cstore': x(1) });
    const path = join(own, 'a.cstore');
    using source = openSourceSync(path) as ReturnType<typeof openSourceSync> & Disposable;
    expect(codeOf(() => openSync([path, source]))).toBe('ERR_ARGUMENT');
    expect(codeOf(() => openSync([[path] as unknown as string]))).toBe('ERR_ARGUMENT');
    expect(source.closed).toBe(false);
    writeFileSync(join(own, 'b.cstore'), 'no such file');
    await expect(open(own)).rejects.toThrow(/b\.cstore/u);
    expect(() => openSync(own)).toThrow(/b\.cstore/u);
  });
});

describe('columns', () => {
  it('are found by name: their order is that of the first file', async () => {
    const own = folderOf({
      '1.cstore': { x: Int32Array.of(1), y: Float64Array.of(1.5) },
      '2.cstore': { y: Float64Array.of(2.5, -0), x: Int32Array.of(2, 3) },
    });
    await using table = await open(own);
    expect(await table.toColumns()).toEqual({ x: Int32Array.of(1, 2, 3), y: Float64Array.of(1.5, 2.5, -0) });
    expect(await table.take([2, 0, -2]).toRows()).toEqual([
      { x: 3, y: -0 },
      { x: 1, y: 1.5 },
      { x: 2, y: 2.5 },
    ]);
    expect(await table.where('x > 1 and y > 0').toRows()).toEqual([{ x: 2, y: 2.5 }]);
    expect(await table.agg({ sum: { sum: 'x' }, most: { max: 'y' } })).toEqual({ sum: 6, most: 2.5 });
    expect(table.get({ start: 1 }, 'y').toArraySync()).toEqual(Float64Array.of(2.5, -0));
  });

  it('that differ are refused with file and column, or dropped', async () => {
    const own = folderOf({
      '1.cstore': { x: Int32Array.of(1), y: Float64Array.of(1), z: Int8Array.of(1) },
      '2.cstore': { z: Int8Array.of(2), x: Int32Array.of(2), y: Float32Array.of(2) },
    });
    const fault = /sources: .*2\.cstore: "y" float32 \(float64 there\)/u;
    await expect(open(own)).rejects.toMatchObject({
      code: 'ERR_SCHEMA',
      message: expect.stringMatching(fault) as string,
    });
    expect(() => openSync(own)).toThrow(fault);
    expect(() => infoSync(own)).toThrow(fault);
    await using table = await open(own, { onMismatch: 'drop' });
    expect(await table.toColumns()).toEqual({ x: Int32Array.of(1, 2), z: Int8Array.of(1, 2) });
    expect(table.infoSync()).toMatchObject({ droppedColumns: ['y'], rowCount: 2 });
    expect((await info(own, { onMismatch: 'drop' })).columns.map(({ name }) => name)).toEqual(['x', 'z']);
    expect(schemaSync(own, { onMismatch: 'drop' }).map(({ name }) => name)).toEqual(['x', 'z']);
    const other = folderOf({ '1.cstore': x(1), '2.cstore': { y: Int8Array.of(1) } });
    expect(codeOf(() => openSync(other, { onMismatch: 'drop' }))).toBe('ERR_SCHEMA');
    expect(codeOf(() => openSync(own, { onMismatch: 'keep' as 'drop' }))).toBe('ERR_ARGUMENT');
  });

  it('an option for the sources reaches each of them', async () => {
    const own = folderOf({ '1.cstore': x(1, 2), '2.cstore': x(3) });
    for (const options of [{ io: 'pread' }, { backend: 'js' }, { maxWorkers: 1 }, { verify: true }] as const) {
      await using table = await open(own, options);
      expect(xs(table)).toEqual([1, 2, 3]);
    }
    appendFileSync(join(own, '2.cstore'), 'junk');
    expect(xs(openSync(own))).toEqual([1, 2, 3]);
    await expect(open(own, { verify: true })).rejects.toThrow(/2\.cstore/u);
  });
});

it.each(['mapped', 'pread', 'memory'] as const)('every selector over files of every layout: %s', async (source) => {
  const rows = 41;
  const columns = allKinds(rows);
  const files = [...inEveryLayout(columns, rows).values()];
  const own = folderOf({});
  for (const [number, bytes] of files.entries()) writeFileSync(join(own, `${String(number)}.cstore`), bytes);
  const io = source === 'pread' ? 'pread' : 'auto';
  await using table = await open(source === 'memory' ? files : own, { io });
  const all = rows * files.length;
  const check = async (view: Table, picked: readonly number[]): Promise<void> => {
    for (const records of [view.toRecordsSync(), await view.toRecords()]) {
      for (const [number, column] of columns.entries()) {
        const { byteOffset } = records.fields[number]!;
        const found = picked.map((_, row) => {
          const start = records.byteOffset + row * records.byteStride + byteOffset;
          return Buffer.from(records.buffer, start, column.itemBytes).toString('hex');
        });
        const expected = picked.map((row) => Buffer.from(pickItems(column, [row % rows])).toString('hex'));
        expect(found).toEqual(expected);
      }
    }
  };
  const upTo = Array.from({ length: all }, (_, row) => row);
  await check(table, upTo);
  await check(
    table.slice(undefined, undefined, -3),
    upTo.toReversed().filter((_, row) => row % 3 === 0),
  );
  await check(table.slice(30, 100), upTo.slice(30, 100));
  const mixed = upTo.map((row) => (row * 97 + 13) % all);
  await check(table.take(mixed), mixed);
  await check(table.take(mixed.map((row) => row - all)), mixed);
  await check(table.take([40, 41, 41, 40, 0, -1]), [40, 41, 41, 40, 0, all - 1]);
  const kept = upTo.filter((row) => row % 5 !== 0 && (row < 60 || row > 130));
  await check(table.filter(Uint8Array.from(upTo, (row) => Number(kept.includes(row)))), kept);
});

/** Of one of many small files, in a folder that is made once. */
const small = (number: number) => [`part-${String(number)}.cstore`, x(number * 2, number * 2 + 1)] as const;
let manySmall: string | undefined;
const folderOfMany = (): string =>
  (manySmall ??= folderOf(Object.fromEntries(Array.from({ length: 150 }, (_, number) => small(number)))));

it('many small files: few are open at a time, and everything is found', async () => {
  const own = folderOfMany();
  await using table = await open(own);
  const descriptors = (): number => (process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0);
  const before = descriptors();
  expect(Array.from((await table.toColumns())['x'] as Int32Array)).toEqual(
    Array.from({ length: 300 }, (_, row) => row),
  );
  expect(descriptors() - before).toBeLessThanOrEqual(80);
  expect(xs(table.take([299, 0, 150, 149, 1]))).toEqual([299, 0, 150, 149, 1]);
  expect(await table.where(col('x').ge(290)).count()).toBe(10);
  expect(await table.orderBy({ column: 'x', descending: true }).head(2).toRows()).toEqual([{ x: 299 }, { x: 298 }]);
  table.close();
  expect(codeOf(() => xs(table))).toBe('ERR_CLOSED');
  expect(codeOf(() => table.infoSync())).toBe('ERR_CLOSED');
});

it('a file that is gone, or another one, when all are opened is named, and the others are closed', async () => {
  const descriptors = (): number => (process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0);
  for (const at of [0, 75, 149]) {
    const own = folderOfMany();
    const [name, data] = small(at);
    const path = join(own, name);
    await using table = await open(own);
    const before = descriptors();
    rmSync(path);
    await expect(table.toColumns()).rejects.toMatchObject({ code: 'ERR_NOT_FOUND', path });
    expect(codeOf(() => xs(table))).toBe('ERR_NOT_FOUND');
    writeSync(path, { x: Int32Array.of(1, 2, 3) });
    await expect(table.toColumns()).rejects.toMatchObject({ code: 'ERR_FILE_CHANGED', path });
    // Without the addon some files stay open, as many as ever.
    expect(descriptors() - before).toBeLessThanOrEqual(80);
    writeSync(path, data, { overwrite: true });
  }
});

it('manifests that are the same are parsed once, others by themselves', async () => {
  const columns = (names: string): Record<string, Int32Array> =>
    Object.fromEntries(Array.from(names, (name) => [name, Int32Array.of(1, 2)]));
  const own = folderOf({ '1.cstore': x(1), '2.cstore': x(2), '3.cstore': x(3) });
  const path = join(own, '2.cstore');
  const bytes = readFileSync(path);
  const name = bytes.indexOf('"x"');
  // Another name of the same length, under the old checksum.
  const damaged = Buffer.from(bytes);
  damaged.write('"y"', name);
  writeFileSync(path, damaged);
  await expect(open(own)).rejects.toMatchObject({ code: 'ERR_CRC', path });
  expect(codeOf(() => openSync(own))).toBe('ERR_CRC');
  writeSync(path, columns('y'), { overwrite: true });
  await expect(open(own)).rejects.toMatchObject({ code: 'ERR_SCHEMA' });
  writeSync(path, columns('xy'), { overwrite: true });
  await expect(open(own)).rejects.toMatchObject({ code: 'ERR_SCHEMA' });
  await using common = await open(own, { onMismatch: 'drop' });
  expect([common.columnNames, xs(common)]).toEqual([['x'], [1, 1, 2, 3]]);
  // Flat manifests have the rows in them.
  const flat = folderOf({});
  for (const [number, values] of [[1], [2], [3, 4], [5]].entries())
    writeSync(join(flat, `${String(number)}.cstore`), { x: Int32Array.from(values) }, { layout: 'flat' });
  await using table = await open(flat);
  expect([table.rowCount, xs(table)]).toEqual([5, [1, 2, 3, 4, 5]]);
});

it('a view of a column reaches within one file', async () => {
  const own = folderOf({ '1.cstore': x(1, 2), '2.cstore': x(3, 4, 5) });
  await using table = await open(own);
  expect(codeOf(() => table.column('x').viewArray())).toBe('ERR_NOT_CONTIGUOUS');
  const found = codeOf(() => table.column('x').slice(2, 5).viewArray());
  expect(['ERR_NOT_MAPPED', Int32Array.of(3, 4, 5)]).toContainEqual(found);
});
