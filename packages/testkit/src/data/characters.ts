// Strings of any characters for fast-check.
import fc from 'fast-check';

const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;

/**
 * Any code point but halves of pairs: the `unit` of strings. They are the same strings as those of fast-check's
 * 'binary', which in each process spends a second on a table of all code points first.
 */
export const characterArbitrary: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES })
  .map((index) => String.fromCodePoint(index < FIRST_SURROGATE ? index : index + SURROGATES), indexOf);

/** @throws for what is no such character, as fast-check asks. */
function indexOf(text: unknown): number {
  const point = typeof text === 'string' ? (text.codePointAt(0) ?? -1) : -1;
  if (point < 0 || text !== String.fromCodePoint(point)) throw new Error('no character');
  if (point < FIRST_SURROGATE) return point;
  if (point < FIRST_SURROGATE + SURROGATES) throw new Error('half of a pair');
  return point - SURROGATES;
}
