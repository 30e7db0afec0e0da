// Numbers that the addon gave the rows of a page, in whatever order: they are told in the order of their first rows.
import { RECORD_BYTES } from '@colkit/io';
import { createRandom } from '@colkit/testkit';
import { expect, it } from 'vitest';
import { FoldedPage } from '../../../src/read/aggregate/folded-page.ts';

const WORDS = RECORD_BYTES.group / 4;
const [FIRST, COUNT] = [3, 4];

it.each([0, 1, 2, 700, 8191, 8192, 30_000, 65_536])('%d numbers', (count) => {
  const random = createRandom(count);
  const rows = Array.from({ length: 65_536 }, (_, row) => row);
  for (let at = rows.length - 1; at > 0; at--) {
    const other = random.integer(at + 1);
    [rows[at], rows[other]] = [rows[other] as number, rows[at] as number];
  }
  // Of some numbers no row is left.
  const numbers = Array.from({ length: count }, (_, number) => number);
  const met = numbers.filter((number) => number % 5 !== 3);
  for (const of of [rows.slice(0, count), rows.slice(0, count).sort((a, b) => a - b)]) {
    const records = new Uint32Array(count * WORDS);
    for (const number of numbers) records[number * WORDS + FIRST] = of[number] as number;
    for (const number of met) records[number * WORDS + COUNT] = 1;
    const page = new FoldedPage([{ records, dictionary: null, ranges: null, isShared: false }], count, new Map());
    const expected = met.sort((a, b) => (of[a] as number) - (of[b] as number));
    expect([...page.distinct(0, null).records]).toEqual(expected);
  }
});
