// Every remedy that an error prints, tried: what it says to call works, on the data that failed.
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { infoSync, open, openSync, typed, verifySync, write, writeSync } from '../src/index.ts';
import { errorOf } from './support/files.ts';

const golden = (path: string): string => new URL(`./golden/${path}`, import.meta.url).pathname;

const folder = mkdtempSync(join(tmpdir(), 'colstore-remedies-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const native = process.env['COLKIT_BACKEND'] === 'native';

const NUMBERS = { n: Int32Array.of(10, 11, 12, 13) };
let files = 0;
const newPath = (): string => join(folder, `${String((files += 1))}.cstore`);
const stored = (): string => {
  const path = newPath();
  writeSync(path, NUMBERS);
  return path;
};
/** A copy of a file with three records, in the layout that today's Python reads. */
const threeRecords = (): string => {
  const path = newPath();
  copyFileSync(golden('colstore-0.5.1/three_records.cstore'), path);
  return path;
};

interface Remedy {
  readonly what: string;
  readonly fails: () => unknown;
  readonly says: RegExp;
  readonly helps: () => unknown;
  readonly gives: unknown;
}

const folderOf = (count: number): string => {
  const path = mkdtempSync(join(folder, 'files-'));
  for (let file = 0; file < count; file++) copyFileSync(stored(), join(path, `${String(file)}.cstore`));
  return path;
};

const REMEDIES: readonly Remedy[] = [
  {
    what: 'a folder where a file belongs',
    says: /open \(colstore\)/,
    fails: () => verifySync(folderOf(2)),
    helps: () => openSync(folderOf(2)).rowCount,
    gives: 8,
  },
  {
    what: 'a mask that holds row numbers',
    says: /take\(/,
    fails: () =>
      openSync(stored())
        .get(Uint8Array.of(3, 2, 1, 0))
        .toColumnsSync(),
    helps: () =>
      openSync(stored())
        .take(Uint8Array.of(3, 2, 1, 0))
        .toColumnsSync()['n'],
    gives: Int32Array.of(13, 12, 11, 10),
  },
  {
    what: 'the same in filter',
    says: /take\(/,
    fails: () =>
      openSync(stored())
        .column('n')
        .filter(Uint8Array.of(3, 2, 1, 0)).length,
    helps: () =>
      openSync(stored())
        .column('n')
        .take(Uint8Array.of(3, 2, 1, 0))
        .toArraySync(),
    gives: Int32Array.of(13, 12, 11, 10),
  },
  {
    what: 'a path that exists',
    says: /\{ overwrite: true \}/,
    fails: () => {
      const path = stored();
      writeSync(path, NUMBERS);
    },
    helps: () => writeSync(stored(), NUMBERS, { overwrite: true }).rowCount,
    gives: 4,
  },
  {
    what: 'text without a width',
    says: /typed\('U16', values\).*typed\('S16', values\)/,
    fails: () => writeSync(newPath(), { t: ['a', 'bc'] }),
    helps: () => {
      const path = newPath();
      writeSync(path, { t: typed('U16', ['a', 'bc']), s: typed('S16', ['a', 'bc']) });
      return openSync(path)
        .toRowsSync()
        .map(({ t, s }) => [t, s]);
    },
    gives: [
      ['a', 'a'],
      ['bc', 'bc'],
    ],
  },
  {
    what: 'a view of picked rows',
    says: /use toArray\(\)/,
    fails: () => openSync(stored()).column('n').take([1]).viewArray(),
    helps: () => openSync(stored()).column('n').take([1]).toArraySync(),
    gives: Int32Array.of(11),
  },
  {
    what: 'views of picked rows',
    says: /use toColumns\(\)/,
    fails: () => openSync(stored()).where('n > 11').viewColumns(),
    helps: () => openSync(stored()).where('n > 11').toColumnsSync()['n'],
    gives: Int32Array.of(12, 13),
  },
  {
    what: 'the row count of a predicate',
    says: /await count\(\), or countSync\(\)/,
    fails: () => openSync(stored()).where('n > 11').rowCount,
    helps: () => openSync(stored()).where('n > 11').countSync(),
    gives: 2,
  },
  {
    what: 'foreign byte order',
    says: /toArray\(\)/,
    fails: () => openSync(golden('described/big_endian.cstore')).viewColumns(),
    helps: () =>
      openSync(golden('described/big_endian.cstore')).columnNames.length > 0 &&
      openSync(golden('described/big_endian.cstore')).toColumnsSync() !== null,
    gives: true,
  },
];

test.each(REMEDIES)('$what', async ({ fails, says, helps, gives, what }) => {
  const error = errorOf(fails) as Error;
  // Without the addon there is one answer to all views of stored columns, and it names the same way out.
  if (native || !/view|byte order/.test(what)) expect(error.message).toMatch(says);
  else expect(error.message).toMatch(/method that copies|toArray|toColumns/);
  expect(await helps()).toEqual(gives);
});

test('rows of several records: toArray() copies them; the rewritten file has one record, in its layout', async () => {
  const path = threeRecords();
  const before = infoSync(path);
  const table = await open(path);
  const [name] = table.columnNames as [string];
  if (native)
    expect(() => table.column(name).viewArray()).toThrow(/toArray\(\).*write\(path, table, \{ overwrite: true \}\)/);
  const values = await table.column(name).toArray();
  await write(path, table, { overwrite: true });
  table.close();
  expect(infoSync(path)).toMatchObject({ layout: 'records', wire: 'records-64', rowCount: before.rowCount });
  const again = await open(path);
  if (native) expect(again.column(name).viewArray()).toEqual(values);
  expect(await again.column(name).toArray()).toEqual(values);
  again.close();
});

test('a rewritten file keeps the layout of what was read, views of it too, unless told otherwise', async () => {
  const [flat, records] = [newPath(), newPath()];
  await write(flat, NUMBERS);
  await write(records, NUMBERS, { layout: 'records' });
  const layoutOf = async (
    from: string,
    change: (table: Awaited<ReturnType<typeof open>>) => Parameters<typeof write>[1],
    options = {},
  ): Promise<string> => {
    const path = newPath();
    const table = await open(from);
    await write(path, change(table), options);
    writeSync(path, change(table), { ...options, overwrite: true });
    table.close();
    return infoSync(path).layout;
  };
  expect(infoSync(flat).layout).toBe('flat');
  for (const [from, layout] of [
    [flat, 'flat'],
    [records, 'records'],
  ] as const) {
    expect(await layoutOf(from, (table) => table)).toBe(layout);
    expect(await layoutOf(from, (table) => table.slice(1, 3).select('n'))).toBe(layout);
    expect(await layoutOf(from, (table) => table.where('n > 11'))).toBe(layout);
    expect(await layoutOf(from, (table) => table, { layout: 'flat' })).toBe('flat');
    expect(await layoutOf(from, (table) => table, { layout: 'records' })).toBe('records');
    // Arrays come from no file.
    expect(await layoutOf(from, (table) => table.toColumnsSync())).toBe('flat');
  }
});
