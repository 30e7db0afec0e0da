// Groups and different values by columns of numbers, drawn from the edges of their types (nulls, NaN, both zeros,
// integers beyond 2^53, NaT), with sums on either side of 2^53: as a loop over the rows has them, with the addon and
// without it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DType } from '@colkit/io';
import { createRandom } from '@colkit/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { openSync, typed, writeSync } from '../../../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'columna-number-keys-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Value = number | bigint | boolean | null;
const SAFE = 2n ** 53n;
const POOLS: readonly (readonly [type: DType, values: readonly Value[]])[] = [
  ['bool', [true, false, null]],
  ['int8', [-128, -1, 0, 1, 127, null]],
  ['int16', [-32768, -1, 0, 16_383, 16_384, 32767]],
  ['int32', [-(2 ** 31), -1, 0, 16_383, 16_384, 2 ** 31 - 1, null]],
  ['uint8', [0, 255]],
  ['uint32', [0, 16_383, 16_384, 2 ** 31, 2 ** 32 - 1, null]],
  ['int64', [-(2n ** 63n), -SAFE - 1n, -SAFE, -1n, 0n, 1n, 2n ** 32n, SAFE, SAFE + 1n, 2n ** 63n - 1n, null]],
  ['uint64', [0n, 2n ** 32n - 1n, SAFE, SAFE + 1n, 2n ** 63n, 2n ** 64n - 1n]],
  ['float32', [-Infinity, -0, 0, 1.5, NaN, 2 ** -149, null]],
  ['float64', [-Infinity, -1e300, -0, 0, 2 ** -1074, 0.1, 2 ** 53, Infinity, NaN, null]],
  ['datetime64[us]', [-(2n ** 63n), -1n, 0n, 1_700_000_000_000_000n, 2n ** 63n - 1n, null]],
  ['datetime64[D]', [-(2n ** 63n), -719_162n, 0n, 19_000n, null]],
];
const ROWS = 3000;
const ADDED = [1n, -1n, SAFE - 1n, SAFE, -SAFE, 2n ** 62n, -(2n ** 63n), 0n];
/** Zeros are one key, and so is NaN. */
const idOf = (value: Value): string => (value === 0 ? '0' : String(value));
const plain = (value: unknown): unknown => (value === 0 ? 0 : value);

describe.each(['default', 'plain', 'smallest'] as const)('in mode %s', (mode) => {
  it.each(POOLS)('%s', (type, pool) => {
    const random = createRandom(pool.length);
    const draw = <T>(values: readonly T[]): T[] => Array.from({ length: ROWS }, () => random.pick(values));
    // Some of the values come late, and in runs.
    const keys = Array.from({ length: ROWS }, (_, row) =>
      row % 700 < 350 ? random.pick(pool.slice(0, 2 + Math.floor((row * pool.length) / ROWS))) : pool[row % 2],
    ) as Value[];
    const [added, others] = [draw(ADDED), draw(['a', null, 'b'])];
    const path = join(folder, `${mode} ${type}.cna`);
    const columns = { key: typed(type, keys as never), added: typed('int64', added), other: others };
    writeSync(path, columns, { mode, rowGroupSize: 1024, pageRows: 256 } as never);
    using table = openSync(path);

    for (const by of [['key'], ['key', 'other'], ['other', 'key']]) {
      const groups = new Map<string, { key: unknown[]; sum: bigint; n: number; keys: Set<string> }>();
      for (let row = 0; row < ROWS; row++) {
        const key = by.map((name) => (name === 'key' ? keys[row] : others[row]) as Value);
        const id = key.map(idOf).join('|');
        let group = groups.get(id);
        if (group === undefined) groups.set(id, (group = { key, sum: 0n, n: 0, keys: new Set() }));
        group.sum += added[row] as bigint;
        group.n++;
        if (keys[row] !== null) group.keys.add(idOf(keys[row] as Value));
      }
      const { columns: found } = table
        .groupBy(...(by as ['key']))
        .aggSync({ sum: { sum: 'added' }, n: 'count', different: { countDistinct: 'key' } });
      const told = Array.from(found.n as ArrayLike<number>, (n, index) => ({
        key: by.map((name) => plain((found as Record<string, ArrayLike<unknown>>)[name]?.[index])),
        sum: (found.sum as ArrayLike<bigint>)[index],
        n,
        different: (found.different as ArrayLike<number>)[index],
      }));
      const expected = [...groups.values()].map(({ key, sum, n, keys: different }) => {
        return { key: key.map(plain), sum, n, different: different.size };
      });
      const boolsAsNumbers = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : value);
      const comparable = (list: typeof told): unknown =>
        list.map((each) => ({ ...each, key: each.key.map(boolsAsNumbers) }));
      expect(comparable(told)).toEqual(comparable(expected as typeof told));
    }
    const different = new Set(keys.filter((value) => value !== null).map(idOf)).size;
    expect(table.aggSync({ different: { countDistinct: 'key' } }).different).toBe(different);
    expect(table.distinct('key').countSync()).toBe(new Set(keys.map(idOf)).size);
  });
});
