// Batches that were handed out are the consumer's: it may write into them, move them to another thread and keep them.
import { beforeAll, expect, test } from 'vitest';
import { DataLoader, SyrahDataset } from '../../../src/index.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { itemOf, writeItems } from '../fixture.ts';

const ITEMS = 60;
const path = temporaryFolder().path('items.syr');
beforeAll(async () => {
  await writeItems(path, ITEMS);
});

test.each([0, 2])('whatever is done to a batch, by %i workers others are as they are', async (workers) => {
  using dataset = await SyrahDataset.open(path, ['x', 'label'], { expect: { x: 'float32', label: 'int32' } });
  await using loader = new DataLoader(dataset, { batchSize: 4, shuffle: true, seed: 1, workers });
  for (let epoch = 0; epoch < 2; epoch += 1) {
    const labels: number[] = [];
    const kept: unknown[] = [];
    for await (const [x, label] of loader) {
      labels.push(...label.data);
      const which = (labels.length / 4) % 3;
      if (which === 0) x.data.fill(Number.NaN);
      // The arrays of a batch may lie in one buffer, which is moved once.
      const moved = which === 1 ? structuredClone([x, label], { transfer: buffersOf(x.data, label.data) }) : [x, label];
      kept.push(which === 0 ? null : moved);
    }
    expect(labels.toSorted((a, b) => a - b)).toEqual(Array.from({ length: ITEMS }, (_, item) => item));
    expect(kept).toEqual(
      kept.map((batch, b) => {
        if (batch === null) return null;
        const own = labels.slice(4 * b, 4 * b + 4);
        const x = { data: Float32Array.from(own.flatMap((item) => [...itemOf(item).x])), shape: [4, 3] };
        return [x, { data: Int32Array.from(own), shape: [4, 1] }];
      }),
    );
  }
});

function buffersOf(...arrays: readonly (Float32Array | Int32Array)[]): ArrayBuffer[] {
  const buffers = arrays.map(({ buffer }) => buffer).filter((buffer) => buffer instanceof ArrayBuffer);
  return [...new Set(buffers)];
}
