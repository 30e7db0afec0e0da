// Integers around 2^53, where doubles stop to tell neighbours apart: written, read, compared and added up exactly, in
// every mode and encoding.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSync, read, readSync, scan, scanSync, verifySync, writeSync } from '../../src/index.ts';
import type { ForcedEncoding } from '../../src/index.ts';
import { withStatistics } from '../support/statistics.ts';

const P53 = 2n ** 53n;
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'columna-exact-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function written(columns: Record<string, BigInt64Array | BigUint64Array>, options: object = {}): string {
  const path = join(folder, `${files++}.cna`);
  writeSync(path, columns, { durability: 'none', ...options });
  return path;
}

/** Shapes that between them are packed as every encoding. */
const SHAPES: Readonly<Record<string, readonly bigint[]>> = {
  'the two neighbours': [P53 + 1n, P53 - 1n],
  'one value': [P53 + 1n],
  'a run': Array<bigint>(600).fill(P53 + 1n),
  'steps across': Array.from({ length: 300 }, (_, i) => P53 - 150n + BigInt(i)),
  'steps down': Array.from({ length: 300 }, (_, i) => -P53 + 150n - BigInt(i)),
  'even steps that end beyond': Array.from({ length: 301 }, (_, i) => P53 + 1n - 600n + 2n * BigInt(i)),
  'a mixture': Array.from({ length: 700 }, (_, i) => P53 - 3n + BigInt((i * 7919) % 7)),
  'a negative mixture': Array.from({ length: 700 }, (_, i) => -P53 + 3n - BigInt((i * 7919) % 7)),
  'both ends': Array.from({ length: 500 }, (_, i) => (i % 2 === 0 ? P53 + 1n : -P53 - 1n)),
  'two far values': Array.from({ length: 500 }, (_, i) => (i % 3 === 0 ? P53 + 1n : 5n)),
  'a walk': Array.from({ length: 900 }, (_, i) => P53 - 450n + BigInt(i + (i % 5))),
  runs: Array.from({ length: 900 }, (_, i) => P53 - 2n + BigInt(Math.floor(i / 50) % 5)),
  'a skew with outliers': Array.from({ length: 2000 }, (_, i) =>
    i % 97 === 0 ? P53 + 1n + BigInt(i) : P53 - BigInt(Math.floor(Math.sqrt((i * 31) % 400))),
  ),
};
const FORCED: readonly (ForcedEncoding | null)[] = [null, 'PLAIN', 'DELTA', 'DICTIONARY', 'RLE', 'BITPACK', 'ENTROPY'];

describe.each(Object.keys(SHAPES))('%s', (name) => {
  const values = SHAPES[name]!;
  const expected = BigInt64Array.from(values);
  const asked = new Set<string>();

  it.each(['default', 'smallest', 'plain'] as const)('mode %s', async (mode) => {
    for (const encoding of FORCED) {
      let path: string;
      try {
        path = written({ a: expected }, { mode, ...(encoding === null ? {} : { encodings: { a: encoding } }) });
      } catch (error) {
        // An encoding that does not apply to these values.
        expect(error).toMatchObject({ code: 'ERR_VALUE' });
        continue;
      }
      const bytes = readFileSync(path, 'latin1');
      // What another mode, or the encoding that is chosen, makes as well.
      if (asked.has(bytes)) continue;
      asked.add(bytes);
      using table = openSync(path);
      expect((await read(path))['a'], `${encoding ?? 'chosen'} of ${mode}`).toEqual(expected);
      expect(readSync(path)['a'], `${encoding ?? 'chosen'} of ${mode}`).toEqual(expected);
      expect(verifySync(path).ok).toBe(true);
      for (const probe of new Set([P53 - 1n, P53, P53 + 1n, P53 + 2n, -P53 - 1n, -P53, values[0]!])) {
        const rows = values.flatMap((value, row) => (value === probe ? [row] : []));
        const label = `${String(probe)}, ${encoding ?? 'chosen'} of ${mode}`;
        expect(scanSync(path, { where: `a == ${probe}` }).stats.matched, label).toBe(rows.length);
        for (const where of [`a >= ${probe} and a <= ${probe}`, `a > ${probe - 1n} and a < ${probe + 1n}`])
          expect(table.where(where).column('a').toArraySync(), `${where}: ${label}`).toHaveLength(rows.length);
        expect((await table.where(`a >= ${probe}`).column('a').toArray()).length, label).toBe(
          values.filter((value) => value >= probe).length,
        );
      }
      const total = values.reduce((sum, value) => sum + value, 0n);
      const told = scan(path).aggSync({ sum: { sum: 'a' }, min: { min: 'a' }, max: { max: 'a' } });
      expect(told).toEqual({
        sum: total,
        min: values.reduce((a, b) => (b < a ? b : a)),
        max: values.reduce((a, b) => (b > a ? b : a)),
      });
    }
  });
});

it.each([
  ['a third of 2^53 + 1', 3002399751580331n, 3],
  ['2^52 and a half', 2n ** 52n + 1n, 2],
  ['minus a third', -3002399751580331n, 3],
  ['2^62', 2n ** 62n + 1n, 3],
  ['-2^63', -(2n ** 63n), 3],
  ['2^53 + 1', P53 + 1n, 5],
])('sums by group that cross the exact numbers: %s', (_, value, times) => {
  for (const mode of ['default', 'smallest', 'plain'] as const) {
    for (const groups of [1, 4]) {
      const count = groups * times;
      const path = join(folder, `${files++}.cna`);
      const columns = {
        key: Array.from({ length: count }, (__, row) => `k${String(row % groups)}`),
        value: BigInt64Array.from({ length: count }, () => value),
      };
      writeSync(path, columns, { mode, encodings: mode === 'plain' ? {} : { key: 'DICTIONARY', value: 'AFFINE' } });
      const expected = {
        key: [...new Set(columns.key)],
        sum: Array<bigint>(groups).fill(value * BigInt(times)),
        rows: Array<number>(groups).fill(times),
      };
      expect(
        scan(path)
          .groupBy('key')
          .aggSync({ sum: { sum: 'value' }, rows: 'count' }).columns,
        `${mode}, ${String(groups)} groups`,
      ).toEqual(expected);
      expect(scan(path, { where: "key == 'k0'" }).aggSync({ sum: { sum: 'value' } })).toEqual({
        sum: value * BigInt(times),
      });
    }
  }
});

it('sums of packed numbers whose base and steps cancel out', () => {
  // The sum is within 2^53, but what the steps alone add up to is not.
  const step = 1_500_000_000_000_001n;
  const values = [2n, 2n, 2n, 2n, 1n, 0n].map((code) => step * (code - 1n));
  const path = join(folder, `${files++}.cna`);
  writeSync(
    path,
    { key: values.map(() => 'k'), value: BigInt64Array.from(values) },
    { encodings: { key: 'DICTIONARY', value: 'DICTIONARY' } },
  );
  expect(
    scan(path)
      .groupBy('key')
      .aggSync({ sum: { sum: 'value' } }).columns,
  ).toEqual({ key: ['k'], sum: [values.reduce((sum, value) => sum + value, 0n)] });
});

it('a bit pattern of uint64 that a falling sequence wraps to is the greatest', () => {
  const path = written(
    { a: BigUint64Array.from({ length: 20 }, (_, row) => BigInt.asUintN(64, 9n - BigInt(row))) },
    { encodings: { a: 'AFFINE' } },
  );
  // Without statistics, so that the values are looked at.
  const bytes = withStatistics(new Uint8Array(readFileSync(path)), (statistics) => ({
    ...statistics,
    min: null,
    max: null,
  }));
  expect(scan(bytes).aggSync({ min: { min: 'a' }, max: { max: 'a' } })).toEqual({ min: 0n, max: 2n ** 64n - 1n });
});
