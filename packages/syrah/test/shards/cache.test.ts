// Epochs over shards of a server with a cache: the second one asks for nothing, whatever its order, in workers too.
import { readFileSync } from 'node:fs';
import { objectServer } from '@colkit/testkit/object-server';
import { afterAll, expect, test } from 'vitest';
import { DataLoader, SyrahDataset, create } from '../../src/index.ts';
import type { Tensor } from '../../src/index.ts';
import { collect } from '../loader/fixture.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const folder = temporaryFolder();
const server = await objectServer();
afterAll(() => server.close());
const FILES = 4;
const EACH = 60;
const COUNT = FILES * EACH;
const urls: string[] = [];
for (let number = 0; number < FILES; number += 1) {
  const path = folder.path(`${String(number)}.syr`);
  const writer = await create(path, { durability: 'none' });
  for (let i = number * EACH; i < (number + 1) * EACH; i += 1)
    writer.addItemSync({ label: Int32Array.of(i), data: new Float32Array(1500).fill(i) });
  await writer.close();
  server.objects.set(`${String(number)}.syr`, readFileSync(path));
  urls.push(server.url(`${String(number)}.syr`));
}

const valuesOf = (batches: readonly unknown[]): number[] =>
  (batches as [Tensor<Int32Array>, Tensor<Float32Array>][]).flatMap(([label, data]) =>
    Array.from(label.data, (each, k) => (data.data[k * 1500 + 7] === each ? each : NaN)),
  );

async function requestsOf(work: () => Promise<unknown>): Promise<number> {
  server.ranges.length = 0;
  await work();
  return server.ranges.length;
}

test.each([
  [0, 'in memory'],
  [0, 'in files'],
  [2, 'in files'],
] as const)('%i workers, %s', async (workers, where) => {
  const cache = where === 'in memory' ? {} : { bytes: 0, folder: folder.path(`cache-${String(workers)}`) };
  const dataset = await SyrahDataset.open(urls, ['label', 'data'], { cache });
  await using loader = new DataLoader(dataset, { batchSize: 16, shuffle: true, workers, warmStart: false });
  const epochs: number[][] = [];
  const epoch = async (): Promise<void> => {
    epochs.push(valuesOf(await collect(loader)));
  };
  expect(await requestsOf(epoch)).toBeGreaterThan(FILES);
  // A worker that did not need a file before opens it.
  expect(await requestsOf(epoch)).toBeLessThanOrEqual(workers * FILES);
  expect(await requestsOf(epoch)).toBe(0);
  for (const values of epochs)
    expect(values.toSorted((a, b) => a - b)).toEqual(Array.from({ length: COUNT }, (_, i) => i));
  expect(epochs[1]).not.toEqual(epochs[0]);
  dataset.close();
});

test('another run finds the files', async () => {
  const cache = { folder: folder.path('cache-2') };
  const dataset = await SyrahDataset.open(urls, ['label', 'data'], { cache });
  expect(await requestsOf(() => collect(new DataLoader(dataset, { batchSize: 16, shuffle: true, seed: 9 })))).toBe(0);
  dataset.close();
});
