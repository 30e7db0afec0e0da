// Groups of the rows of a page by the ranges that their integers are in: which number a row gets, and what is left to
// the caller or refused.
import { expect, test } from 'vitest';
import { fileWith, jobOf } from './page-file.ts';
import type { Job } from './page-file.ts';
import { errorOf, hasNative, mapBytes, native } from './support.ts';

test.skipIf(!hasNative)('numbers rows by the ranges that their integers are in', () => {
  const integers = [7, -8, 9, -1, 0];
  const { bytes, byteLength } = fileWith(new Uint8Array(Int32Array.from(integers).buffer), { rows: 5 });
  const out = new BigInt64Array(32);
  /** From -10 on, four integers each: [-10, -7], [-6, -3], [-2, 1], [2, 5], [6, 9]. */
  const rangesOf = (first: bigint, width: bigint, keys: number, numbers: readonly number[]): Uint8Array => {
    const head = BigInt64Array.of(first, width, BigInt(keys));
    return Uint8Array.of(...new Uint8Array(head.buffer), ...new Uint8Array(Uint32Array.from(numbers).buffer));
  };
  const ranges = rangesOf(-10n, 4n, 3, [2, 0, 1, 0, 2]);
  const run = (job: Job = {}, held = ranges): readonly number[] => {
    const results = new Float64Array(6);
    native().decodePagesSync(
      mapBytes(bytes).mapping,
      jobOf(byteLength, { form: 3, rowCount: 5, end: 5, testLength: 4, rangeCount: 5, rangesOutput: 1, ...job }),
      results,
      [out, held],
      true,
      0,
    );
    const records = new Uint32Array(out.buffer, 0, 6 * (results[1] as number));
    return results[0] === 1 ? [...records] : [];
  };
  // Which of them a row is in: 4, 0, 4, 2, 2.
  expect(run()).toEqual([0, 0, 0, 0xffffffff, 0, 0, 1, 0, 0, 3, 2, 0, 2, 0, 0, 0, 3, 0]);
  expect(run({ start: 1, end: 2 })).toEqual(
    [
      [0, 0xffffffff, 0],
      [1, 0xffffffff, 0],
      [2, 0, 1],
    ].flatMap(([key = 0, first = 0, count = 0]) => [...[key, 0, 0, first], ...[count, 0]]),
  );
  // The first and the last integer of a range; one that is in none; a number that there is none of; no width.
  expect(run({}, rangesOf(-8n, 18n, 1, [0, 0, 0, 0, 0]))).toEqual([0, 0, 0, 0, 5, 0]);
  expect(run({ rangeCount: 1 }, rangesOf(-8n, 17n, 1, [0]))).toEqual([]);
  expect(run({ rangeCount: 1 }, rangesOf(-7n, 17n, 1, [0]))).toEqual([]);
  expect(run({}, rangesOf(-10n, 4n, 2, [2, 0, 1, 0, 2]))).toEqual([]);
  expect(run({}, rangesOf(-10n, 0n, 3, [2, 0, 1, 0, 2]))).toEqual([]);
  expect(run({}, rangesOf(-10n, 2n ** 62n, 3, [2, 0, 1, 0, 2]))).toEqual([]);
  expect(run({ testLength: 2 })).toEqual([]);
  for (const wrong of [
    { rangeCount: 6 },
    { rangeCount: 2 ** 14 + 1 },
    { rangesOffset: 4 },
    { rangesOffset: 8 },
    { rangesOutput: 2 },
    { hasDictionary: 1 },
  ])
    expect(errorOf(() => run(wrong))).toMatchObject({ code: 'ERR_ARGUMENT' });
});
