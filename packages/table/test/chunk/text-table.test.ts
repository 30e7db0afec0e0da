// Distinct texts by code, against a Map of strings.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TextTable } from '../../src/chunk/text-table.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

it('gives each distinct text one code, in the order in which they come', () => {
  const texts = fc.array(
    fc.oneof(
      fc.constantFrom('', 'a', 'aa', 'a\0', '\0', 'abcdefgh', 'abcdefghi', 'paid'),
      fc.string({ maxLength: 12 }),
      fc.string({ maxLength: 12, unit: 'grapheme' }),
    ),
    { maxLength: 200 },
  );
  const table = new TextTable();
  fc.assert(
    fc.property(texts, (values) => {
      table.clear();
      const codes = new Map<string, number>();
      for (const value of values) {
        const own = bytesOf(value);
        const text = new TextDecoder().decode(own);
        if (!codes.has(text)) codes.set(text, codes.size);
        const within = new Uint8Array(own.length + 9).fill(97);
        within.set(own, 3);
        expect(table.codeOf(within, 3, 3 + own.length)).toBe(codes.get(text));
      }
      expect(table.count).toBe(codes.size);
      const { bytes, ends } = table.entries();
      expect(
        Array.from(ends, (end, code) => new TextDecoder().decode(bytes.subarray(code === 0 ? 0 : ends[code - 1], end))),
      ).toEqual([...codes.keys()]);
    }),
    { numRuns: 500 },
  );
});

it('grows', () => {
  const table = new TextTable();
  const texts = Array.from(
    { length: 5000 },
    (_, number) => `${number % 2 === 0 ? 'a longer text ' : ''}${String(number)}`,
  );
  for (let round = 0; round < 2; round += 1)
    expect(texts.map((text) => table.codeOf(bytesOf(text), 0, bytesOf(text).length))).toEqual(
      texts.map((_, code) => code),
    );
});
