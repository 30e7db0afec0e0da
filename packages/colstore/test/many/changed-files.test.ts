// What happens to a table of many files when they change: each is opened when its rows are needed.
import {
  closeSync as closeFile,
  copyFileSync,
  openSync as openFile,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync as writeAt,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { objectServer } from '@colkit/testkit/object-server';
import { describe, expect, it } from 'vitest';
import { open, openSync, writeSync } from '../../src/index.ts';
import type { ColStore } from '../../src/index.ts';
import { counters64, recordFile, recordManifest } from '../support/files.ts';
import { codeOf, foldersOfFiles, x, xs, xsOf } from '../support/folder-of-files.ts';

const folderOf = foldersOfFiles();

describe('files that change', () => {
  it('replaced, shortened or removed: told, never mixed', async () => {
    const own = folderOf({ '1.cstore': x(1, 2), '2.cstore': x(3, 4) });
    const second = join(own, '2.cstore');
    const fresh = (): ColStore => openSync(own);
    const table = fresh();
    writeSync(second, x(5, 6), { overwrite: true });
    expect(codeOf(() => xs(table))).toBe('ERR_FILE_CHANGED');
    await expect(table.toColumns()).rejects.toMatchObject({ code: 'ERR_FILE_CHANGED' });
    expect(xs(table.head(2))).toEqual([1, 2]);
    const other = fresh();
    expect(xs(fresh())).toEqual([1, 2, 5, 6]);
    writeFileSync(second, readFileSync(second).subarray(0, -1));
    expect(codeOf(() => xs(other))).toBe('ERR_FILE_CHANGED');
    rmSync(second);
    expect(codeOf(() => xs(other))).toBe('ERR_NOT_FOUND');
    for (const each of [table, other]) each.close();
  });

  it('removed and written anew with as many rows: told, also where the system gives the inode out again', async () => {
    const own = folderOf({ '1.cstore': x(1, 2), '2.cstore': x(3, 4) });
    const second = join(own, '2.cstore');
    await using table = await open(own);
    const before = statSync(second).ino;
    for (let tries = 0; tries < 20 && (tries === 0 || statSync(second).ino !== before); tries += 1) {
      await setTimeout(10);
      rmSync(second);
      writeSync(second, x(50 + tries, 6));
    }
    expect(codeOf(() => xs(table))).toBe('ERR_FILE_CHANGED');
    await expect(table.toColumns()).rejects.toMatchObject({ code: 'ERR_FILE_CHANGED', path: second });
  });

  it('another object of the same length at a URL: told, also where ETags begin with the length', async () => {
    let tags = 0;
    const server = await objectServer((bytes) => `"${bytes.length.toString(16)}-${String((tags += 1))}"`);
    const own = folderOf({ '1.cstore': x(1, 2), '2.cstore': x(3, 4), 'other.cstore': x(5, 6) });
    for (const name of ['1.cstore', '2.cstore']) server.objects.set(name, readFileSync(join(own, name)));
    const table = await open([server.url('1.cstore'), server.url('2.cstore')]);
    server.objects.set('2.cstore', readFileSync(join(own, 'other.cstore')));
    await expect(table.toColumns()).rejects.toMatchObject({ code: 'ERR_FILE_CHANGED' });
    table.close();
    await server.close();
  });

  it.each([true, false])(
    'cut: the file is named, rows of the others are there; opened before: %s',
    async (isOpened) => {
      const values = (number: number): Int32Array => Int32Array.from({ length: 10 }, (_, row) => 10 * number + row);
      const files = Array.from(
        { length: 20 },
        (_, number) => [`${String(number)}.cstore`, { x: values(number) }] as const,
      );
      const own = folderOf(Object.fromEntries(files));
      const others = Array.from({ length: 200 }, (_, row) => row).filter((row) => row < 110 || row >= 120);
      await using table = await open(own);
      if (isOpened) expect(xs(table).length).toBe(200);
      const path = join(own, '11.cstore');
      truncateSync(path, statSync(path).size - 4);
      expect(codeOf(() => xs(table))).toBe('ERR_FILE_CHANGED');
      await expect(table.toColumns()).rejects.toMatchObject({ code: 'ERR_FILE_CHANGED', path });
      expect(() => table.toColumnsSync()).toThrow(path);
      expect(xs(table.take(others))).toEqual(others);
      expect((await table.take(others).toColumns())['x']).toEqual(Int32Array.from(others));
      expect(xs(table.slice(0, 110)).length).toBe(110);
    },
  );

  it('grown: what was there when the table was opened; another file in its place is refused', async () => {
    const manifest = recordManifest([{ name: 'x', descr: '<i4' }]);
    const record = (...values: number[]): { rows: number; body: Uint8Array } => ({
      rows: values.length,
      body: new Uint8Array(Int32Array.from(values).buffer),
    });
    const early = recordFile(counters64(1, 2), manifest, [record(1, 2)]);
    const grown = recordFile(counters64(2, 5), manifest, [record(1, 2), record(3, 4, 5)]);
    const own = folderOf({ '2.cstore': x(9) });
    const path = join(own, '1.cstore');
    writeFileSync(path, early);
    const table = await open(own);
    expect(xs(table.slice(2))).toEqual([9]);
    // As a writer appends: behind the committed rows, and then the counters.
    const file = openFile(path, 'r+');
    writeAt(file, grown, 0, grown.length, 0);
    closeFile(file);
    expect(xs(table)).toEqual([1, 2, 9]);
    expect(await xsOf(own)).toEqual([1, 2, 3, 4, 5, 9]);
    writeSync(join(own, '3.cstore'), x(10));
    await using now = await table.reload();
    expect([xs(now), xs(table)]).toEqual([
      [1, 2, 3, 4, 5, 9, 10],
      [1, 2, 9],
    ]);
    table.close();
    const late = await open(own);
    copyFileSync(path, join(own, 'other'));
    renameSync(join(own, 'other'), path);
    await expect(late.toColumns()).rejects.toMatchObject({ code: 'ERR_FILE_CHANGED' });
    late.close();
  });
});
