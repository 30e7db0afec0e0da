// The numbered conformance behaviours of the format's notes (1-22 and 37-56), with our error classes. What the notes
// expect of Python is said in the titles.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { alignUp } from '@colkit/io';
import { bytesOfHex, loadGoldenTables } from '@colkit/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Table, info, infoSync, openSync, typed, write, writeSync } from '../src/index.ts';
import type { ColStore, FileForm, TableInput } from '../src/index.ts';
import {
  concat,
  counters32,
  counters64,
  errorOf,
  flatFile,
  recordFile,
  recordHeader,
  recordManifest,
  text,
} from './support/files.ts';

let folder = '';
let files = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'colstore-conformance-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const newPath = (): string => join(folder, `${String((files += 1))}.cstore`);
const golden = (path: string): string => new URL(`./golden/${path}`, import.meta.url).pathname;

function written(data: TableInput, layout: FileForm = 'flat'): { path: string; store: ColStore } {
  const path = newPath();
  writeSync(path, data, { layout });
  return { path, store: openSync(path) };
}

const FORMS = ['flat', 'records'] as const;
const plain = (columns: object): object => Object.assign(Object.create(null) as object, columns);
const BODY = bytesOfHex('010000000200000003000000010001');
const XB = [
  { name: 'x', descr: '<i4' },
  { name: 'b', descr: '|b1' },
];
const oneRecord = (): Uint8Array => recordFile(counters64(1, 3), recordManifest(XB), [{ rows: 3, body: BODY }]);

describe('format', () => {
  it('1. align_up', () => expect([0, 1, 63, 64, 65].map((value) => alignUp(value, 64))).toEqual([0, 64, 64, 64, 128]));

  it.each(FORMS)('2. 100 rows of x:f4, y:i8 (%s)', async (layout) => {
    const path = newPath();
    const result = await write(path, { x: new Float32Array(100), y: new BigInt64Array(100) }, { layout });
    expect(result).toMatchObject({
      formatVersion: 1,
      recordCount: 1,
      rowCount: 100,
      hasChecksum: true,
      uncommittedBytes: 0,
      needsCompaction: false,
      statistics: null,
    });
    expect(result.columns.map(({ name, descr, itemBytes }) => [name, descr, itemBytes])).toEqual([
      ['x', '<f4', 4],
      ['y', '<i8', 8],
    ]);
    expect(result.dataOffset % 64).toBe(0);
    expect(await info(path)).toEqual(result);
  });

  it.each([
    ['flat', 0],
    ['records', 32],
  ] as const)('3. columns lie back to back (%s)', (layout, before) => {
    const a = Float32Array.from({ length: 10 }, (_, row) => row + 0.5);
    const b = BigInt64Array.from({ length: 10 }, (_, row) => BigInt(row) << 40n);
    const { path } = written({ a, b }, layout);
    const { dataOffset } = infoSync(path);
    const file = readFileSync(path);
    expect(file.subarray(dataOffset + before, dataOffset + before + 40)).toEqual(Buffer.from(a.buffer));
    expect(file.subarray(dataOffset + before + 40, dataOffset + before + 120)).toEqual(Buffer.from(b.buffer));
  });

  it('4. a foreign file and an empty one', () => {
    expect(errorOf(() => openSync(text('NOTCSTOR and more')))).toMatchObject({
      name: 'CorruptFileError',
      code: 'ERR_MAGIC',
    });
    expect(errorOf(() => openSync(new Uint8Array(0)))).toMatchObject({
      name: 'CorruptFileError',
      code: 'ERR_TRUNCATED',
    });
    const path = newPath();
    writeFileSync(path, '');
    expect(errorOf(() => openSync(path))).toMatchObject({ name: 'CorruptFileError', path });
  });

  it.each(FORMS)('5. every number dtype: the bytes of 64 values are in their place (%s)', (layout) => {
    const numbers = Array.from({ length: 64 }, (_, row) => row * 3);
    const columns = [
      Int8Array,
      Uint8Array,
      Int16Array,
      Uint16Array,
      Int32Array,
      Uint32Array,
      Float32Array,
      Float64Array,
    ].map((type) => new type(numbers.map((value) => (type.name.startsWith('U') ? value : value - 90))));
    const big = [BigInt64Array, BigUint64Array].map((type) => new type(numbers.map((value) => BigInt(value) << 50n)));
    const named: [string, (typeof columns)[number] | (typeof big)[number]][] = [...columns, ...big].map(
      (array, index) => [`c${String(index)}`, array],
    );
    const { path, store } = written(named, layout);
    const file = readFileSync(path);
    let at = store.infoSync().dataOffset + (layout === 'records' ? 32 : 0);
    for (const [name, array] of named) {
      expect(file.subarray(at, at + array.byteLength)).toEqual(Buffer.from(array.buffer));
      expect(store.column(name).toArraySync()).toEqual(array);
      at += array.byteLength;
    }
  });

  it('6. big-endian input is stored little-endian', () => {
    const { path, store } = written(openSync(golden('described/big_endian.cstore')));
    expect(infoSync(path).columns.map(({ descr }) => descr)).toEqual(['<f8', '<i2']);
    expect(store.toColumnsSync()).toEqual(plain({ x: Float64Array.of(1.5, -2, 3.25), k: Int16Array.of(1, -2, 3) }));
  });

  it.each(FORMS)('7. the manifest says encoding raw, nullable false, and has its checksum (%s)', (layout) => {
    const { path } = written({ x: Int32Array.of(1) }, layout);
    const file = readFileSync(path, 'latin1');
    const manifest = JSON.parse(file.slice(file.indexOf('{"'), file.lastIndexOf('}') + 1)) as {
      columns: object[];
      manifest_crc32: number;
    };
    expect(manifest.columns).toEqual([{ name: 'x', dtype: '<i4', encoding: 'raw', nullable: false }]);
    const rows = layout === 'flat' ? ', "n_rows": 1' : '';
    expect(manifest.manifest_crc32).toBe(
      crc32(`{"columns": [{"dtype": "<i4", "encoding": "raw", "name": "x", "nullable": false}]${rows}}`),
    );
  });

  it.each(FORMS)('8. a renamed column is a checksum error (%s)', (layout) => {
    const { path } = written({ alpha: Int32Array.of(1, 2) }, layout);
    writeFileSync(path, Buffer.from(readFileSync(path, 'latin1').replace('alpha', 'ALPHA'), 'latin1'));
    const error = errorOf(() => openSync(path));
    expect(error).toMatchObject({ name: 'CorruptFileError', code: 'ERR_CRC', region: 'manifest', path });
    expect((error as Error).message).toContain('checksum');
  });

  it('9. a changed counter is found before the manifest is parsed', () => {
    const bytes = oneRecord();
    bytes[8] = 9;
    bytes[82] = 0xff;
    expect(errorOf(() => openSync(bytes))).toMatchObject({ code: 'ERR_CRC', region: 'counters' });
  });

  it('10. format_version 999', () => {
    const manifest = recordManifest(XB).replace('"format_version": 1', '"format_version": 999');
    const error = errorOf(() => openSync(recordFile(counters64(1, 3), manifest, [{ rows: 3, body: BODY }])));
    expect(error).toMatchObject({ name: 'UnsupportedError', code: 'ERR_VERSION' });
    expect((error as Error).message).toContain('format_version 999');
  });

  it.each(FORMS)('11. without its last 8 bytes (%s)', (layout) => {
    const { path } = written({ x: new Float64Array(100) }, layout);
    expect(errorOf(() => openSync(readFileSync(path).subarray(0, -8)))).toMatchObject({
      name: 'CorruptFileError',
      code: 'ERR_TRUNCATED',
    });
  });

  it('12. record magic, index and checksum are named', () => {
    const change = (at: number): unknown => {
      const bytes = oneRecord();
      bytes[at] = (bytes[at] ?? 0) ^ 0xff;
      return errorOf(() => openSync(bytes));
    };
    expect(change(0x140)).toMatchObject({ code: 'ERR_MAGIC', region: 'record 0 header' });
    expect(change(0x144)).toMatchObject({ code: 'ERR_LAYOUT', region: 'record 0 header', expected: 'record index 0' });
    expect(change(0x15c)).toMatchObject({ code: 'ERR_CRC', region: 'record 0 header' });
  });

  it('13. bytes behind the committed end are ignored', () => {
    const store = openSync(concat(oneRecord(), new Uint8Array(256).fill(0xab)));
    expect(store.column('x').toArraySync()).toEqual(Int32Array.of(1, 2, 3));
    expect(store.infoSync().uncommittedBytes).toBe(256);
    expect(openSync(golden('colstore-0.5.1/orphan_tail.cstore')).infoSync().uncommittedBytes).toBe(256);
  });

  it.each(FORMS)('14. the size of the pieces does not change the file, and a bool is no size (%s)', (layout) => {
    const data = { x: Float64Array.from({ length: 1000 }, Math.sqrt), b: new Uint8Array(1000) };
    const whole = readFileSync(written(data, layout).path);
    for (const batchRows of [1, 7, 100, 1000, 1_000_000]) {
      const path = newPath();
      writeSync(path, data, { layout, batchRows });
      expect(readFileSync(path).equals(whole)).toBe(true);
    }
    for (const batchRows of [true, 0, -1, 1.5, '1 MiB'] as unknown as number[]) {
      expect(errorOf(() => writeSync(newPath(), data, { batchRows }))).toMatchObject({
        name: 'ArgumentError',
        argument: 'batchRows',
      });
    }
  });

  it('15. the golden vectors read to one table, and are what is written', () => {
    const flat = flatFile(
      '{"format_version": 1, "n_rows": 3, "columns": [{"name": "x", "dtype": "<i4"}, {"name": "b", "dtype": "|b1"}]}',
      BODY,
    );
    const r32 = recordFile(counters32(1, 3), recordManifest(XB), [{ rows: 3, body: BODY }]);
    expect([flat, r32, oneRecord()].map((bytes) => crc32(bytes).toString(16).padStart(8, '0'))).toEqual([
      '9abef548',
      '8d53cd6e',
      'ad55f91f',
    ]);
    const expected = plain({ x: Int32Array.of(1, 2, 3), b: Uint8Array.of(1, 0, 1) });
    for (const bytes of [flat, r32, oneRecord()]) expect(openSync(bytes).toColumnsSync()).toEqual(expected);
    const input = { x: Int32Array.of(1, 2, 3), b: [true, false, true] };
    expect(readFileSync(written(input, 'records').path).equals(oneRecord())).toBe(true);
    expect(crc32(readFileSync(written(input, 'flat').path)).toString(16)).toBe('12a27a8b');
  });

  it.each([123, 8827])('16. %i rows are not mistaken for a flat file', (rows) => {
    for (const release of ['colstore-0.1.0', 'colstore-0.2.0', 'colstore-0.5.1']) {
      const store = openSync(golden(`${release}/rows_${String(rows)}.cstore`));
      expect(store.rowCount).toBe(rows);
      expect(store.infoSync().layout).toBe(release === 'colstore-0.1.0' ? 'flat' : 'records');
    }
  });

  it('17. columns without "nullable", checksummed as they are', () => {
    const columns = '[{"name": "x", "dtype": "<i4", "encoding": "raw"}]';
    const sum = crc32('{"columns": [{"dtype": "<i4", "encoding": "raw", "name": "x"}]}');
    const bytes = recordFile(
      counters64(1, 3),
      `{"format_version": 1, "columns": ${columns}, "manifest_crc32": ${String(sum)}}`,
      [{ rows: 3, body: BODY.slice(0, 12) }],
    );
    expect(openSync(bytes).column('x').toArraySync()).toEqual(Int32Array.of(1, 2, 3));
  });

  it.each(FORMS)('18. names outside ASCII (%s)', (layout) => {
    const names = ['é😀', '\x7f', '\u2028', '__proto__', '10', '2', '', '\ud800'];
    const { store } = written(
      names.map((name, index) => [name, Int8Array.of(index)] as const),
      layout,
    );
    expect(store.columnNames).toEqual(names);
    expect([...store.toColumnMapSync().values()]).toEqual(names.map((_, index) => Int8Array.of(index)));
    const { path } = written([['é😀', new Float64Array(0)]], 'records');
    expect(readFileSync(path, 'latin1')).toContain('"manifest_crc32": 2000707733');
  });

  it.each(FORMS)('19. an odd i1 column before f8 (%s)', (layout) => {
    const { store } = written({ odd: Int8Array.of(1, 2, 3), f: Float64Array.of(1.25, -0, Number.NaN) }, layout);
    expect(store.column('f').toArraySync()).toEqual(Float64Array.of(1.25, -0, Number.NaN));
    expect(store.column('f').take([2, 0]).toArraySync()).toEqual(Float64Array.of(Number.NaN, 1.25));
  });

  it('20. many records, one of them without rows', () => {
    const table = loadGoldenTables(new URL('./golden/colstore-0.5.1/', import.meta.url), '.cstore').find(
      ({ name }) => name === 'zero_row_record',
    )!;
    const store = openSync(table.file);
    expect(store.infoSync()).toMatchObject({ recordCount: 3, rowCount: 7, needsCompaction: true });
    expect(Array.from(store.column('a').toArraySync() as Int32Array, String)).toEqual(table.columns[0]!.values);
  });
});

describe('what cannot be written', () => {
  it('21. no columns, ragged columns, nested arrays', () => {
    expect(errorOf(() => writeSync(newPath(), {}))).toMatchObject({ name: 'ArgumentError', code: 'ERR_SCHEMA' });
    expect(errorOf(() => writeSync(newPath(), { a: Int8Array.of(1, 2), b: Int8Array.of(1) }))).toMatchObject({
      name: 'ArgumentError',
      code: 'ERR_SCHEMA',
      expected: '2 rows, as column "a" has',
      found: '1 rows',
    });
    expect(errorOf(() => writeSync(newPath(), { a: [[1], [2]] as unknown as number[] }))).toMatchObject({
      name: 'ArgumentError',
    });
  });

  it('22. objects, complex numbers, text of no fixed width', () => {
    expect(errorOf(() => writeSync(newPath(), { a: [{ re: 1, im: 2 }] as unknown as number[] }))).toMatchObject({
      name: 'ArgumentError',
    });
    expect(errorOf(() => typed('complex128' as 'float64', [1]))).toMatchObject({
      name: 'UnsupportedError',
      code: 'ERR_DTYPE',
    });
    const error = errorOf(() => writeSync(newPath(), { note: ['some', 'text'] }));
    expect(error).toMatchObject({ name: 'UnsupportedError', code: 'ERR_DTYPE', feature: 'string' });
    expect((error as Error).message).toMatch(/column "note".*typed\('U16', values\)/);
    expect(errorOf(() => writeSync(newPath(), { a: [1, null, 3] }))).toMatchObject({
      name: 'ArgumentError',
      code: 'ERR_VALUE',
      found: 'null at row 1',
    });
  });
});

describe.each(FORMS)('indexing (%s)', (layout) => {
  let ds: ColStore;
  const a = (rows: Parameters<ColStore['get']>[0]): number[] => [...(ds.get(rows, 'a').toArraySync() as Int32Array)];
  beforeAll(() => {
    ds = written(
      {
        a: Int32Array.from({ length: 100 }, (_, row) => row),
        b: Float32Array.from({ length: 100 }, (_, row) => row / 2),
      },
      layout,
    ).store;
  });
  afterAll(() => ds.close());

  it('37. a row number gives arrays of one', () =>
    expect(ds.get(42).toColumnsSync()).toEqual(plain({ a: Int32Array.of(42), b: Float32Array.of(21) })));
  it('38. -1 is the last', () => expect(a(-1)).toEqual([99]));

  it('39. 100 of 100 is an error when it is materialised', () => {
    const view = ds.get(100);
    expect(errorOf(() => view.toColumnsSync())).toMatchObject({ name: 'OutOfRangeError', index: 100, length: 100 });
  });

  it('40. negative indices fold, [100] and [-101] are errors with their position', () => {
    expect(a([-1, -2])).toEqual([99, 98]);
    expect(errorOf(() => a([5, 100]))).toMatchObject({ name: 'OutOfRangeError', index: 100, position: 1 });
    expect(errorOf(() => a([-101]))).toMatchObject({ name: 'OutOfRangeError', index: -101, position: 0 });
  });

  it('41. any order, with repeats', () => expect(a([7, 3, 7, 99, 0, 3])).toEqual([7, 3, 7, 99, 0, 3]));

  it('42. fractions are no indices; no index, no row', () => {
    expect(errorOf(() => a([1.5]))).toMatchObject({ name: 'ArgumentError', expected: 'integers' });
    expect(errorOf(() => a(Number.NaN))).toMatchObject({ name: 'ArgumentError' });
    expect(a([])).toEqual([]);
    expect(ds.get([]).toColumnsSync()).toEqual(plain({ a: new Int32Array(0), b: new Float32Array(0) }));
  });

  it('43. a number alone is one row', () => expect(ds.get(0, ['b']).rowCount).toBe(1));

  it('44. a mask of the wrong length', () => {
    expect(errorOf(() => ds.get(new Uint8Array(50)))).toMatchObject({
      name: 'ArgumentError',
      argument: 'mask',
      found: '50 entries',
    });
    expect(errorOf(() => ds.get([true, false]))).toMatchObject({ name: 'ArgumentError', argument: 'mask' });
  });

  it('45. slices are numpy slices', () => {
    expect(a({ start: 200, end: 100, step: -1 })).toEqual([]);
    expect(a({ start: 200, step: -1 })).toEqual(Array.from({ length: 100 }, (_, index) => 99 - index));
    const bounds = [undefined, 0, 1, 50, 99, 100, 200, -1, -50, -100, -101, -200];
    for (const start of bounds)
      for (const end of bounds)
        for (const step of [undefined, 1, 2, 7, -1, -2, -7, 1000, -1000])
          expect(a({ start, end, step })).toEqual(pythonSlice(100, start, end, step));
    expect(errorOf(() => ds.get({ step: 0 }))).toMatchObject({ name: 'ArgumentError', argument: 'step' });
  });

  it('46. unknown columns and things that are no columns, at once', () => {
    expect(errorOf(() => ds.get(0, 'zzz'))).toMatchObject({
      name: 'UnknownColumnError',
      column: 'zzz',
      available: ['a', 'b'],
    });
    expect(errorOf(() => ds.get(0, ['a', 'zzz']))).toMatchObject({ name: 'UnknownColumnError' });
    expect(errorOf(() => ds.get(0, 3 as unknown as 'a'))).toMatchObject({ name: 'ArgumentError', argument: 'columns' });
    for (const rows of [null, undefined, 'a', {}.constructor, new Map(), { rows: [1] }, true] as unknown as number[])
      expect(
        errorOf(() => ds.get(rows)),
        String(rows),
      ).toMatchObject({ name: 'ArgumentError', argument: 'rows' });
    expect(ds.get({}, []).columnNames).toEqual([]);
  });

  it('47. parts of index arrays are as good as copies', () => {
    const all = Int32Array.from({ length: 60 }, (_, index) => (index * 37) % 100);
    expect(a(all.subarray(3, 50))).toEqual([...all.slice(3, 50)]);
    expect(a(new Float64Array(Float64Array.of(9, 8, 7, 6).buffer, 8, 2))).toEqual([8, 7]);
    expect(a(BigInt64Array.of(-1n, 4n).subarray(1))).toEqual([4]);
    expect(a(Uint32Array.of(1, 2, 3).subarray(1))).toEqual([2, 3]);
  });

  it('49. views are indexed again', () => {
    expect([...(ds.column('a').slice(0, 50).slice(-3).toArraySync() as Int32Array)]).toEqual([47, 48, 49]);
    expect(ds.get([9, 8, 7, 6, 5], ['b']).slice(1, 4).take([2, 0]).toColumnsSync()).toEqual(
      plain({ b: Float32Array.of(3, 4) }),
    );
  });

  it('51. one descent between probes of a sorted-looking index', () => {
    const long = written({ v: Int32Array.from({ length: 40_000 }, (_, row) => row) }, layout).store;
    const indices = Int32Array.from({ length: 40_000 }, (_, index) => index);
    indices[20_001] = 3;
    expect(long.column('v').take(indices).toArraySync()).toEqual(indices);
  });

  it('52. masks of all kinds', () => {
    for (const keep of [
      () => 0,
      () => 1,
      (row: number) => row % 2,
      (row: number) => Number(row > 6 && row < 9),
      (row: number) => Number(row % 8 === 7),
      (row: number) => Number(row > 62),
    ]) {
      const mask = Uint8Array.from({ length: 100 }, (_, row) => keep(row));
      const expected = [...mask.keys()].filter((row) => mask[row] === 1);
      expect(a(mask)).toEqual(expected);
      expect(a(Array.from(mask, Boolean))).toEqual(expected);
    }
    expect(() => a(Uint8Array.from({ length: 100 }, (_, row) => (row === 40 ? 255 : 0)))).toThrow(
      /take.*255 at position 40/,
    );
  });
});

/** Python's range(*slice(start, end, step).indices(length)), written out. */
function pythonSlice(length: number, start?: number, end?: number, step = 1): number[] {
  const bound = (value: number | undefined, whenAbsent: number): number => {
    if (value === undefined) return whenAbsent;
    const folded = value < 0 ? value + length : value;
    return step > 0 ? Math.min(Math.max(folded, 0), length) : Math.min(Math.max(folded, -1), length - 1);
  };
  const rows: number[] = [];
  const last = bound(end, step > 0 ? length : -1);
  for (let row = bound(start, step > 0 ? 0 : length - 1); step > 0 ? row < last : row > last; row += step)
    rows.push(row);
  return rows;
}

describe('48. strings and datetimes out of many records', () => {
  it.each(['three_records', 'uniform_records', 'zero_row_record'])('%s', (name) => {
    for (const release of ['colstore-0.2.0', 'colstore-0.5.1']) {
      const table = loadGoldenTables(new URL(`./golden/${release}/`, import.meta.url), '.cstore').find(
        (candidate) => candidate.name === name,
      )!;
      const store = openSync(table.path);
      const rows = Array.from({ length: table.rowCount * 2 }, (_, index) => (index * 5 + 2) % table.rowCount);
      const hex = (store.get(rows, 's').toArraySync() as unknown as string[]).map((value) =>
        Buffer.from(value, 'latin1').toString('hex'),
      );
      expect(hex).toEqual(rows.map((row) => table.columns.find((column) => column.name === 's')!.values[row]));
      const ticks = store.get(rows, 'd').toArraySync() as BigInt64Array;
      expect(Array.from(ticks, (tick) => new Date(Number(tick) * 1000).toISOString().slice(0, 19))).toEqual(
        rows.map((row) => table.columns.find((column) => column.name === 'd')!.values[row]),
      );
    }
  });
});

describe.runIf(process.env['COLKIT_BACKEND'] === 'native').each(FORMS)('zero copy (%s)', (layout) => {
  const columns = {
    f: Float64Array.from({ length: 64 }, (_, row) => row / 4),
    i: Int8Array.from({ length: 64 }, (_, row) => row),
    odd: Int16Array.from({ length: 64 }, (_, row) => -row),
  };

  it('53. whole columns, slices and single rows are views, equal to the copies', () => {
    const { store } = written(columns, layout);
    for (const [start, end] of [
      [undefined, undefined],
      [3, 40],
      [7, 8],
      [0, 0],
    ] as const) {
      const view = store.slice(start, end);
      expect(view.viewColumns()).toEqual(view.toColumnsSync());
    }
    expect(store.column('f').slice(5).viewArray()).toEqual(columns.f.slice(5));
  });

  it('54. a write into a view reaches neither the file nor a later read', () => {
    const { path, store } = written(columns, layout);
    const before = readFileSync(path);
    const view = store.column('f').viewArray() as Float64Array;
    view.fill(-1);
    expect(store.column('f').toArraySync()).toEqual(columns.f);
    expect(store.column('f').take([1, 2]).toArraySync()).toEqual(columns.f.slice(1, 3));
    expect((store.column('f').viewArray() as Float64Array)[3]).toBe(-1); // views of one table share their memory
    expect((openSync(path).column('f').viewArray() as Float64Array)[3]).toBe(0.75);
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(openSync(path).column('f').toArraySync()).toEqual(columns.f);
  });

  it('55. picked rows, steps and foreign byte order have none, with reason and remedy', () => {
    const { store } = written(columns, layout);
    for (const view of [
      store.take([1]),
      store.filter(new Uint8Array(64).fill(1)),
      store.slice(0, 10, 2),
      store.slice(undefined, undefined, -1),
    ]) {
      expect(errorOf(() => view.viewColumns())).toMatchObject({ name: 'CannotViewError', code: 'ERR_NOT_CONTIGUOUS' });
    }
    expect(errorOf(() => openSync(golden('described/big_endian.cstore')).viewColumns())).toMatchObject({
      name: 'CannotViewError',
      code: 'ERR_NOT_VIEWABLE',
    });
    const many = openSync(golden('colstore-0.5.1/three_records.cstore'));
    const error = errorOf(() => many.column('a').viewArray());
    expect(error).toMatchObject({ name: 'CannotViewError', code: 'ERR_NOT_CONTIGUOUS' });
    expect((error as Error).message).toMatch(/record.*compact/);
    expect(many.column('a').slice(3, 5).viewArray()).toEqual(many.column('a').slice(3, 5).toArraySync());
    const compact = written(many, layout).store;
    expect(compact.column('a').viewArray()).toEqual(many.column('a').toArraySync());
  });

  it('56. a view outlives close; a lazy one does not', () => {
    const { store } = written(columns, layout);
    const view = store.column('f').viewArray();
    const lazy = store.slice(0, 3);
    const column = store.column('f');
    store.close();
    store.close();
    expect(view).toEqual(columns.f);
    expect(store.closed).toBe(true);
    for (const use of [
      () => lazy.toColumnsSync(),
      () => column.toArraySync(),
      () => column.viewArray(),
      () => lazy.toRecordsSync(),
      () => store.infoSync(),
      () => column.atSync(0),
    ]) {
      expect(errorOf(use)).toMatchObject({ name: 'ClosedError', code: 'ERR_CLOSED' });
    }
  });
});

describe.runIf(process.env['COLKIT_BACKEND'] === 'js')('zero copy without the addon', () => {
  it('says why, and what to do', () => {
    const { store } = written({ f: new Float64Array(4) });
    const error = errorOf(() => store.viewColumns());
    expect(error).toMatchObject({ name: 'CannotViewError', code: 'ERR_NOT_MAPPED' });
    expect((error as Error).message).toMatch(/addon/);
  });
});

it('a store is a table, for what takes tables', () =>
  expect(written({ x: Int8Array.of(1) }).store).toBeInstanceOf(Table));
it('records of another length than they say are refused, also with right checksums', () => {
  const bytes = oneRecord();
  bytes.set(recordHeader(0, 4), 0x140);
  expect(errorOf(() => openSync(bytes))).toMatchObject({ name: 'CorruptFileError' });
});
