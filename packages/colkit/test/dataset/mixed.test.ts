// Files of both formats as one table, with one schema.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as colstore from 'colstore';
import * as columna from 'columna';
import { afterAll, expect, it } from 'vitest';

const root = mkdtempSync(join(tmpdir(), 'colkit-mixed-'));
afterAll(() => rmSync(root, { recursive: true }));

it('answers over parts of both formats', async () => {
  mkdirSync(join(root, 'kind=1'));
  mkdirSync(join(root, 'kind=2'));
  const part = (start: number) => ({
    id: Int32Array.from({ length: 500 }, (_, row) => start + row),
    price: Float64Array.from({ length: 500 }, (_, row) => ((start + row) % 97) / 4),
  });
  columna.writeSync(join(root, 'kind=1', 'a.cna'), part(0));
  colstore.writeSync(join(root, 'kind=2', 'b.cstore'), part(500), { layout: 'records', statistics: true });
  columna.writeSync(join(root, 'kind=2', 'c.cna'), part(1000));
  colstore.writeSync(join(root, 'kind=2', 'd.cstore'), part(1500), { layout: 'flat' });
  const dataset = await columna.openDataset(root, { formats: [colstore.cstoreParts] });
  expect(dataset.rowCount).toBe(2000);
  const all = await dataset.toColumns();
  expect(all).toEqual({
    id: Int32Array.from({ length: 2000 }, (_, row) => row),
    price: Float64Array.from({ length: 2000 }, (_, row) => (row % 97) / 4),
    kind: BigInt64Array.from({ length: 2000 }, (_, row) => (row < 500 ? 1n : 2n)),
  });
  const where = dataset.where('price > 20 and kind = 2 and id < 1600');
  const ids = Array.from(all['id'] as Int32Array).filter((id) => (id % 97) / 4 > 20 && id >= 500 && id < 1600);
  expect(await where.select('id').toColumns()).toEqual({ id: Int32Array.from(ids) });
  expect(await where.agg({ n: 'count', s: { sum: 'id' } })).toEqual({ n: ids.length, s: ids.reduce((a, b) => a + b) });
  expect(await dataset.where('id between 600 and 700').explain()).toMatch(/files: 4, skipped[^\n]*: 2/u);
  const groups = (await dataset.groupBy('kind').agg({ n: 'count', s: { sum: 'price' } })).columns;
  expect(groups.n).toEqual([500, 1500]);
  dataset.close();
  // A format that was not given is none of the dataset's.
  expect((await columna.openDataset(root)).rowCount).toBe(1000);
});
