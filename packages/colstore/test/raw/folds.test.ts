// Folds over more items than a register holds, and over counts that leave some over: sums of floats with zeros among
// them are exact in either order, and extremes are found wherever they stand.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sumFault } from '@colkit/testkit';
import { afterAll, expect, test } from 'vitest';
import { create, openSync, typed, writeSync } from '../../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'colstore-folds-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const ROWS = 10_000;
let state = 1;
const random = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;

const FLOATS: Readonly<Record<string, (row: number) => number>> = {
  'zeros here and there': (row) => (row % 400 === 7 ? (row % 800 === 7 ? 0 : -0) : random() - 0.5),
  'nothing but zeros in some blocks': (row) => (Math.floor(row / 1024) % 2 === 0 ? 0 : random() * 1e6),
  'one that is far below': (row) => (row === 5000 ? 1e-290 : row % 3 === 0 ? 0 : 1 + random()),
  'one that is far above': (row) => (row === 5000 ? 1e30 : row % 3 === 0 ? 0 : 1 + random()),
  'what cancels': (row) => (row % 2 === 0 ? 1 : -1) * (2 ** (row % 20) + (row % 5 === 0 ? 0.1 : 0)),
  subnormal: (row) => (row % 2 === 0 ? 0 : 5e-324 * row),
};

test.each(Object.entries(FLOATS))('sums of %s', (name, valueAt) => {
  const f8 = Float64Array.from({ length: ROWS }, (_, row) => valueAt(row));
  const f4 = Float32Array.from(f8);
  const path = join(folder, `${name}.cstore`);
  writeSync(path, { f8, f4 });
  using table = openSync(path);
  for (const [start, end] of [
    [0, ROWS],
    [1, 1025],
    [1024, 9216],
    [3, 4000],
  ] as const) {
    const some = table.slice(start, end);
    expect(sumFault([...f8.subarray(start, end)], some.column('f8').sumSync() as number)).toBeNull();
    expect(sumFault([...f4.subarray(start, end)], some.column('f4').sumSync() as number)).toBeNull();
  }
});

test('extremes wherever they stand, of any number of rows', () => {
  const whole = Array.from({ length: 700 }, () => Math.floor(random() * 200) - 100);
  const wide = BigInt64Array.from(whole, (value) => BigInt(value) * 2n ** 55n);
  const columns = {
    i1: Int8Array.from(whole),
    u1: Uint8Array.from(whole),
    i2: Int16Array.from(whole, (value) => value * 300),
    u2: Uint16Array.from(whole, (value) => value * 300),
    i4: Int32Array.from(whole, (value) => value * 20_000_000),
    u4: Uint32Array.from(whole, (value) => value * 20_000_000),
    i8: wide,
    u8: BigUint64Array.from(wide, (value) => BigInt.asUintN(64, value)),
    f4: Float32Array.from(whole, (value) => value / 8),
    f8: Float64Array.from(whole, (value) => value / 8),
  };
  const path = join(folder, 'extremes.cstore');
  const ticks = wide.map((value, row) => (row % 5 === 0 ? -(2n ** 63n) : value));
  writeSync(path, { ...columns, ts: typed('timedelta64[ms]', ticks) });
  using table = openSync(path);
  for (let end = 1; end <= whole.length; end += end < 300 ? 1 : 37) {
    const start = Math.floor(end / 3);
    const some = table.slice(start, end);
    for (const [name, values] of Object.entries(columns)) {
      const given = [...(values.subarray(start, end) as Iterable<number | bigint>)];
      const least = given.reduce((one, other) => (other < one ? other : one));
      const most = given.reduce((one, other) => (other > one ? other : one));
      const found = some.aggSync({ least: { min: name }, most: { max: name } });
      expect(found, `${name} from ${String(start)} to ${String(end)}`).toEqual({ least, most });
    }
    const known = [...ticks.subarray(start, end)].filter((value) => value !== -(2n ** 63n));
    if (known.length === 0) continue;
    const least = known.reduce((one, other) => (other < one ? other : one));
    const most = known.reduce((one, other) => (other > one ? other : one));
    expect(some.aggSync({ least: { min: 'ts' }, most: { max: 'ts' } })).toEqual({ least, most });
  }
});

const FILLED = 150_000;
const LONG: Readonly<Record<string, (row: number) => number>> = {
  'the first zero is the one below': (row) => (row === 40_000 ? -0 : row > 90_000 ? 0 : 1),
  'the first zero is the one above': (row) => (row === 99_000 ? -0 : row === 98_999 ? 0 : 1),
  'nothing but unknown, then infinity': (row) => (row < 120_000 ? NaN : -Infinity),
  'one number among unknown': (row) => (row === 131_071 ? -7.5 : NaN),
  'infinities at both ends': (row) => (row === 0 ? Infinity : row === FILLED - 1 ? -Infinity : row % 100),
  'nothing but unknown': () => NaN,
};

test.each(Object.entries(LONG))('extremes over many blocks: %s', async (name, valueAt) => {
  const f8 = Float64Array.from({ length: FILLED }, (_, row) => valueAt(row));
  const columns = { f8, f4: Float32Array.from(f8), f2: typed('float16', f8) };
  const known = [...f8].filter((value) => !Number.isNaN(value));
  // In order: of 0 and -0 the first one counts.
  const least = known.length === 0 ? NaN : known.reduce((one, other) => (other < one ? other : one));
  const most = known.length === 0 ? NaN : known.reduce((one, other) => (other > one ? other : one));
  for (const layout of ['flat', 'records'] as const) {
    const path = join(folder, `${name}-${layout}.cstore`);
    if (layout === 'flat') writeSync(path, columns, { layout });
    else {
      await using writer = await create(path);
      for (let start = 0; start < FILLED; start += 49_999)
        await writer.write({
          f8: f8.subarray(start, start + 49_999),
          f4: columns.f4.subarray(start, start + 49_999),
          f2: typed('float16', f8.subarray(start, start + 49_999)),
        });
    }
    using table = openSync(path);
    for (const column of Object.keys(columns))
      expect(table.aggSync({ least: { min: column }, most: { max: column } }), `${column} of ${layout}`).toEqual({
        least,
        most,
      });
  }
});
