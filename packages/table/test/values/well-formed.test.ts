// Lone halves of surrogate pairs are found, by the language's own function and by the pattern that stands in for it.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isWellFormed, isWellFormedByPattern } from '../../src/values/well-formed.ts';

describe.each([
  ['as it is used', isWellFormed],
  ['by pattern', isWellFormedByPattern],
] as const)('well-formed text, %s', (_, test) => {
  it('is what UTF-8 gives back', () => {
    const unit = fc.constantFrom('a', 'é', '日', '\u{1f600}', '\ud83d', '\ude00', '\uffff', '\0');
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 6 }), (units) => {
        const text = units.join('');
        expect(test(text)).toBe(
          new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(text)) === text,
        );
      }),
      { numRuns: 500 },
    );
    expect([test(''), test('a\ud800'), test('\udc00\ud800'), test('\ud800\udc00')]).toEqual([true, false, false, true]);
  });
});
