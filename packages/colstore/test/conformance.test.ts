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
import { FORMS, golden, plain } from './conformance-files.ts';

let folder = '';

let files = 0;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'colstore-conformance-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const newPath = (): string => join(folder, `${String((files += 1))}.cstore`);

function written(data: TableInput, layout: FileForm = 'flat'): { path: string; store: ColStore } {
  const path = newPath();
  writeSync(path, data, { layout });
  return { path, store: openSync(path) };
}

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

it('a store is a table, for what takes tables', () =>
  expect(written({ x: Int8Array.of(1) }).store).toBeInstanceOf(Table));

it('records of another length than they say are refused, also with right checksums', () => {
  const bytes = oneRecord();
  bytes.set(recordHeader(0, 4), 0x140);
  expect(errorOf(() => openSync(bytes))).toMatchObject({ name: 'CorruptFileError' });
});
