// Texts in the order of their code points, as comparing all of them with each other has it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runSync } from '@colkit/io/effects';
import { ByteUnits } from '../../src/arrange/byte-units.ts';
import { sortedTexts } from '../../src/arrange/sorted-texts.ts';
import { sortedUnits } from '../../src/arrange/sorted-units.ts';
import { upTo } from '../support/tables.ts';

/** By code point; half a surrogate pair is beyond all others of one unit, as the pairs are. */
function compare(one: string, other: string): number {
  const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);
  for (let unit = 0; unit < Math.max(one.length, other.length); unit += 1) {
    const [a, b] = [one.charCodeAt(unit), other.charCodeAt(unit)].map(rank) as [number, number];
    if (a !== b) return Number.isNaN(a) ? -1 : Number.isNaN(b) ? 1 : a - b;
  }
  return 0;
}

function expectSorted(texts: readonly string[]): void {
  const wanted = upTo(texts.length).sort((a, b) => compare(texts[a]!, texts[b]!) || a - b);
  expect(Array.from(runSync(sortedTexts(texts)))).toEqual(wanted);
  if (!texts.some((each) => /\p{Cs}/u.test(each)))
    expect(Array.from(runSync(sortedUnits(bytesOf(texts))))).toEqual(wanted);
}

/** As UTF-8 behind other bytes. */
function bytesOf(texts: readonly string[]): ByteUnits {
  const start = 3;
  let end = start;
  const ends = Uint32Array.from(texts, (each) => (end += Buffer.byteLength(each)));
  return new ByteUnits({ bytes: Buffer.from('xyz' + texts.join('')), start, ends });
}

const EDGES = [
  '',
  '\0',
  '\0\0',
  'a',
  'b',
  '\ud7ff',
  '\ud800',
  '\udbff',
  '\udfff',
  '\ue000',
  '\uffff',
  '😀',
  '\u{10ffff}',
];
const piece = fc.oneof(
  fc.constantFrom(...EDGES),
  fc.string({ maxLength: 3 }),
  fc.constantFrom('x'.repeat(40), 'name-'),
);
const text = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(''));

const wellFormed = text.map((each) => each.replaceAll(/\p{Cs}/gu, 'ä'));

test.each([
  ['any texts', text],
  ['texts as files have them', wellFormed],
])('%s, a few and many, some of them equal', (_, each) => {
  const cases = fc.tuple(
    fc.constantFrom('', 'shared ', '😀'.repeat(20)),
    fc.array(each, { maxLength: 400, size: 'max' }),
  );
  fc.assert(
    fc.property(cases, ([start, texts]) => {
      expectSorted(texts.map((end) => start + end));
    }),
    { numRuns: 200 },
  );
});

test.each([
  ['equal texts', () => 'x'],
  ['equal long texts', () => 'long '.repeat(100)],
  ['zeros at their ends', (i: number) => `a${'\0'.repeat(i % 90)}`],
  ['numbers', (i: number) => `user-${String((i * 7919) % 1000).padStart(6, '0')}`],
  ['pairs of each number', (i: number) => `user-${String(((i * 7919) % 1000) >> 1)}`],
  [
    'differences far behind',
    (i: number) => `${'/folder'.repeat(200)}${String(i % 3)}${'/'.repeat(99)}${String((i * 77) % 500)}`,
  ],
])('a thousand: %s', (_, make) => {
  expectSorted(Array.from({ length: 1000 }, (__, i) => make(i)));
});
