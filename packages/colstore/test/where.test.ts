// where() over .cstore files: every fixed dtype, layout and kind of source against plain loops, and the export of a
// filtered view.
import { mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backendInfo, col, open, openSync, QueryError, typed, write, writeSync } from '../src/index.ts';

const ROWS = 5000;
const at = Array.from({ length: ROWS }, (_, row) => row);
const values = {
  i8: Int8Array.from(at, (row) => row * 7),
  u8: Uint8Array.from(at, (row) => row * 7),
  i16: Int16Array.from(at, (row) => row * 77),
  u16: Uint16Array.from(at, (row) => row * 77),
  i32: Int32Array.from(at, (row) => row * 999_999),
  u32: Uint32Array.from(at, (row) => row * 999_999),
  i64: BigInt64Array.from(at, (row) => BigInt(row) * 3n - 7000n),
  u64: BigUint64Array.from(at, (row) => 2n ** 63n + BigInt(row)),
  f32: Float32Array.from(at, (row) => Math.sin(row)),
  f64: Float64Array.from(at, (row) => (row % 100 === 0 ? NaN : Math.cos(row))),
};
const bools = at.map((row) => row % 3 === 0);
const texts = at.map((row) => `k${String(row % 13)}`);
const days = at.map((row) => BigInt(row));

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'colstore-where-'));
  for (const layout of ['flat', 'records'] as const) {
    writeSync(
      join(folder, layout),
      {
        ...values,
        half: typed(
          'float16',
          at.map((row) => row % 64),
        ),
        b: typed('bool', bools),
        s: typed('S4', texts),
        u: typed('U4', texts),
        day: typed('datetime64[D]', days),
      },
      { layout },
    );
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const CASES: readonly (readonly [text: string, keeps: (row: number) => boolean])[] = [
  ['i8 > 3', (row) => values.i8[row]! > 3],
  ['u8 <= 200', (row) => values.u8[row]! <= 200],
  ['i16 between -5 and 900', (row) => values.i16[row]! >= -5 && values.i16[row]! <= 900],
  ['u16 != 77', (row) => values.u16[row] !== 77],
  ['i32 < 0', (row) => values.i32[row]! < 0],
  ['u32 >= 3000000000', (row) => values.u32[row]! >= 3e9],
  ['i64 > 12.5', (row) => values.i64[row]! > 12.5],
  ['u64 >= 9223372036854776000', (row) => values.u64[row]! >= 9223372036854776000n],
  ['f32 > 0.5', (row) => values.f32[row]! > 0.5],
  ['not (f64 < 0.5)', (row) => !(values.f64[row]! < 0.5)],
  ['half == 3', (row) => row % 64 === 3],
  ['b', (row) => bools[row]!],
  ["s == 'k7'", (row) => texts[row] === 'k7'],
  ["startsWith(u, 'k1')", (row) => texts[row]!.startsWith('k1')],
  ["s in ('k1', 'k2') or u > 'k8'", (row) => ['k1', 'k2'].includes(texts[row]!) || texts[row]! > 'k8'],
  ["day >= '1975-01-01T12:00'", (row) => row > 1826],
  ['i64 < f64 * 1000', (row) => Number(values.i64[row]) < values.f64[row]! * 1000],
  ['i32 + u32 == 0 and f32 < 2', (row) => values.i32[row]! + values.u32[row]! === 0],
  ['i64 in (-7000, 2, 5, 8.5)', (row) => [-7000n, 2n, 5n].includes(values.i64[row]!)],
  [
    "f32 > 0 and b and s != 'k7' and i64 < 3000",
    (row) => values.f32[row]! > 0 && bools[row]! && texts[row] !== 'k7' && values.i64[row]! < 3000n,
  ],
];

describe.each(['flat', 'records'])('a %s file', (layout) => {
  it.each(CASES)('%s', async (text, keeps) => {
    const table = await open(join(folder, layout));
    const expected = at.filter(keeps);
    expect(await table.where(text).count()).toBe(expected.length);
    expect([...(table.where(text).select('i64').toColumnsSync()['i64'] as BigInt64Array)]).toEqual(
      expected.map((row) => values.i64[row]),
    );
    // Behind and before other steps.
    expect([
      ...((await table.slice(100, 4900, 7).where(text).slice(3, 20).select('i64').toColumns())['i64'] as BigInt64Array),
    ]).toEqual(
      at
        .slice(100, 4900)
        .filter((_, index) => index % 7 === 0)
        .filter(keeps)
        .slice(3, 20)
        .map((row) => values.i64[row]),
    );
    table.close();
  });
});

it('runs with the backend of this suite', () => {
  expect(backendInfo().backend).toBe(process.env['COLKIT_BACKEND']);
});

it('bytes, and files that are read by position', async () => {
  const bytes = new Uint8Array(readFileSync(join(folder, 'flat')));
  expect(await (await open(bytes)).where('f32 > 0.5').count()).toBe(
    openSync(join(folder, 'flat'), { io: 'pread' }).where('f32 > 0.5').countSync(),
  );
  await expect((await open(new Blob([bytes]))).where('f32 > 0.5').count()).resolves.toBeGreaterThan(1000);
  await expect(
    (await open(new Blob([bytes]))).where(col('f32').gt(0.5)).select('i8').toRecords(),
  ).resolves.toMatchObject({ byteStride: 1 });
});

it('a filtered view is written in either form', async () => {
  const table = await open(join(folder, 'records'));
  const view = table.where("s == 'k7' and f32 > 0").select('i64', 's');
  const expected = at.filter((row) => texts[row] === 'k7' && values.f32[row]! > 0).map((row) => values.i64[row]);
  writeSync(join(folder, 'sync'), view);
  await write(join(folder, 'async'), view);
  await write(join(folder, 'column'), { only: view.column('i64') });
  for (const [name, column] of [
    ['sync', 'i64'],
    ['async', 'i64'],
    ['column', 'only'],
  ] as const)
    expect([...(openSync(join(folder, name)).column(column).toArraySync() as BigInt64Array)]).toEqual(expected);
  // From a source that has no Sync reads.
  const remote = await open(new Blob([new Uint8Array(readFileSync(join(folder, 'flat')))]));
  await write(join(folder, 'remote'), remote.where('b').select('i8'));
  expect(openSync(join(folder, 'remote')).rowCount).toBe(bools.filter(Boolean).length);
});

it('mistakes are told before the file is read, and a file that shrinks while it is searched is an error', async () => {
  const path = join(folder, 'shrinks');
  writeSync(path, { x: new Float64Array(100_000), y: new Float64Array(100_000) });
  const table = openSync(path);
  expect(() => table.where('z > 1')).toThrow(QueryError);
  expect(table.where('x > 1').countSync()).toBe(0);
  truncateSync(path, 4096);
  expect(() => table.where('y > 1').countSync()).toThrow(expect.objectContaining({ code: 'ERR_FILE_CHANGED' }));
  await expect(table.where('y > 1').count()).rejects.toThrow(expect.objectContaining({ code: 'ERR_FILE_CHANGED' }));
});
