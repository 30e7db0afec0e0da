// Readers that are open while a file grows: they keep the rows that were committed when they opened it, mapped or read
// by position, with a footer behind them and without; reload() sees what was committed since.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { backendInfo, col, compact, create, open, openSync, update, writeSync } from '../../src/index.ts';

const root = mkdtempSync(join(tmpdir(), 'colstore-readers-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let path = '';
beforeEach(() => {
  path = join(mkdtempSync(join(root, 'test-')), 'log.cstore');
});
const MODES = backendInfo().backend === 'native' ? (['mmap', 'pread'] as const) : (['pread'] as const);
const rows = (first: number, count: number) => ({ x: Int32Array.from({ length: count }, (_, row) => first + row) });

it.each(MODES.flatMap((io) => [true, false].map((statistics) => [io, statistics] as const)))(
  '%s, statistics %s: rows stay, before, during and after each commit',
  async (io, statistics) => {
    await using first = await create(path, { statistics });
    for (let record = 0; record < 500; record += 1) await first.write(rows(record * 10, 10));
    await first.close();
    using ds = openSync(path, { io });
    const view = ds.slice(-5);
    const check = async (): Promise<void> => {
      expect((await ds.column('x').toArray()).length).toBe(5000);
      expect([...ds.column('x').toArraySync()].every((value, row) => value === row)).toBe(true);
      expect([...view.column('x').toArraySync()]).toEqual([4995, 4996, 4997, 4998, 4999]);
      expect(await ds.where(col('x').ge(4990)).count()).toBe(10);
      expect(await ds.column('x').max()).toBe(4999);
    };
    await check();
    const writer = await update(path);
    for (let record = 500; record < 502; record += 1) {
      // Less than the footer takes, then more.
      await writer.write(rows(record * 10, 10));
      await check();
      await writer.checkpoint();
      await check();
      using now = await ds.reload();
      expect([now.rowCount, await now.where(col('x').ge(4990)).count()]).toEqual([
        (record + 1) * 10,
        10 + (record - 499) * 10,
      ]);
    }
    await writer.write(rows(5020, 100_000));
    await check();
    await writer.close();
    await check();
    using last = ds.reloadSync();
    expect([ds.rowCount, last.rowCount, last.column('x').maxSync()]).toEqual([5000, 105_020, 105_019]);
  },
);

it('reload sees a compacted file; one with other columns is refused, and so is a closed one', async () => {
  await using writer = await create(path);
  await writer.write(rows(0, 3));
  await writer.write(rows(3, 3));
  await writer.close();
  const ds = await open(path);
  await compact(path);
  using compacted = await ds.reload();
  expect([(await compacted.info()).recordCount, compacted.rowCount]).toEqual([1, 6]);
  expect((await ds.info()).recordCount).toBe(2);
  writeSync(path, { y: [1] }, { overwrite: true });
  await expect(ds.reload()).rejects.toMatchObject({ code: 'ERR_FILE_CHANGED' });
  ds.close();
  await expect(ds.reload()).rejects.toMatchObject({ code: 'ERR_CLOSED' });
});
