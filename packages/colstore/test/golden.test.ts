// The releases' own files, both ways: every column of every golden file is read to the exact bytes and values, from
// every kind of source; and what we write from the same columns is the same file, byte for byte.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadGoldenTables } from '@colkit/testkit';
import type { GoldenTable } from '@colkit/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  FILE_EXTENSION,
  backendInfo,
  info,
  infoSync,
  open,
  openSync,
  toISO,
  typed,
  write,
  writeSync,
} from '../src/index.ts';
import type { ColStore, DType, FileForm } from '../src/index.ts';
import { parseDescr } from '../src/layout/descr.ts';

const RELEASES = ['described', 'colstore-0.1.0', 'colstore-0.2.0', 'colstore-0.5.1'] as const;
const tables = (release: string): readonly GoldenTable[] =>
  loadGoldenTables(new URL(`./golden/${release}/`, import.meta.url), FILE_EXTENSION);
const WIRE = {
  described: 'flat-unchecked',
  'colstore-0.1.0': 'flat',
  'colstore-0.2.0': 'records-32',
  'colstore-0.5.1': 'records-64',
} as const;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'colstore-golden-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('runs on the backend that this project is for', () => {
  expect(backendInfo().backend).toBe(process.env['COLKIT_BACKEND']);
});

/** A value as the golden JSON has it. */
function readable(value: unknown, dtype: DType): string | boolean {
  if (typeof value === 'boolean') return value;
  if (dtype.startsWith('datetime64')) return toISO(value as bigint, dtype).replace(/Z$/, '');
  if (dtype.startsWith('timedelta64')) return value === -(2n ** 63n) ? 'NaT' : String(value);
  if (dtype.startsWith('S')) return Buffer.from(value as string, 'latin1').toString('hex');
  if (dtype.startsWith('float')) return Number.isNaN(value) ? 'nan' : Object.is(value, -0) ? '-0' : String(value);
  return String(value);
}

/** Python's repr of a float, as JavaScript would print it. */
const asWritten = (value: string | boolean, dtype: DType): string | boolean =>
  typeof value === 'string' && dtype.startsWith('float')
    ? value === 'nan'
      ? 'nan'
      : value === 'inf'
        ? 'Infinity'
        : value === '-inf'
          ? '-Infinity'
          : value === '-0.0'
            ? '-0'
            : String(Number(value))
    : value;

function expectTable(store: ColStore, table: GoldenTable): void {
  expect(store.rowCount).toBe(table.rowCount);
  expect(store.columnNames).toEqual(table.columns.map(({ name }) => name));
  const raw = store.toColumnMapSync({ strings: 'bytes' });
  for (const { name, dtype, bytes, values } of table.columns) {
    const array = raw.get(name) as Uint8Array;
    expect(
      Buffer.from(array.buffer, array.byteOffset, array.byteLength).equals(bytes),
      `${table.name}: bytes of ${name}`,
    ).toBe(true);
    const column = store.column(name);
    expect(column.dtype).toBe(parseDescr(dtype)?.dtype.name);
    const step = Math.max(1, Math.floor(values.length / 50));
    for (let row = 0; row < values.length; row += step) {
      expect(readable(column.atSync(row), column.dtype), `${table.name}: ${name}[${String(row)}]`).toBe(
        asWritten(values[row]!, column.dtype),
      );
    }
  }
}

describe.each(RELEASES)('%s', (release) => {
  const golden = tables(release);

  it.each(golden.filter(({ error }) => error === null))(
    'reads $name from a path, by position, and from memory',
    (table) => {
      for (const store of [openSync(table.path), openSync(table.path, { io: 'pread' }), openSync(table.file)]) {
        expectTable(store, table);
        expect(store.infoSync()).toMatchObject({
          wire: WIRE[release],
          layout: WIRE[release].slice(0, 4) === 'flat' ? 'flat' : 'records',
          rowCount: table.rowCount,
          recordCount: table.recordRows.length,
        });
        store.close();
      }
    },
  );

  it.each(golden.filter(({ error }) => error !== null))('refuses $name', (table) => {
    expect(() => openSync(table.path)).toThrow(expect.objectContaining({ name: table.error, code: 'ERR_DTYPE' }));
    expect(() => openSync(table.path)).toThrow(/column "z": unsupported dtype "<c16"/);
  });
});

describe('reads asynchronously as well', () => {
  it.each(tables('colstore-0.5.1'))('$name from a Blob', async (table) => {
    const store = await open(new Blob([table.file]));
    const raw = await store.toColumnMap({ strings: 'bytes' });
    for (const { name, bytes } of table.columns) {
      const array = raw.get(name) as Uint8Array;
      expect(Buffer.from(array.buffer, array.byteOffset, array.byteLength).equals(bytes)).toBe(true);
    }
    expect((await info(table.path)).statistics === null).toBe(!table.hasStatistics);
  });
});

/** The golden columns as a user of this package would hand them in. */
const columnsOf = (table: GoldenTable): [string, ReturnType<typeof typed>][] =>
  table.columns.map(({ name, dtype, bytes }) => {
    const { dtype: info } = parseDescr(dtype)!;
    const values = openSync(table.path).column(name);
    return [
      name,
      typed(
        info.name,
        info.kind === 'bytes' || info.kind === 'unicode' ? bytes : (values.toArraySync() as Float64Array),
      ),
    ];
  });

describe('writes what the releases wrote', () => {
  const cases: readonly (readonly [string, FileForm, readonly GoldenTable[]])[] = [
    ['0.1.0', 'flat', tables('colstore-0.1.0')],
    [
      '0.5.1',
      'records',
      tables('colstore-0.5.1').filter(({ recordRows, hasStatistics }) => recordRows.length === 1 && !hasStatistics),
    ],
  ];

  for (const [release, layout, golden] of cases) {
    it(`${release}: has ${layout === 'flat' ? 'nine flat' : 'nine single-record'} files to compare`, () =>
      expect(golden).toHaveLength(9));

    it.each(golden)(`${release}: $name from columns`, async (table) => {
      const path = join(folder, `${release}-${table.name}.cstore`);
      const written = await write(path, columnsOf(table), { layout });
      expect(readFileSync(path).equals(table.file)).toBe(true);
      expect(written).toEqual(infoSync(path));
    });

    it.each(golden)(`${release}: $name from the release's own file as a lazy table, in pieces of 5 rows`, (table) => {
      const path = join(folder, `${release}-${table.name}-lazy.cstore`);
      writeSync(path, openSync(table.path), { layout, ...(table.rowCount > 2000 ? {} : { batchRows: 5 }) });
      expect(readFileSync(path).equals(table.file)).toBe(true);
    });
  }

  it('the same table of every release is the same file again', () => {
    for (const { name, path } of tables('colstore-0.2.0').filter(({ recordRows }) => recordRows.length > 1)) {
      const from32 = join(folder, `${name}-32.cstore`);
      const from64 = join(folder, `${name}-64.cstore`);
      writeSync(from32, openSync(path));
      writeSync(from64, openSync(tables('colstore-0.5.1').find((table) => table.name === name)!.path));
      expect(readFileSync(from32).equals(readFileSync(from64))).toBe(true);
    }
  });
});
