// Lists of numbers of any length, in columns of every dtype: the rows that a loop over plain values finds.
import { createRandom } from '@colkit/testkit';
import { describe, expect, it } from 'vitest';
import { tableFrom } from '../support/tables.ts';

type Value = number | bigint | null;

const NAT = -(2n ** 63n);
const EDGES: readonly Value[] = [
  ...[0, -0, 1, -1, 2, 0.5, -0.1, 127, -128, 255, 32_767, -32_768, 65_535, 65_504, 2 ** -24, NaN, Infinity, -Infinity],
  ...[2 ** 31 - 1, -(2 ** 31), 2 ** 32 - 1, 2 ** 53, Math.fround(0.1), 0.1, 5e-324, 2n ** 53n + 1n, 2n ** 63n - 1n],
  ...[NAT, NAT + 1n, 2n ** 64n - 1n, 2n ** 32n, 2n ** 32n + 1n, 2n ** 32n + 2n],
];

const WHOLE: Readonly<Record<string, readonly [bigint, bigint]>> = {
  int8: [-128n, 127n],
  uint8: [0n, 255n],
  int16: [-32_768n, 32_767n],
  uint16: [0n, 65_535n],
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  uint32: [0n, 2n ** 32n - 1n],
  int64: [NAT, -NAT - 1n],
  uint64: [0n, 2n ** 64n - 1n],
};
const HALVES = [0, -0, 1, -1, 0.5, 65_504, 2 ** -24, NaN, Infinity, -Infinity, 2, 127, 255];

/** Those of the edges that a column of the dtype holds, as it holds them. */
function heldBy(dtype: string): Value[] {
  const range = WHOLE[dtype];
  if (range !== undefined) {
    const whole = EDGES.filter((value) => typeof value === 'bigint' || Number.isInteger(value)) as (number | bigint)[];
    const within = whole.filter((value) => value >= range[0] && value <= range[1]);
    return within.map((value) => (dtype.endsWith('64') ? BigInt(value) : Number(value)));
  }
  if (dtype.includes('[')) return EDGES.filter((value) => typeof value === 'bigint' && value < 2n ** 63n);
  if (dtype === 'float16') return HALVES;
  const doubles = EDGES.filter((value) => typeof value === 'number');
  return dtype === 'float64' ? doubles : doubles.map(Math.fround);
}

function equals(dtype: string, value: Value, listed: Value): boolean {
  if (dtype.includes('[') && (value === NAT || listed === NAT)) return false;
  return value !== null && listed !== null && value == listed;
}

describe.each([...Object.keys(WHOLE), 'float16', 'float32', 'float64', 'datetime64[s]', 'timedelta64[ms]'])(
  '%s',
  (dtype) => {
    const random = createRandom(dtype.length);
    const held = heldBy(dtype);
    const values = Array.from({ length: 300 }, (_, row): Value => (row % 7 === 3 ? null : random.pick(held)));
    const table = tableFrom({ v: [`${dtype}?`, values], row: ['int32', [...values.keys()]] });
    const listable = dtype.includes('[') ? EDGES.filter((value) => typeof value === 'bigint') : EDGES;
    const far = Array.from({ length: 2000 }, (_, i): Value => (dtype.includes('[') ? BigInt(3 * i) : 3 * i));

    it.each([
      ['all edges', [...listable, null]],
      ['thousands', [...far, ...listable, ...far]],
      ['a few', listable.slice(0, 3)],
      ['none that it holds', dtype.includes('[') ? [7n, 2n ** 40n] : [0.3, 1e17 + 16, -0.7]],
    ])('%s', (_, list: readonly Value[]) => {
      const rowsOf = (where: string): number[] =>
        Array.from((table.where(where, { list }).toColumnsSync() as { row: Int32Array }).row);
      const isIn = values.map((value) => list.some((one) => equals(dtype, value, one)));
      const present = [...values.keys()].filter((row) => values[row] !== null);
      expect(rowsOf('v in @list')).toEqual(present.filter((row) => isIn[row]));
      expect(rowsOf('v not in @list')).toEqual(present.filter((row) => !isIn[row]));
      expect(rowsOf('row >= 100 and v in @list')).toEqual(present.filter((row) => row >= 100 && isIn[row]));
      expect(rowsOf('row % 3 == 0 and v not in @list')).toEqual(present.filter((row) => row % 3 === 0 && !isIn[row]));
    });
  },
);
