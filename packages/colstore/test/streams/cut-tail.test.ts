// Readers that are open when a dead writer's bytes are cut, or a footer: they keep the committed rows, mapped and read
// by position, whatever they did before; and readers that open a file while it is written to.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { backendInfo, col, create, open, openSync, updateSync } from '../../src/index.ts';
import type { Table } from '../../src/index.ts';

const root = fs.mkdtempSync(join(tmpdir(), 'colstore-cut-'));
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));
let folder = '';
let path = '';
beforeEach(() => {
  folder = fs.mkdtempSync(join(root, 'test-'));
  path = join(folder, 'log.cstore');
});
const MODES = backendInfo().backend === 'native' ? (['mmap', 'pread'] as const) : (['pread'] as const);
const rows = (first: number, count: number) => ({ x: Int32Array.from({ length: count }, (_, row) => first + row) });
const firstOf = (table: Table): unknown => table.head(1).column('x').toArraySync()[0];
const ROWS = 3000;

/** Committed rows, and behind them what a writer left that died: a whole record, or a part of one. */
async function deadWriter(statistics: boolean, left: number): Promise<void> {
  await using writer = await create(path, { statistics });
  for (let record = 0; record < 30; record += 1) await writer.write(rows(record * 100, 100));
  await writer.close();
  fs.appendFileSync(path, new Uint8Array(left).fill(7));
}

const CASES = MODES.flatMap((io) =>
  [true, false].flatMap((statistics) => [1, 5000, 3_000_000].map((left) => [io, statistics, left] as const)),
);

it.each(CASES)('%s, statistics %s, %i bytes left: the rows stay', async (io, statistics, left) => {
  await deadWriter(statistics, left);
  // One that was not read yet, one that was, one with a view, and one that knows the statistics.
  const tables = [openSync(path, { io }), await open(path, { io }), openSync(path, { io }), openSync(path, { io })];
  expect(await tables[1]!.column('x').max()).toBe(ROWS - 1);
  for (let row = 0; row < 12; row += 1) expect(firstOf(tables[1]!.slice(row))).toBe(row);
  const view = io === 'mmap' ? tables[2]!.slice(0, 100).column('x').viewArray() : null;
  expect((await tables[3]!.info()).statistics === null).toBe(!statistics || left > 0);
  updateSync(path).closeSync();
  const check = async (): Promise<void> => {
    for (const table of tables) {
      expect(table.rowCount).toBe(ROWS);
      expect([...((await table.toColumns())['x'] as Int32Array)].every((value, row) => value === row)).toBe(true);
      expect([...table.slice(-2).column('x').toArraySync()]).toEqual([2998, 2999]);
      expect(await table.where(col('x').ge(2990)).count()).toBe(10);
      expect(await table.column('x').max()).toBe(ROWS - 1);
      expect((await table.info()).rowCount).toBe(ROWS);
    }
    if (view !== null) expect([view[0], view[99]]).toEqual([0, 99]);
  };
  await check();
  const writer = updateSync(path);
  writer.writeSync(rows(ROWS, 100));
  await check();
  writer.closeSync();
  await check();
  for (const table of tables) {
    using now = await table.reload();
    expect([now.rowCount, await now.column('x').max()]).toEqual([3100, 3099]);
    table.close();
  }
});

it.each(MODES)('%s: of a folder too, and what is committed is still not to be cut', async (io) => {
  await deadWriter(false, 100_000);
  using table = openSync([folder, path], { io });
  using same = openSync(path, { io });
  expect(firstOf(same)).toBe(0);
  updateSync(path).closeSync();
  expect(await table.column('x').sum()).toBe(2 * Number(same.column('x').sumSync()));
  expect(table.toColumnsSync()['x']).toHaveLength(2 * ROWS);
  fs.truncateSync(path, 4000);
  for (const each of [table, same]) await expect(each.toColumns()).rejects.toMatchObject({ code: 'ERR_FILE_CHANGED' });
});

/** What happens between the moment at which a file's size is asked for and its first bytes are read. */
function atFirstRead<T>(happens: () => unknown, open: () => T): T {
  const { readSync } = fs;
  const real = readSync as (...given: unknown[]) => number;
  const restore = (): void => {
    fs.readSync = readSync;
    syncBuiltinESMExports();
  };
  fs.readSync = ((...given: unknown[]) => {
    restore();
    happens();
    return real(...given);
  }) as typeof readSync;
  syncBuiltinESMExports();
  try {
    return open();
  } finally {
    restore();
  }
}

it.each(MODES)('%s: a file that is opened in the moment of a commit, and of a cut', async (io) => {
  await deadWriter(true, 0);
  const commit = (): void => {
    const writer = updateSync(path);
    writer.writeSync(rows(ROWS, 1000));
    writer.closeSync();
  };
  using grown = atFirstRead(commit, () => openSync(path, { io }));
  expect([grown.rowCount, grown.column('x').maxSync()]).toEqual([4000, 3999]);
  using many = atFirstRead(
    () => fs.appendFileSync(path, 'a dead one'),
    () => openSync([path], { io }),
  );
  expect(many.rowCount).toBe(4000);
  const cut = (): unknown => updateSync(path).closeSync();
  using after = atFirstRead(cut, () => openSync(path, { io }));
  expect([after.rowCount, after.column('x').maxSync()]).toEqual([4000, 3999]);
  // What stays damaged is told.
  fs.truncateSync(path, 4000);
  expect(() => openSync(path, { io })).toThrow(expect.objectContaining({ code: 'ERR_TRUNCATED' }));
});
