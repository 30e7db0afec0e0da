// Rows that match a filter, however few or many they are: the addon picks the same as TypeScript, of every kind of
// column, and of numbers it does so without anything being decoded here.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backendInfo } from '@colkit/io';
import { createRandom } from '@colkit/testkit';
import { afterAll, expect, it, vi } from 'vitest';
import { openSync, writeSync } from '../../../src/index.ts';
import { PageJobs } from '../../../src/read/pages/jobs/page-jobs.ts';

const folder = mkdtempSync(join(tmpdir(), 'columna-matches-'));
afterAll(() => rmSync(folder, { recursive: true }));

const rows = 5000;
const random = createRandom(19);
const codes = Array.from({ length: rows }, () => random.integer(30));
const columns = {
  key: Int32Array.from({ length: rows }, () => random.integer(100)),
  price: Float64Array.from({ length: rows }, () => random.integer(900) / 100),
  some: codes.map((code) => (code % 4 === 0 ? null : BigInt(code) << 40n)),
  area: Float64Array.from(codes, (code) => Math.sqrt(code)),
  city: codes.map((code) => `city ${code}`),
  // In some pages all rows that match are null, in others none is.
  late: Array.from({ length: rows }, (_, row) => (row % 2000 < 800 || row % 7 === 0 ? null : row)),
};
const FILTERS = ['key > 96', 'key > 50', 'key >= 0', "key > 20 and city != 'city 3'", 'some is null or key < 40'];

it.each([false, true])('joint dictionaries %s', (joint) => {
  const path = join(folder, `${String(joint)}.cna`);
  writeSync(path, columns, { joint, pageRows: 704, rowGroupSize: 2112 });
  const found = (['js', 'native'] as const).map((backend) => {
    using table = openSync(path, { backend });
    return FILTERS.map((where) => table.where(where).toColumnsSync({ nulls: 'bitmap' }));
  });
  expect(found[1]).toEqual(found[0]);
  const matching = columns.key.filter((key) => key > 50);
  expect((found[1]?.[1] as unknown as { key: Int32Array }).key).toEqual(matching);
});

it.runIf(backendInfo().backend === 'native')('decodes no numbers here', () => {
  const path = join(folder, 'numbers.cna');
  writeSync(path, columns, { joint: false, pageRows: 704, rowGroupSize: 2112 });
  const numbers = vi.spyOn(PageJobs.prototype, 'numbersOf');
  using table = openSync(path);
  const { some } = table.where('key > 50').select('price', 'some', 'key').toColumnsSync({ nulls: 'bitmap' });
  expect(numbers).not.toHaveBeenCalled();
  expect(some).toBeDefined();
  numbers.mockRestore();
});

it.runIf(backendInfo().backend === 'native')('picks rows while it filters, nulls among them', () => {
  const path = join(folder, 'nulls.cna');
  writeSync(path, columns, { joint: false, pageRows: 704, rowGroupSize: 2112 });
  const again = vi.spyOn(PageJobs.prototype, 'addItems');
  using table = openSync(path);
  const { late } = table.where('key > 96').select('late', 'price').toColumnsSync();
  expect(late).toEqual(columns.late.filter((_, row) => (columns.key[row] as number) > 96));
  // Pages of nulls only are left.
  expect(again.mock.calls.length).toBeLessThan(3);
  again.mockRestore();
});
