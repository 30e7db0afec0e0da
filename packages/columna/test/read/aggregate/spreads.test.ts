// Variances of integers as they are packed, and of floats: against exact ones, at the edges of what squares add up to
// exactly, of means far from 0 and from the spread, of constants, by groups, with nulls and of matching rows, in all
// modes; of integers of up to 32 bits, while squares are exact, the same to the last bit with the addon and without.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DType } from '@colkit/io';
import { createRandom } from '@colkit/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { openSync, typed, writeSync } from '../../../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'columna-spreads-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ROWS = 5000;
const random = createRandom(41);
const drawn = (below: number, base = 0n, step = 1n): bigint[] =>
  Array.from({ length: ROWS }, () => base + step * BigInt(random.integer(below)));
const CASES: readonly (readonly [name: string, type: DType, values: readonly (bigint | null)[]])[] = [
  ['small ones', 'int64', drawn(100, -20n)],
  ['small ones of 32 bits', 'int32', drawn(1000, -500n)],
  ['bytes', 'uint8', drawn(256)],
  ['a constant', 'int64', drawn(1, 7n)],
  ['two neighbours', 'int64', drawn(2, 10n ** 12n)],
  ['far from 0', 'int64', drawn(1000, 2n ** 52n)],
  ['beyond 2^53', 'int64', drawn(1000, 2n ** 60n)],
  ['at the end of uint64', 'uint64', drawn(1000, 2n ** 64n - 1000n)],
  ['at the start of int64', 'int64', drawn(1000, -(2n ** 63n))],
  ['with a step', 'int64', drawn(300, -1000n, 1_000_000n)],
  ['with a large step', 'int64', drawn(300, -(2n ** 40n), 2n ** 38n)],
  ['squares that just fit', 'uint32', drawn(2 ** 20)],
  ['squares that do not', 'uint32', drawn(2 ** 32 - 1)],
  ['an outlier first', 'int64', [10n ** 9n, ...drawn(3).slice(1)]],
  ['one outlier', 'int32', drawn(5).map((value, row) => (row === 3000 ? 2_000_000n : value))],
  ['with nulls', 'int64', drawn(50).map((value) => (value % 7n === 0n ? null : value))],
  ['nothing but nulls', 'int64', drawn(1).map(() => null)],
];

/** In units of 2^-200, of a sample. */
function varianceOf(values: readonly bigint[]): number {
  const count = BigInt(values.length);
  if (count < 2n) return NaN;
  const sum = values.reduce((all, value) => all + value, 0n);
  const squares = values.reduce((all, value) => all + value * value, 0n);
  return Number(((count * squares - sum * sum) << 200n) / (count * (count - 1n))) / 2 ** 200;
}

function expectNear(found: unknown, values: readonly (bigint | null)[]): void {
  const exact = varianceOf(values.filter((value) => value !== null));
  if (Number.isNaN(exact)) expect(found).toBeNaN();
  else if (exact === 0) expect(found).toBe(0);
  else expect(Math.abs((found as number) / exact - 1)).toBeLessThan(1e-13);
}

/** With the addon and without, to the last bit. */
function expectSame(path: string): void {
  const [native, js] = (['native', 'js'] as const).map((backend) => {
    using table = openSync(path, { backend });
    return [
      table.aggSync({ found: { var: 'x' }, mean: { mean: 'x' } }),
      table.groupBy('texts').aggSync({ found: { var: 'x' }, sum: { sum: 'x' } }).columns,
      table
        .where('group < 7')
        .groupBy('group')
        .aggSync({ found: { std: 'x' } }).columns,
    ];
  });
  expect(native).toEqual(js);
}

describe.each(['default', 'plain', 'smallest'] as const)('in mode %s', (mode) => {
  it.each(CASES)('%s', (name, type, values) => {
    const path = join(folder, `${mode} ${name}.cna`);
    const items = type.endsWith('64') ? values : values.map((value) => (value === null ? null : Number(value)));
    const group = values.map((_, row) => (row < 2000 ? row % 3 : (row * 7919) % 11));
    const texts = group.map((each) => `group ${each}`);
    writeSync(path, { x: typed(type, items as never), texts, group: Int32Array.from(group) }, {
      mode,
      rowGroupSize: 2048,
      pageRows: 512,
    } as never);
    if (!type.endsWith('64') && name !== 'squares that do not') expectSame(path);
    using table = openSync(path);
    expectNear(table.aggSync({ found: { var: 'x' } }).found, values);
    const later = table.where('group > 5').aggSync({ found: { var: 'x' } }).found;
    expectNear(
      later,
      values.filter((_, row) => (group[row] as number) > 5),
    );
    for (const by of ['texts', 'group'] as const) {
      const { columns } = table.groupBy(by).aggSync({ found: { var: 'x' }, n: 'count' });
      const list = by === 'texts' ? texts : group;
      for (const [index, key] of Array.from(columns[by] as ArrayLike<unknown>).entries())
        expectNear(
          (columns.found as ArrayLike<number>)[index],
          values.filter((_, row) => list[row] === key),
        );
    }
  });
});

const UNITS = 2 ** 20;
const units = (below: number, base = 0): bigint[] => drawn(below, BigInt(base) * BigInt(UNITS));
/** In units of 2^-20, so that their variances are exact. */
const FLOATS: readonly (readonly [name: string, type: DType, values: readonly (bigint | null)[]])[] = [
  ['halves', 'float64', units(1000).map((value) => (value * BigInt(UNITS)) / 2n)],
  ['any', 'float64', units(2 ** 31)],
  ['of 32 bits', 'float32', units(2 ** 22)],
  ['far from 0', 'float64', units(1000, 2 ** 30)],
  ['with nulls', 'float64', units(2 ** 31).map((value) => (value % 5n === 0n ? null : value))],
  ['quarters with nulls', 'float64', units(9).map((value) => (value === 3n ? null : value * BigInt(UNITS / 4)))],
  ['a constant', 'float64', units(1, 12)],
  ['an outlier first', 'float64', [2n ** 50n, ...units(100).slice(1)]],
];

describe.each(['default', 'plain'] as const)('floats in mode %s', (mode) => {
  it.each(FLOATS)('%s', (name, type, values) => {
    const path = join(folder, `${mode} ${type} ${name}.cna`);
    const group = values.map((_, row) => (row * 7919) % 11);
    const x = typed(type, values.map((value) => (value === null ? null : Number(value) / UNITS)) as never);
    const texts = group.map((each) => `group ${each}`);
    writeSync(path, { x, texts, group: Int32Array.from(group) }, { mode, rowGroupSize: 2048, pageRows: 512 } as never);
    for (const backend of ['native', 'js'] as const) {
      using table = openSync(path, { backend });
      const near = (found: unknown, of: readonly (bigint | null)[]): void =>
        expectNear((found as number) * UNITS ** 2, of);
      near(table.aggSync({ found: { var: 'x' } }).found, values);
      near(
        table
          .slice(700, 4000)
          .where('group > 5')
          .aggSync({ found: { var: 'x' } }).found,
        values.filter((_, row) => row >= 700 && row < 4000 && (group[row] as number) > 5),
      );
      for (const by of ['texts', 'group'] as const) {
        const { columns } = table.groupBy(by).aggSync({ found: { var: 'x' }, mean: { mean: 'x' }, most: { max: 'x' } });
        const list = by === 'texts' ? texts : group;
        for (const [index, key] of Array.from(columns[by] as ArrayLike<unknown>).entries())
          near(
            (columns.found as ArrayLike<number>)[index],
            values.filter((_, row) => list[row] === key),
          );
      }
    }
  });

  it('that are not finite have none', () => {
    const path = join(folder, `${mode} not finite.cna`);
    const x = drawn(1000).map((value, row) => (row === 77 ? [NaN, Infinity, -Infinity][row % 3] : Number(value) / 7));
    writeSync(path, { x: Float64Array.from(x as number[]), key: x.map((_, row) => row % 2) }, { mode });
    for (const backend of ['native', 'js'] as const) {
      using table = openSync(path, { backend });
      const { columns } = table.groupBy('key').aggSync({ found: { std: 'x' } });
      expect(table.aggSync({ found: { std: 'x' } }).found).toBeNaN();
      expect(Array.from(columns.found as ArrayLike<number>, Number.isNaN)).toEqual([false, true]);
    }
  });
});
