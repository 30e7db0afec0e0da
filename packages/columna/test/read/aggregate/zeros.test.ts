// Which of 0 and -0 an extreme is: the first of them in the order of rows, also where the addon numbers the rows of a
// group by the different values of another column.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '@colkit/testkit';
import { afterAll, expect, it } from 'vitest';
import { openSync, typed, writeSync } from '../../../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'columna-zeros-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Mostly zeros are the least and the largest ones. */
const VALUES = [0, -0, 0, -0, NaN, 1] as const;

function extreme(values: readonly number[], isMax: boolean): number {
  let best = NaN;
  for (const value of values) if (Number.isNaN(best) || (isMax ? value > best : value < best)) best = value;
  return best;
}

it.each(['float32', 'float64'] as const)('%s: the first zero, beside different values and firsts', (dtype) => {
  const random = createRandom(7);
  const path = join(folder, `${dtype}.cna`);
  for (let turn = 0; turn < 25; turn++) {
    const rows = 1 + random.integer(12);
    const sign = turn % 2 === 0 ? 1 : -1;
    const x = Array.from({ length: rows }, () => sign * (VALUES[random.integer(VALUES.length)] as number));
    const key = x.map(() => random.integer(2));
    const other = x.map(() => random.integer(3));
    writeSync(
      path,
      { x: typed(dtype, x), key: typed('uint8', key), other: typed('uint8', other) },
      { overwrite: true },
    );
    const table = openSync(path);
    const wanted = { least: { min: 'x' }, most: { max: 'x' } } as const;
    for (const more of [{}, { n: { countDistinct: 'other' } }, { n: { first: 'other' } }] as const) {
      const all = table.aggSync({ ...wanted, ...more });
      expect([all.least, all.most]).toEqual([extreme(x, false), extreme(x, true)]);
      const groups = table.groupBy('key').aggSync({ ...wanted, ...more }).columns;
      for (const [group, code] of [...groups.key].entries()) {
        const own = x.filter((_, row) => key[row] === code);
        expect([groups.least[group], groups.most[group]]).toEqual([extreme(own, false), extreme(own, true)]);
      }
    }
    table.close();
  }
});
