// The copying kernel alone: words of each width, offsets as integers and, for memory beyond 2 GiB, as doubles; and bits
// that a float would lose.
import { expect, test } from 'vitest';
import { Words, copyItemsUnchecked, newOffsets, wordBytes } from '../../src/gather/copy-items.ts';
import { patternBytes } from '../support/folder.ts';

test.each([
  ['integers', Int32Array],
  ['doubles', Float64Array],
] as const)('copies items of any width by words of any width, with offsets as %s', (_, Offsets) => {
  for (const word of [1, 2, 4] as const) {
    for (const words of [1, 2, 3, 5]) {
      for (const count of [0, 1, 3, 4, 7, 8, 9, 17]) {
        const itemBytes = word * words;
        const source = patternBytes(1000);
        const target = new Uint8Array(1000);
        const from = new Offsets(Array.from({ length: count }, (__, i) => ((i * 7) % 11) * words));
        const to = new Offsets(Array.from({ length: count }, (__, i) => (count - 1 - i) * (words + 1)));
        copyItemsUnchecked(word, new Words(target), to, new Words(source), from, count, itemBytes);
        const expected = new Uint8Array(1000);
        for (let i = 0; i < count; i++)
          expected.set(source.subarray(from[i]! * word, from[i]! * word + itemBytes), to[i]! * word);
        expect(target).toEqual(expected);
      }
    }
  }
});

test('keeps signalling NaNs and their payloads', () => {
  const source = new Uint32Array([0x7f800001, 0xffbfffff, 0x00000001, 0x7ff00000]);
  const target = new Uint32Array(4);
  const offsets = Int32Array.of(0, 1, 2, 3);
  copyItemsUnchecked(
    4,
    new Words(new Uint8Array(target.buffer)),
    offsets,
    new Words(new Uint8Array(source.buffer)),
    offsets,
    4,
    4,
  );
  expect(target).toEqual(source);
});

test('counts in the widest word that all allow, and in doubles where integers end', () => {
  expect([0, 4, 8, 3, 6, 2, 1, 2 ** 32 + 2].map((bits) => wordBytes(bits))).toEqual([4, 4, 4, 1, 2, 2, 1, 2]);
  expect(newOffsets(3, 2 ** 31 - 2 ** 16 - 1)).toBeInstanceOf(Int32Array);
  expect(newOffsets(3, 2 ** 31)).toBeInstanceOf(Float64Array);
});

test('views of odd starts count from a multiple of 4 before them', () => {
  const words = new Words(patternBytes(20).subarray(7, 17));
  expect([words.shift, words.u8.byteOffset, words.u8.byteLength, words.u16.length, words.u32.length]).toEqual([
    3, 4, 13, 6, 3,
  ]);
});
