// Numbers of ranges of integers, asked for in any order: those of the keys that are computed of their first integers.
import { LimitError, parseDType } from '@colkit/io';
import { createRandom } from '@colkit/testkit';
import { expect, test } from 'vitest';
import { GroupKeys } from '../../src/aggregate/keys/group-keys.ts';
import type { ColumnValues } from '../../src/aggregate/column-values.ts';
import type { KeyRanges } from '../../src/aggregate/keys/key-ranges.ts';

const INT64 = parseDType('int64');
const keyOf = (integer: bigint): bigint => (integer / 1000n) % 7n;

/** Keys are the same for 10 integers. */
function newRanges(width: bigint | null = 10n, most = 1000): KeyRanges {
  const compute = (values: ColumnValues, count: number): ColumnValues => {
    const words = (values as Extract<ColumnValues, { kind: 'words' }>).words.slice(0, 2 * count);
    const integers = new BigInt64Array(words.buffer);
    if (integers.includes(-990n)) throw new LimitError('ERR_LIMIT', 'of none', 1, 2);
    for (const [row, integer] of integers.entries()) integers[row] = keyOf(integer);
    return { kind: 'words', words, validity: null };
  };
  const keys = GroupKeys.of([INT64], 'groupBy', 'groups', most).computedBy([{ of: INT64, width, compute }]);
  expect(keys.count).toBe(0);
  return keys.rangesOf(0) as KeyRanges;
}

test('ranges are those of all integers from the least to the most, wherever earlier ones were', () => {
  const random = createRandom(5);
  for (let round = 0; round < 8; round++) {
    const ranges = newRanges();
    for (let ask = 0; ask < 12; ask++) {
      const least = BigInt(random.integer(random.pick([3000, 3_000_000])));
      const most = least + BigInt(random.integer(4000));
      const found = ranges.between(least, most, 16_384);
      expect([found?.first, found?.width]).toEqual([least - (least % 10n), 10n]);
      expect(found?.numbers.length).toBe(Number(most / 10n - least / 10n) + 1);
      const keys = Array.from(found?.numbers ?? [], (number) => ranges.valueOf(number));
      expect(keys).toEqual(keys.map((_, index) => keyOf((least / 10n + BigInt(index)) * 10n)));
    }
    expect(ranges.count).toBeLessThanOrEqual(7);
  }
});

test('too many ranges, those beyond 64 bits, and keys that cannot be computed, are none', () => {
  const ranges = newRanges();
  expect(ranges.between(0n, 99n, 9)).toBeNull();
  expect(ranges.between(0n, 99n, 10)?.numbers).toHaveLength(10);
  expect(ranges.between(-(2n ** 63n), -(2n ** 63n) + 1n, 10)).toBeNull();
  expect(ranges.between(2n ** 63n - 1n, 2n ** 63n - 1n, 10)).toBeNull();
  expect(ranges.between(2n ** 64n - 1n, 2n ** 64n - 1n, 10)).toBeNull();
  expect(ranges.between(-985n, 5n, 1000)).toBeNull();
  expect(ranges.between(0n, 99n, 10)).toBeNull();
  expect(newRanges(1n, 3).between(0n, 9000n, 10_000)).toBeNull();
  expect(newRanges(null)).toBeNull();
});
