// Small files that a manifest names: read when they are asked, many at a time, and as files that nobody committed.
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commit, openDataset, openDatasetSync, writeSync } from '../../src/index.ts';
import type { Dataset } from '../../src/index.ts';
import { newFolders } from '../support/new-folders.ts';

const newFolder = newFolders('small-parts');
const upTo = (end: number, start = 0): number[] => Array.from({ length: end - start }, (_, row) => start + row);

describe('many small parts of a manifest', () => {
  // More than are read at a time.
  const PARTS = 70;
  const names = ['b', 'a', 'ä', null] as const;
  const partOf = (part: number) => ({
    id: Int32Array.from(upTo(20), (row) => part * 20 + row),
    price: Float64Array.from(upTo(20), (row) => ((part * 37 + row * 11) % 1000) / 8),
    name: upTo(20).map((row) => names[(part + row) % names.length] ?? null),
  });
  const sums = (ids: readonly number[]): number => ids.reduce((sum, id) => sum + id, 0);

  /** A committed folder, and one with the same files that nobody committed. */
  async function committed(count = PARTS, note: (part: number) => string = () => ''): Promise<[string, string]> {
    const { folder } = newFolder();
    const keys = upTo(count).map((part) => `part-${String(part)}.cna`);
    for (const [part, key] of keys.entries()) {
      const metadata = { note: note(part) };
      for (const at of ['orders', 'files']) mkdirSync(join(folder, at), { recursive: true });
      writeSync(join(folder, 'orders', key), partOf(part), { durability: 'none', rowGroupSize: 16, metadata });
      copyFileSync(join(folder, 'orders', key), join(folder, 'files', key));
    }
    await commit(join(folder, 'orders'), keys, { expected: 0 });
    return [join(folder, 'orders'), join(folder, 'files')];
  }

  const questions = [
    (table: Dataset) =>
      table.agg({ n: 'count', s: { sum: 'price' }, low: { min: 'name' }, d: { countDistinct: 'name' } }),
    (table: Dataset) =>
      table
        .groupBy('name')
        .agg({ s: { sum: 'price' }, first: { min: 'id' } })
        .then((of) => of.columns),
    (table: Dataset) => table.where('id between 333 and 1101 and price > 50').toColumns(),
    (table: Dataset) => table.where("name = 'ä' or id % 40 < 20").count(),
    (table: Dataset) => table.slice(15, 1390).column('id').sum(),
    (table: Dataset) => table.select('price').toColumns(),
  ];

  it.each([
    ['of one schema', () => ''],
    ['of schemas that the manifest cannot tell apart', (part: number) => `of ${String(part % 7)}`],
  ])('answer as files without one: %s', async (_, note) => {
    const [orders, files] = await committed(PARTS, note);
    const [dataset, plain] = [await openDataset(orders), await openDataset(files)];
    const answers = await Promise.all(questions.map((ask) => ask(plain)));
    for (const round of [1, 2])
      for (const [number, ask] of questions.entries())
        expect(await ask(dataset), `round ${String(round)}`).toEqual(answers[number]);
    // From the start each, in both forms.
    for (const [number, ask] of questions.entries()) {
      const again = await openDataset(orders);
      expect(await ask(again)).toEqual(answers[number]);
      again.close();
    }
    const sync = openDatasetSync(orders);
    expect(sync.where('id >= 20').column('id').sumSync()).toBe(sums(upTo(PARTS * 20, 20)));
    expect(sync.where('price > 120').toColumnsSync()).toEqual(await plain.where('price > 120').toColumns());
  });

  it('are refused where a file is not the one that was committed', async () => {
    const [orders] = await committed(70);
    const path = join(orders, 'part-66.cna');
    const sum = async (): Promise<unknown> => {
      const dataset = await openDataset(orders);
      try {
        return await dataset.column('price').sum();
      } finally {
        dataset.close();
      }
    };
    const before = await sum();
    writeSync(path, { ...partOf(66), price: new Float64Array(20) }, { overwrite: true, durability: 'none' });
    await expect(sum()).rejects.toMatchObject({ code: 'ERR_FILE_CHANGED', path });
    writeFileSync(path, 'CNA1 and no more');
    await expect(sum()).rejects.toMatchObject({ code: 'ERR_TRUNCATED', path });
    rmSync(path);
    await expect(sum()).rejects.toMatchObject({ code: 'ERR_NOT_FOUND', path });
    // The same bytes at another place are the same file.
    writeSync(path, partOf(66), { durability: 'none', rowGroupSize: 16, metadata: { note: '' } });
    expect(await sum()).toBe(before);
  });
});
