// Rows at random, a few of many: texts of a page come alone, and columns beside them have a joint dictionary, so that
// their pages are another column's.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { inspectSync, openSync, read, writeSync } from '../../../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'columna-joint-texts-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ROWS = 1024;
const each = <T>(make: (row: number) => T): T[] => Array.from({ length: ROWS }, (_, row) => make(row));
const origin = each((row) => `airport ${(row * 7) % 19}`);
const columns = {
  origin,
  city: origin.map((name) => `city of ${name}`),
  page: each((row) => `https://example.org/flights/${row}`),
  distance: Float64Array.from(origin, (name) => Math.sqrt(Number(name.slice(8)))),
  comment: each((row) => `${(row * 7919) % 1013} said ${row}`),
  isFar: origin.map((name) => name.length > 9),
  last: each((row) => `row ${row} of many`),
};

it('gives each column its own values, whatever lies behind it', async () => {
  const path = join(folder, 'flights.cna');
  writeSync(path, columns, { mode: 'smallest', rowGroupSize: 512 });
  const { chunks } = inspectSync(path).rowGroups[0]!;
  const joint = chunks.filter(({ pages }) => pages.length === 0).map(({ column }) => column);
  expect(joint).toEqual(['city', 'distance', 'isFar']);
  using table = openSync(path);
  for (const rows of [[28], [3, 700], [900, 5, 5, 511, 512], [1023, 0]]) {
    const expected = (name: keyof typeof columns) => rows.map((row) => columns[name][row]);
    for (const found of [table.take(rows).toColumnsSync(), await table.take(rows).toColumns()])
      for (const name of Object.keys(columns) as (keyof typeof columns)[])
        expect(
          Array.from(found[name] as ArrayLike<unknown>, (v) => (name === 'isFar' ? v === 1 : v)),
          name,
        ).toEqual(expected(name));
    expect(table.take(rows).select('city', 'page').toRowsSync()).toEqual(
      rows.map((row) => ({ city: columns.city[row], page: columns.page[row] })),
    );
  }
  expect(table.slice(40, 42).select('city', 'page', 'distance', 'comment').toRowsSync()).toEqual(
    [40, 41].map((row) => ({
      city: columns.city[row],
      page: columns.page[row],
      distance: columns.distance[row],
      comment: columns.comment[row],
    })),
  );
  expect((await read(path))['city']).toEqual(columns.city);
});
