// where(…).head(k): pages are looked at one by one, and then some more at a time, until there are k matches.
import { CountingSource, createRandom } from '@colkit/testkit';
import { expect, it } from 'vitest';
import { open } from '../../../src/index.ts';
import { MemorySource } from '../../support/io.ts';
import { writeTable } from '../../support/table.ts';

const ROWS = 64_000;
const PAGE_ROWS = 500;
const random = createRandom(3);
// Statistics rule out no page: every one has the greatest value, and the least that is asked for is above their least.
const GREATEST = 1_000_000;
const x = Int32Array.from({ length: ROWS }, (_, row) => (row % PAGE_ROWS === 0 ? GREATEST : random.integer(GREATEST)));
const LAST = x[ROWS - 1] as number;
const { bytes } = writeTable([{ name: 'x', type: 'int32', values: x }], { pageRows: PAGE_ROWS });

async function bytesFor(value: number, count: number): Promise<number> {
  const source = new CountingSource(new MemorySource(bytes));
  const rows = await (await open(source))
    .where(`x = ${String(value)}`)
    .head(count)
    .toRows();
  expect(rows).toEqual(
    Array.from({ length: Math.min(count, x.filter((each) => each === value).length) }, () => ({ x: value })),
  );
  return source.bytesRead;
}

it('reads the first pages alone, where these have enough', async () => {
  const all = await bytesFor(LAST, 100);
  const least = await bytesFor(GREATEST, 0);
  expect((await bytesFor(GREATEST, 1)) - least).toBeLessThan(all / 10);
  expect((await bytesFor(GREATEST, 3)) - least).toBeLessThan(all / 8);
  expect(all).toBeGreaterThan(2 * ROWS);
});
