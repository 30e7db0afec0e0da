import { characterArbitrary } from '@colkit/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareText } from '../../src/index.ts';

const encoder = new TextEncoder();

/** By UTF-8 bytes, one by one. */
function compareBytes(left: string, right: string): number {
  const [a, b] = [encoder.encode(left), encoder.encode(right)];
  for (let index = 0; index < Math.min(a.length, b.length); index += 1)
    if (a[index] !== b[index]) return a[index]! - b[index]!;
  return a.length - b.length;
}

test('text has the order of its UTF-8 bytes', () => {
  expect(compareText('\uFF61', '😀')).toBeLessThan(0);
  fc.assert(
    fc.property(fc.string({ unit: characterArbitrary }), fc.string({ unit: characterArbitrary }), (left, right) => {
      expect(Math.sign(compareText(left, right))).toBe(Math.sign(compareBytes(left, right)));
    }),
  );
});
