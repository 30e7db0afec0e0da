import { isColkitError } from '@colkit/io';
import { createRandom } from '@colkit/testkit';
import { expect, test } from 'vitest';
import { Mask } from '../../src/views/mask.ts';

/** Around the borders of words, lanes (255 words) and blocks (16384 bytes). */
const LENGTHS = [0, 1, 3, 4, 5, 1019, 1020, 1021, 1024, 16_383, 16_384, 16_385, 16_384 + 1020 + 3, 50_000];

for (const [what, byte] of [
  ['ones', () => 1],
  ['zeros and ones', (n: number) => n % 2],
  ['zeros', () => 0],
] as const) {
  test(`counts and rows of masks of ${what}`, () => {
    const random = createRandom(7);
    for (const length of LENGTHS) {
      for (const shift of [0, 1, 2]) {
        const bytes = new Uint8Array(length + shift).subarray(shift).map(() => byte(random.integer(1000)));
        const kept = [...bytes.keys()].filter((row) => bytes[row] !== 0);
        const mask = new Mask(bytes, length);
        expect(mask.count).toBe(kept.length);
        expect([...mask.rows(0, kept.length)]).toEqual(kept);
        const [start, end] = [Math.floor(kept.length / 3), Math.ceil((2 * kept.length) / 3)];
        expect([...mask.rows(start, end)]).toEqual(kept.slice(start, end));
        if (kept.length === 0) continue;
        for (const position of [0, kept.length - 1, start]) expect(mask.rowAt(position)).toBe(kept[position]);
        // Few positions are searched for, many are looked up.
        const few = Float64Array.of(kept.length - 1, 0, start, start);
        expect([...mask.select(few)]).toEqual([...few].map((position) => kept[position]));
        const many = Int32Array.from({ length: 300 }, () => random.integer(kept.length));
        expect([...mask.select(many)]).toEqual([...many].map((position) => kept[position]));
      }
    }
  });
}

test('a mask is referenced, and booleans are converted', () => {
  const bytes = Uint8Array.of(1, 0, 1);
  expect(new Mask(bytes, 3).bytes).toBe(bytes);
  expect([...new Mask([true, false, true], 3).bytes]).toEqual([1, 0, 1]);
});

test('an entry above 1, wherever it stands, is refused when they are counted, naming take', () => {
  for (const length of LENGTHS.filter((each) => each > 0)) {
    for (const shift of [0, 1, 2]) {
      for (const at of new Set([0, length >> 1, length - 1])) {
        const bytes = new Uint8Array(length + shift).subarray(shift).fill(1);
        bytes[at] = at % 2 === 0 ? 2 : 255;
        expect(() => new Mask(bytes, length).count).toThrow(
          expect.objectContaining({
            code: 'ERR_ARGUMENT',
            argument: 'mask',
            found: `${String(bytes[at])} at position ${String(at)}`,
          }),
        );
        expect(() => new Mask(bytes, length).rows(0, 1)).toThrow(/take\(/);
      }
    }
  }
});

test.each([
  [Uint8Array.of(1), 2],
  [[true], 2],
  [[1, 0], 2],
  [[true, null], 2],
  ['11', 2],
  [new Int32Array(2), 2],
  [null, 2],
])('the mask %j for %d rows is refused', (mask, rowCount) => {
  let thrown: unknown;
  try {
    new Mask(mask as Uint8Array, rowCount);
  } catch (error) {
    thrown = error;
  }
  expect(isColkitError(thrown) && thrown.code).toBe('ERR_ARGUMENT');
});
