// Packed texts as codes: each row's code leads to its text, equal bytes have one code, whatever the width, the number
// of different texts and how they collide; and where most rows differ none are given.
import { expect, test } from 'vitest';
import { ItemCoder } from '../../src/aggregate/codes/item-codes.ts';

const typeOf = (kind: 'bytes' | 'unicode', length: number) => ({
  kind,
  length,
  itemBytes: kind === 'bytes' ? length : 4 * length,
});

function packed(texts: readonly string[], itemBytes: number, unit: number): Uint8Array {
  const bytes = new Uint8Array(texts.length * itemBytes);
  texts.forEach((text, row) =>
    [...text].forEach((each, at) => (bytes[row * itemBytes + at * unit] = each.charCodeAt(0))),
  );
  return bytes;
}

test.each([1, 2, 3, 4, 5, 7, 8, 12])('S%i and U%i: codes of few and of many texts, block after block', (length) => {
  for (const kind of ['bytes', 'unicode'] as const) {
    const type = typeOf(kind, length);
    const coder = new ItemCoder(type);
    for (const [rows, different] of [
      [0, 1],
      [1, 1],
      [3000, 7],
      [3000, 600],
      [20_000, 4000],
      [100, 100],
    ] as const) {
      const texts = Array.from({ length: rows }, (_, row) =>
        String.fromCharCode(
          ...String((row * 7919) % different)
            .padStart(5, 'x')
            .slice(-length)
            .split('')
            .map((each) => each.charCodeAt(0)),
        ),
      );
      const coded = coder.encode(packed(texts, type.itemBytes, kind === 'bytes' ? 1 : 4), rows);
      expect(coded).not.toBeNull();
      expect(Array.from(coded!.codes, (code) => coded!.texts[code])).toEqual(texts);
      expect(coded!.texts).toEqual([...new Set(texts)]);
    }
  }
});

test('rows that mostly differ are not for it', () => {
  const type = typeOf('bytes', 8);
  const texts = Array.from({ length: 5000 }, (_, row) => String(row));
  expect(new ItemCoder(type).encode(packed(texts, 8, 1), 5000)).toBeNull();
});
