// A state of so many ranks goes on in any other number, with other batch sizes and workers: the order of the epoch
// stays, and each sample comes once.
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { DataLoader, LengthBuckets, SyrahDataset, WeightedSampler } from '../../../src/index.ts';
import type { LoaderOptions, LoaderState } from '../../../src/index.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { collect, writeItems } from '../fixture.ts';

const folder = temporaryFolder();
const ofLength = (length: number) => ({ length, get: (index: number) => [index] });
const indices = (samples: readonly unknown[]): number[] => samples.map((sample) => (sample as [number])[0]);

interface Phase {
  readonly worldSize: number;
  readonly batchSize: number;
  /** Batches that each rank takes before the phase is over; those that are left, where it is the last one. */
  readonly batches: number;
}

/**
 * The samples of an epoch, and the state after the last phase: each phase is so many loaders side by side, which take
 * as many batches each, and the next one begins with the state of the first of them.
 */
async function train(
  length: number,
  phases: readonly Phase[],
  options: LoaderOptions,
): Promise<{ seen: number[]; state: LoaderState }> {
  const seen: number[] = [];
  let state: LoaderState | null = null;
  for (const [number, { worldSize, batchSize, batches }] of phases.entries()) {
    const isLast = number === phases.length - 1;
    const given = { ...options, worldSize, ...(options.batchSampler === undefined ? { batchSize } : {}) };
    const loaders = Array.from({ length: worldSize }, (_, rank) =>
      state === null
        ? new DataLoader(ofLength(length), { ...given, rank, collate: indices })
        : DataLoader.resume(ofLength(length), JSON.parse(JSON.stringify(state)), { ...given, rank, collate: indices }),
    );
    if (state !== null && loaders[0]!.epoch > 0) break;
    const running = loaders.map((loader) => loader[Symbol.asyncIterator]());
    for (let step = 0; isLast || step < batches; step += 1) {
      const made = await Promise.all(running.map((each) => each.next()));
      // Rank by rank, sample by sample, it is the order.
      const lists = made.map(({ value }) => (value ?? []) as number[]);
      for (let k = 0; k < Math.max(...lists.map((list) => list.length)); k += 1)
        for (const list of lists) if (k < list.length) seen.push(list[k]!);
      if (made.every(({ done }) => done === true)) break;
    }
    state = loaders[0]!.state();
    await Promise.all(running.map((each) => each.return(undefined)));
  }
  return { seen, state: state as LoaderState };
}

const phases = fc.array(
  fc.record({
    worldSize: fc.integer({ min: 1, max: 5 }),
    batchSize: fc.integer({ min: 1, max: 4 }),
    batches: fc.integer({ min: 0, max: 3 }),
  }),
  { minLength: 1, maxLength: 4 },
);

test.each<[string, LoaderOptions]>([
  ['in order', {}],
  ['shuffled', { shuffle: true, seed: 3 }],
  ['shuffled by blocks', { shuffle: { blockItems: 3, bufferItems: 7 }, seed: 3 }],
])('%s: every sample once, in the order that one rank has', async (_, options) => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 40 }), phases, async (length, given) => {
      const alone = await train(length, [{ worldSize: 1, batchSize: 1, batches: 0 }], options);
      expect([...alone.seen].sort((a, b) => a - b)).toEqual(Array.from({ length }, (__, k) => k));
      const { seen, state } = await train(length, given, { ...options, tail: 'uneven' });
      expect(seen).toEqual(alone.seen);
      expect(state).toMatchObject({ epoch: 1, batchesDone: 0, start: 0 });
    }),
    { numRuns: 40 },
  );
});

test("where the rest does not divide: 'pad' begins the order again, 'drop' leaves it out", async () => {
  const given = [
    { worldSize: 2, batchSize: 2, batches: 1 },
    { worldSize: 3, batchSize: 1, batches: 0 },
  ];
  expect((await train(11, given, {})).seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 1]);
  expect((await train(11, given, { tail: 'drop' })).seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('batches of a batch sampler are dealt out to other ranks', async () => {
  const batchSampler = new LengthBuckets(
    Array.from({ length: 30 }, (_, k) => (k * 7) % 11),
    { batchSize: 4, buckets: 3, seed: 1 },
  );
  const options = { batchSampler, tail: 'uneven' as const };
  const count = { batchSize: 1, batches: 2 };
  const alone = (await train(30, [{ worldSize: 1, ...count }], options)).seen;
  expect([...alone].sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, k) => k));
  const { seen } = await train(
    30,
    [
      { worldSize: 2, ...count },
      { worldSize: 3, ...count },
    ],
    options,
  );
  // Within a step ranks are told sample by sample here.
  expect([...seen].sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, k) => k));
  const other = new LengthBuckets(new Float64Array(30), { batchSize: 4, seed: 2 });
  const loader = new DataLoader(ofLength(30), { batchSampler, collate: indices });
  expect(() => DataLoader.resume(ofLength(30), loader.state(), { batchSampler: other, collate: indices })).toThrow(
    /^batchSampler: expected .* as in the state/,
  );
});

test('a file with workers: 3 ranks of 0 workers, then 2 of 2', async () => {
  const path = await writeItems(folder.path('elastic.syr'), 50);
  const dataset = await SyrahDataset.open(path, ['label']);
  afterAll(() => dataset.close());
  type Labels = [{ data: Int32Array }];
  const expected = [
    ...(await collect(new DataLoader<Labels>(dataset, { shuffle: true, seed: 9, batchSize: 50 })))[0]![0].data,
  ];
  const seen: number[] = [];
  const options = { shuffle: true, seed: 9, tail: 'uneven' as const };
  let state: LoaderState | null = null;
  for (let rank = 0; rank < 3; rank += 1) {
    const loader = new DataLoader<Labels>(dataset, { ...options, batchSize: 4, rank, worldSize: 3 });
    let batches = 0;
    for await (const [labels] of loader) {
      seen.push(...labels.data);
      if ((batches += 1) === 2) break;
    }
    state = loader.state();
  }
  expect(new Set(seen)).toEqual(new Set(expected.slice(0, 24)));
  for (let rank = 0; rank < 2; rank += 1) {
    await using loader = DataLoader.resume<Labels>(dataset, state, { rank, worldSize: 2, batchSize: 5, workers: 2 });
    const own: number[] = [];
    for await (const [labels] of loader) own.push(...labels.data);
    expect(own).toEqual(expected.slice(24).filter((__, k) => k % 2 === rank));
    seen.push(...own);
    // The next epoch is a whole one.
    expect(loader.length).toBe(5);
    expect((await collect(loader)).flatMap(([labels]) => [...labels.data]).length).toBe(25);
  }
  expect([...seen].sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, k) => k));
});

test('a sampler of weights goes on where it was', async () => {
  const sampler = new WeightedSampler([1, 5, 0, 2], { length: 37, seed: 4 });
  const given = [
    { worldSize: 4, batchSize: 2, batches: 2 },
    { worldSize: 1, batchSize: 3, batches: 0 },
  ];
  const expected = Array.from({ length: 37 }, (_, position) => sampler.at(position, 0));
  expect((await train(4, given, { sampler })).seen).toEqual(expected);
});
