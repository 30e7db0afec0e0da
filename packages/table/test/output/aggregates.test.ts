import { codeOf, createRandom, tableArbitrary } from '@colkit/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Table, compareText } from '../../src/index.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { tableFrom, upTo } from '../support/tables.ts';

const NAT = -(2n ** 63n);
const column = (dtype: string, values: readonly unknown[]) => tableFrom({ x: [dtype, values] }).column('x');

async function all(dtype: string, values: readonly unknown[]): Promise<unknown[]> {
  const own = column(dtype, values);
  const sync = [own.countSync(), own.minSync(), own.maxSync(), own.sumSync(), own.meanSync()];
  expect([await own.count(), await own.min(), await own.max(), await own.sum(), await own.mean()]).toEqual(sync);
  return sync;
}

describe('count, min, max, sum, mean', () => {
  test('of every kind of number', async () => {
    expect(await all('int8', [-3, 7, 1])).toEqual([3, -3, 7, 5, 5 / 3]);
    expect(await all('uint32', [4294967295, 1])).toEqual([2, 1, 4294967295, 4294967296, 2147483648]);
    expect(await all('int64', [2n ** 62n, 2n ** 62n, -5n])).toEqual([
      3,
      -5n,
      2n ** 62n,
      2n ** 63n - 5n,
      Number(2n ** 63n - 5n) / 3,
    ]);
    expect(await all('uint64', [2n ** 64n - 1n, 3n, 2n ** 63n])).toEqual([
      3,
      3n,
      2n ** 64n - 1n,
      2n ** 64n + 2n + 2n ** 63n,
      Number((2n ** 64n + 2n + 2n ** 63n) / 3n),
    ]);
    expect(await all('float64', [0.5, -2, 8])).toEqual([3, -2, 8, 6.5, 6.5 / 3]);
    expect(await all('float16', [0.5, -2, 8])).toEqual([3, -2, 8, 6.5, 6.5 / 3]);
    expect(await all('bool', [true, false, true])).toEqual([3, false, true, 2, 2 / 3]);
    expect(await all('bool', [true, true])).toEqual([2, true, true, 2, 1]);
  });

  test('pass over nulls; sums do not pass over NaN', async () => {
    expect(await all('int32?', [null, 5, null, 7])).toEqual([2, 5, 7, 12, 6]);
    expect(await all('int64?', [null, 5n])).toEqual([1, 5n, 5n, 5n, 5]);
    expect(await all('float32?', [null, 1, Number.NaN, -1])).toEqual([3, -1, 1, Number.NaN, Number.NaN]);
    expect(await all('bool?', [null, true])).toEqual([1, true, true, 1, 1]);
  });

  test('of nothing, of nulls, of NaN', async () => {
    expect(await all('int32', [])).toEqual([0, null, null, 0, Number.NaN]);
    expect(await all('uint64', [])).toEqual([0, null, null, 0n, Number.NaN]);
    expect(await all('float64?', [null, null])).toEqual([0, null, null, 0, Number.NaN]);
    expect(await all('float64', [Number.NaN, Number.NaN])).toEqual([2, Number.NaN, Number.NaN, Number.NaN, Number.NaN]);
    expect(await all('float64?', [null, Number.NaN])).toEqual([1, Number.NaN, Number.NaN, Number.NaN, Number.NaN]);
  });

  test('of infinities', async () => {
    expect(await all('float64', [1, Infinity])).toEqual([2, 1, Infinity, Infinity, Infinity]);
    expect(await all('float64', [-Infinity, Infinity])).toEqual([2, -Infinity, Infinity, Number.NaN, Number.NaN]);
  });

  test('min and max of datetimes pass over NaT, and of text go by code point', async () => {
    const times = column('datetime64[us]', [5n, NAT, -7n]);
    expect([await times.min(), times.maxSync(), await times.count()]).toEqual([-7n, 5n, 3]);
    expect(await column('timedelta64[s]', [NAT, NAT]).max()).toBe(NAT);
    expect(await column('datetime64[s]?', [null]).max()).toBeNull();
    for (const dtype of ['string?', 'U3?']) {
      const text = column(dtype, ['b', '\uFF61', null, '😀', 'a']);
      expect([await text.min(), text.maxSync(), await text.count()]).toEqual(['a', '😀', 4]);
    }
    expect([await column('S1', ['é', 'z', '']).min(), await column('S1', ['é', 'z']).max()]).toEqual(['', 'é']);
  });

  test('are refused where they mean nothing', async () => {
    for (const dtype of ['datetime64[s]', 'timedelta64[s]', 'S1', 'string', 'binary']) {
      for (const run of [() => column(dtype, []).sum(), () => column(dtype, []).meanSync()])
        expect([dtype, await codeOf(run)]).toEqual([dtype, 'ERR_DTYPE']);
    }
    expect(await codeOf(() => column('binary', []).min())).toBe('ERR_DTYPE');
    expect(await codeOf(() => column('float128', []).maxSync())).toBe('ERR_DTYPE');
    expect(await codeOf(() => column('float128', []).sum())).toBe('ERR_DTYPE');
  });

  test('follow the view', async () => {
    const own = column('int32', upTo(100)).slice(10, 90, 2).take([0, -1, 5]);
    expect([own.length, await own.count(), await own.min(), await own.max(), await own.sum()]).toEqual([
      3,
      3,
      10,
      88,
      10 + 88 + 20,
    ]);
  });
});

describe('exactness', () => {
  test('integers add up exactly past every float', async () => {
    const values = [...upTo(3000).map(() => 4294967295), ...upTo(3000).map((n) => n)];
    expect(await column('uint32', values).sum()).toBe(3000 * 4294967295 + (3000 * 2999) / 2);
    const wide = upTo(1000).map((n) => 2n ** 63n - 1n - BigInt(n));
    expect(await column('int64', wide).sum()).toBe(wide.reduce((sum, value) => sum + value, 0n));
  });

  test('floats keep what plain addition loses', async () => {
    expect(await column('float64', [1, 1e100, 1, -1e100]).sum()).toBe(2);
    const random = createRandom(11);
    const values = upTo(100_000).map(() => random.number());
    // Exact by construction: multiples of 2^-53, added as integers.
    const exact = Number(values.reduce((sum, value) => sum + BigInt(value * 2 ** 53), 0n)) / 2 ** 53;
    expect(await column('float64', values).sum()).toBe(exact);
  });
});

test('min, max and count agree with the oracle for any column', () => {
  fc.assert(
    fc.property(
      tableArbitrary({
        nullable: true,
        mostColumns: 1,
        dtypes: [
          'bool',
          'int8',
          'uint32',
          'int64',
          'uint64',
          'float32',
          'float64',
          'datetime64[us]',
          'S5',
          'U3',
          'string',
        ],
      }),
      (table) => {
        const [{ name, dtype, values }] = table.columns as [(typeof table.columns)[0]];
        const own = new Table(new MemoryTable(table)).column(name);
        const present = values.filter((value) => value !== null);
        const known = present.filter(
          (value) => !Number.isNaN(value) && !(dtype.startsWith('datetime') && value === NAT),
        );
        const order = (a: unknown, b: unknown): number =>
          typeof a === 'string'
            ? compareText(a, b as string)
            : (a as number) < (b as number)
              ? -1
              : Number((a as number) > (b as number));
        const sorted = [...known].sort(order);
        const nothing = present.length === 0 ? null : present[0];
        const plus = (value: unknown): unknown => (value === 0 ? 0 : value);
        expect(own.countSync()).toBe(present.length);
        expect([plus(own.minSync()), plus(own.maxSync())]).toEqual([
          plus(sorted[0] ?? nothing),
          plus(sorted.at(-1) ?? nothing),
        ]);
      },
    ),
    { numRuns: 200 },
  );
});
