// What the samplers promise of their orders: how often what comes, and how random it is.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ClassBalancedSampler, DataLoader, LengthBuckets, WeightedSampler } from '../../../src/index.ts';
import { BlockShuffledSampler } from '../../../src/loader/order/block-shuffle.ts';

const epochOf = <T>(sampler: { length: number; at: (position: number, epoch: number) => T }, epoch = 0): T[] =>
  Array.from({ length: sampler.length }, (_, position) => sampler.at(position, epoch));
const upTo = (count: number): number[] => Array.from({ length: count }, (_, k) => k);
const sorted = (numbers: readonly number[]): number[] => [...numbers].sort((a, b) => a - b);

describe('blocks', () => {
  test('every item once, whatever the files, blocks and buffers; positions in any order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(30), { maxLength: 6 }),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 40 }),
        fc.nat(3),
        (lengths, blockItems, bufferItems, epoch) => {
          const sampler = new BlockShuffledSampler(lengths, 5, { blockItems, bufferItems });
          const order = epochOf(sampler, epoch);
          expect(sorted(order)).toEqual(upTo(sampler.length));
          const again = new BlockShuffledSampler(lengths, 5, { blockItems, bufferItems });
          for (let position = sampler.length - 1; position >= 0; position -= 3)
            expect(again.at(position, epoch)).toBe(order[position]);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('neighbours are of as many blocks as the buffer holds, none across two files', () => {
    const lengths = [100, 37, 63, 200];
    const sampler = new BlockShuffledSampler(lengths, 5, { blockItems: 10, bufferItems: 40 });
    const fileOf = (index: number): number => (index < 100 ? 0 : index < 137 ? 1 : index < 200 ? 2 : 3);
    const starts = [0, 100, 137, 200];
    const order = epochOf(sampler);
    for (let position = 0; position + 40 < order.length; position += 1) {
      const blocks = new Set(
        order.slice(position, position + 40).map((index) => {
          const file = fileOf(index);
          return `${String(file)}:${String(Math.floor((index - starts[file]!) / 10))}`;
        }),
      );
      // At most those of two buffers, of 4 blocks each; blocks at the ends of files are smaller.
      expect(blocks.size).toBeLessThanOrEqual(12);
    }
  });

  test('neighbours are of the same block about once in as many as the buffer has blocks', () => {
    const sampler = new BlockShuffledSampler([64 * 1024], 5, { blockItems: 64, bufferItems: 64 * 16 });
    const order = epochOf(sampler);
    let same = 0;
    for (let k = 1; k < order.length; k += 1)
      if (Math.floor(order[k]! / 64) === Math.floor(order[k - 1]! / 64)) same += 1;
    // (64 - 1) / (16 * 64 - 1)
    expect(same / order.length).toBeGreaterThan(0.055);
    expect(same / order.length).toBeLessThan(0.068);
    const next = epochOf(sampler, 1);
    expect(order.filter((index, k) => index === next[k]).length).toBeLessThan(20);
  });
});

test('weights: how often a sample comes is in proportion, and one of weight 0 never', () => {
  const weights = [1, 0, 3, 6];
  const order = epochOf(new WeightedSampler(weights, { length: 20_000, seed: 2 }));
  const counts = weights.map((_, index) => order.filter((each) => each === index).length);
  expect(counts[1]).toBe(0);
  for (const [index, weight] of weights.entries()) expect(Math.abs(counts[index]! - 2000 * weight)).toBeLessThan(250);
  expect(epochOf(new WeightedSampler(weights, { length: 50 }), 1)).not.toEqual(
    epochOf(new WeightedSampler(weights, { length: 50 }), 0),
  );
  for (const bad of [[-1], [NaN], [0], [Infinity], ['1']])
    expect(() => new WeightedSampler(bad as number[])).toThrow(/^weights: expected/);
  expect(() => new WeightedSampler([], { length: 1 })).toThrow(/^length: expected 0/);
  expect(new WeightedSampler([]).length).toBe(0);
});

test('classes: equally often, and each sample of a class before any comes again', () => {
  const labels = [...'aaaaaaab'].concat(['c', 'b', 'b']);
  const sampler = new ClassBalancedSampler(labels, { length: 63, seed: 1 });
  const order = epochOf(sampler, 2);
  for (let start = 0; start < 63; start += 3)
    expect(new Set(order.slice(start, start + 3).map((index) => labels[index]))).toEqual(new Set(['a', 'b', 'c']));
  const ofA = order.filter((index) => labels[index] === 'a');
  for (let start = 0; start + 7 <= ofA.length; start += 7) expect(sorted(ofA.slice(start, start + 7))).toEqual(upTo(7));
  expect(epochOf(new ClassBalancedSampler(BigInt64Array.of(5n, 5n, 9n))).length).toBe(3);
});

test('length buckets: every sample once, batches of similar lengths, no more elements than are allowed', () => {
  const lengths = upTo(1000).map((k) => (k * 7919) % 501);
  const sampler = new LengthBuckets(lengths, { elements: 4000, seed: 3, buckets: 20 });
  const batches = epochOf(sampler, 1);
  expect(sorted(batches.flat())).toEqual(upTo(1000));
  expect(batches).not.toEqual(epochOf(sampler, 0));
  let padding = 0;
  for (const batch of batches) {
    const longest = Math.max(...batch.map((index) => lengths[index]!));
    expect(longest * batch.length).toBeLessThanOrEqual(4000);
    padding += batch.reduce((sum, index) => sum + longest - lengths[index]!, 0);
  }
  expect(padding / lengths.reduce((sum, length) => sum + length, 0)).toBeLessThan(0.06);
  const plain = new LengthBuckets([3, 1, 2], { batchSize: 2, buckets: 1, shuffle: false });
  expect(epochOf(plain)).toEqual([[1, 2], [0]]);
  expect(epochOf(new LengthBuckets([3, 1, 2], { batchSize: 2, buckets: 1, dropLast: true })).length).toBe(1);
  expect(() => new LengthBuckets([1], {})).toThrow(/either batchSize or elements/);
  expect(() => new LengthBuckets([NaN], { batchSize: 1 })).toThrow(/^lengths: expected/);
});

test('a batch sampler is in place of what decides batches, and its indices are checked', async () => {
  const dataset = { length: 5, get: (index: number) => [index] };
  const collate = (samples: readonly unknown[]) => samples.map((sample) => (sample as number[])[0]);
  const taken: unknown[] = [];
  for await (const batch of new DataLoader(dataset, { batchSampler: [[0, -1], Int32Array.of(2), []], collate }))
    taken.push(batch);
  expect(taken).toEqual([[0, 4], [2], []]);
  for (const other of [{ batchSize: 1 }, { shuffle: true }, { shuffle: {} }, { sampler: [0] }, { dropLast: true }])
    expect(() => new DataLoader(dataset, { batchSampler: [[0]], ...other })).toThrow(
      /^batchSampler: expected batchSampler or/,
    );
  await expect(
    new DataLoader(dataset, { batchSampler: [[5]], collate })[Symbol.asyncIterator]().next(),
  ).rejects.toMatchObject({ code: 'ERR_INDEX_OUT_OF_RANGE' });
  await expect(
    new DataLoader(dataset, { batchSampler: [3] as never, collate })[Symbol.asyncIterator]().next(),
  ).rejects.toThrow(/^batchSampler: expected lists of indices/);
});
