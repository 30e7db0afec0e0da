// Folds of pages whose values are in a dictionary, which are made of its entries and of how often each is met: the same
// with the addon and without, and as a loop over the values has it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sumFault } from '@colkit/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { openSync, typed, writeSync } from '../../../src/index.ts';
import type { DType } from '@colkit/io';

const ROWS = 5000;
const folder = mkdtempSync(join(tmpdir(), 'columna-entries-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** In an order that makes no runs. */
const among = <T>(values: readonly T[]): T[] =>
  Array.from({ length: ROWS }, (_, row) => values[(Math.imul(row, 7919) >>> 3) % values.length] as T);

const FLOATS: Readonly<Record<string, readonly (number | null)[]>> = {
  'a zero below 0': among([0, -0, 3.25, Math.PI]).map((value, row) => (row === 0 ? -0 : value)),
  'zeros above': among([-0, 0, -3.25, -Math.PI]).map((value, row) => (row === 0 ? 0 : value)),
  'far apart': among([1e100, Math.PI, -1e100, 1e-300, 5e-324]),
  'near 0': among([5e-324, 2.5e-310, -1e-320, 2 ** -1022]),
  'near the end': among([Number.MAX_VALUE, -Number.MAX_VALUE, 1]),
  'a sine': Array.from({ length: ROWS }, (_, row) => Math.sin((2 * Math.PI * (row % 100)) / 100)),
  cents: among(Array.from({ length: 90 }, (_, at) => (at * 7919) / 100)),
  'with nulls': among([null, 1.5, Math.E, -7, null, 1e-9]),
  'with infinities': among([Infinity, 1, Math.E, -1]),
  'with NaN': among([Number.NaN, 1.25, Math.E]),
};
const INTEGERS: Readonly<Record<string, readonly [DType, readonly (bigint | null)[]]>> = {
  'all 64 bits': ['int64', among([-(2n ** 63n), 2n ** 63n - 1n, 0n, -1n, 2n ** 53n + 1n])],
  unsigned: ['uint64', among([0n, 2n ** 64n - 1n, 2n ** 63n, 1n])],
  'some null': ['int64', among([null, 2n ** 53n + 1n, -(2n ** 53n) - 3n, 7n])],
};

const columns = Object.fromEntries([
  ...Object.entries(FLOATS).map(([name, values]) => [name, typed('float64', values)] as const),
  ...Object.entries(INTEGERS).map(([name, [dtype, values]]) => [name, typed(dtype as never, values as never)] as const),
]);

describe.each(['native', 'js'] as const)('of dictionaries, %s', (backend) => {
  const path = join(folder, `${backend}.cna`);
  const encodings = Object.fromEntries(Object.keys(columns).map((name) => [name, 'DICTIONARY' as const]));
  writeSync(path, columns as never, { pageRows: 1024, rowGroupSize: 2048, joint: false, encodings });
  const table = openSync(path, { backend });
  afterAll(() => table.close());

  it.each(Object.keys(FLOATS))('%s', (name) => {
    for (const [start, end] of [
      [0, ROWS],
      [100, 4000],
    ] as const) {
      const values = (FLOATS[name] ?? []).slice(start, end).flatMap((value) => value ?? []);
      const numbers = values.filter((value) => !Number.isNaN(value));
      const view = table.slice(start, end);
      const { sum, least, most, count } = view.aggSync({
        sum: { sum: name },
        least: { min: name },
        most: { max: name },
        count: { count: name },
      } as never) as Record<string, number>;
      expect(count).toBe(values.length);
      expect(sumFault(values, sum as number)).toBeNull();
      const first = (better: (a: number, b: number) => boolean): number =>
        numbers.reduce((best, value) => (better(value, best) ? value : best));
      expect(
        Object.is(
          least,
          first((a, b) => a < b),
        ),
      ).toBe(true);
      expect(
        Object.is(
          most,
          first((a, b) => a > b),
        ),
      ).toBe(true);
    }
  });

  it.each(Object.keys(INTEGERS))('%s', (name) => {
    const values = (INTEGERS[name]?.[1] ?? []).flatMap((value) => value ?? []);
    expect(table.aggSync({ sum: { sum: name }, least: { min: name }, most: { max: name } } as never)).toEqual({
      sum: values.reduce((sum, value) => sum + value, 0n),
      least: values.reduce((least, value) => (value < least ? value : least)),
      most: values.reduce((most, value) => (value > most ? value : most)),
    });
  });
});
