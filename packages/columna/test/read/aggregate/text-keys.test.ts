// Groups by columns of texts of which most rows have their own, over several row groups, with nulls and texts that are
// nearly the same: as a loop over the rows has them, in the order in which they are met, with the addon and without it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '@colkit/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { openSync, typed, writeSync } from '../../../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'columna-text-keys-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ROWS = 12_000;
type Text = string | null;
const EDGES: readonly Text[] = [
  '',
  '\0',
  'a',
  'a\0',
  'A',
  'é',
  'e\u0301',
  '\uFEFF',
  '\uFFFD',
  '\u{1F600}',
  'ß'.repeat(90),
];
const random = createRandom(4);
const text = (count: number): string => `user ${String(random.integer(count)).padStart(6, '0')}`;
const draw = (make: (row: number) => Text): Text[] => Array.from({ length: ROWS }, (_, row) => make(row));
const KEYS: Readonly<Record<string, Text[]>> = {
  'few texts': draw(() => random.pick(EDGES)),
  'more texts than a page has rows': draw(() => text(3500)),
  'such and nulls': draw((row) => (row % 5 === 0 ? random.pick([...EDGES, null]) : text(3500))),
  'each its own': draw((row) => `${String(row * 7919)}\u{1F600}`),
};
const other = draw(() => random.pick(['x', 'y', null]));
const added = Float64Array.from({ length: ROWS }, (_, row) => row % 97);

describe.each(['default', 'fast', 'plain', 'smallest'] as const)('in mode %s', (mode) => {
  it.each(Object.entries(KEYS))('%s', async (name, keys) => {
    const path = join(folder, `${mode} ${name}.cna`);
    const columns = { key: typed('string', keys), other: typed('string', other), added };
    writeSync(path, columns, { mode, rowGroupSize: 4096, pageRows: 1024 });
    using table = openSync(path);
    for (const by of [['key'], ['key', 'other'], ['other', 'key']] as const) {
      // A page of fewer rows than are worth a call, all, and rows here and there.
      for (const rows of [keys.map((_, row) => row).slice(100, 130), keys.map((_, row) => row), [11_999, 3, 8192, 3]]) {
        const groups = new Map<string, { key: Text[]; sum: number; least: Text }>();
        for (const row of rows) {
          const key = by.map((column) => (column === 'key' ? keys : other)[row] as Text);
          const id = JSON.stringify(key);
          let group = groups.get(id);
          if (group === undefined) groups.set(id, (group = { key, sum: 0, least: keys[row] as Text }));
          group.sum += added[row] as number;
          const own = keys[row] as Text;
          if (own !== null && (group.least === null || Buffer.compare(Buffer.from(own), Buffer.from(group.least)) < 0))
            group.least = own;
        }
        const wanted = [...groups.values()];
        const specs = { sum: { sum: 'added' }, least: { min: 'key' } } as const;
        const query = (rows.length === ROWS ? table : table.take(rows)).groupBy(...by);
        for (const { columns: found } of [query.aggSync(specs), await query.agg(specs)]) {
          for (const [index, column] of by.entries())
            expect(found[column]).toEqual(wanted.map(({ key }) => key[index]));
          expect(Array.from(found.sum)).toEqual(wanted.map(({ sum }) => sum));
          expect(found.least).toEqual(wanted.map(({ least }) => least));
        }
      }
    }
  });
});
