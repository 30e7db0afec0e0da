// Texts as UTF-8 where rows of a dictionary stop getting bytes of their own in the midst of a column: the limit is set
// down to some bytes, and the texts are those that were written.
import { createRandom } from '@colkit/testkit';
import { expect, test, vi } from 'vitest';
import { openSync } from '../../../src/index.ts';
import type * as Module from '../../../src/read/pages/texts/utf8-collector.ts';
import { writeTable } from '../../support/table.ts';

const most = vi.hoisted(() => ({ spread: 0 }));
vi.mock('../../../src/read/pages/texts/utf8-collector.ts', async (original) => {
  const { Utf8Collector } = await original<typeof Module>();
  return {
    Utf8Collector: class extends Utf8Collector {
      constructor(...[count, transferable, decoded]: ConstructorParameters<typeof Utf8Collector>) {
        super(count, transferable, decoded, most.spread);
      }
    },
  };
});

const ROWS = 900;
const random = createRandom(2026);
const WORDS = ['', 'a', 'żółć', '😀 text of some length, more than what is copied byte by byte'];
const COLUMNS = {
  coded: () => random.pick(WORDS),
  'coded, with nulls': () => random.pick([...WORDS, null]),
  // A dictionary, then pages of texts that are all different.
  mixed: (row: number) => (row < 500 ? random.pick(WORDS) : `item ${String(random.integer(1e9))}`),
};
const values = Object.values(COLUMNS).map((make) => Array.from({ length: ROWS }, (_, row) => make(row)));
const { bytes } = writeTable(
  Object.keys(COLUMNS).map((name, k) => ({ name, type: 'string' as const, values: values[k]! })),
  { rowGroupRows: 300, pageRows: 64 },
);

test.each([0, 100, 1000, 5000, 20_000, Infinity])('rows have %i bytes of their own at most', async (spread) => {
  most.spread = spread;
  using table = openSync(bytes);
  const texts = async (view: typeof table): Promise<unknown[][]> => {
    const arrow = await view.toArrow<{ getChildAt(at: number): Iterable<unknown> }>();
    return values.map((_, k) => [...arrow.getChildAt(k)]);
  };
  expect(await texts(table)).toEqual(values);
  expect(await texts(table.slice(150, 700))).toEqual(values.map((each) => each.slice(150, 700)));
  const rows = Array.from({ length: 50 }, () => random.integer(ROWS));
  expect(await texts(table.take(rows))).toEqual(values.map((each) => rows.map((row) => each[row])));
});
