import { isColkitError } from '@colkit/io';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BatchPlan, shardLength } from '../../../src/loader/order/shard.ts';
import type { Tail } from '../../../src/loader/order/shard.ts';
import {
  ListSampler,
  SequentialSampler,
  ShuffledSampler,
  chooseSampler,
  describeSampler,
} from '../../../src/loader/order/sampler.ts';

const batchesOf = (plan: BatchPlan, epoch = 0): number[][] =>
  Array.from({ length: plan.batchCount }, (_, batch) => plan.indicesOf(batch, epoch));

describe('BatchPlan', () => {
  test('batches in order, the last one smaller or dropped', () => {
    const options = { batchSize: 3, rank: 0, worldSize: 1, tail: 'pad' as const };
    expect(batchesOf(new BatchPlan(new SequentialSampler(7), 7, { ...options, dropLast: false }))).toEqual([
      [0, 1, 2],
      [3, 4, 5],
      [6],
    ]);
    expect(batchesOf(new BatchPlan(new SequentialSampler(7), 7, { ...options, dropLast: true }))).toEqual([
      [0, 1, 2],
      [3, 4, 5],
    ]);
    expect(batchesOf(new BatchPlan(new SequentialSampler(0), 0, { ...options, dropLast: false }))).toEqual([]);
  });

  test('ranks by hand', () => {
    const shard = (rank: number, tail: Tail): number[] =>
      batchesOf(
        new BatchPlan(new SequentialSampler(7), 7, { batchSize: 100, dropLast: false, rank, worldSize: 3, tail }),
      ).flat();
    expect([0, 1, 2].map((rank) => shard(rank, 'pad'))).toEqual([
      [0, 3, 6],
      [1, 4, 0],
      [2, 5, 1],
    ]);
    expect([0, 1, 2].map((rank) => shard(rank, 'drop'))).toEqual([
      [0, 3],
      [1, 4],
      [2, 5],
    ]);
    expect([0, 1, 2].map((rank) => shard(rank, 'uneven'))).toEqual([
      [0, 3, 6],
      [1, 4],
      [2, 5],
    ]);
    expect(shard(2, 'pad').length).toBe(3);
  });

  test('fewer samples than ranks', () => {
    const shard = (rank: number, tail: Tail): number[] =>
      batchesOf(
        new BatchPlan(new SequentialSampler(1), 1, { batchSize: 2, dropLast: false, rank, worldSize: 3, tail }),
      ).flat();
    expect([0, 1, 2].map((rank) => shard(rank, 'pad'))).toEqual([[0], [0], [0]]);
    expect([0, 1, 2].map((rank) => shard(rank, 'uneven'))).toEqual([[0], [], []]);
    expect([0, 1, 2].map((rank) => shard(rank, 'drop'))).toEqual([[], [], []]);
  });

  test('any sizes: over all ranks each sample once (pad: equal ranks, none missing; drop: none twice)', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom<Tail>('pad', 'drop', 'uneven'),
        fc.boolean(),
        fc.nat(5),
        (length, worldSize, batchSize, tail, shuffle, epoch) => {
          const sampler = shuffle ? new ShuffledSampler(length, 3) : new SequentialSampler(length);
          const ranks = Array.from({ length: worldSize }, (_, rank) =>
            batchesOf(new BatchPlan(sampler, length, { batchSize, dropLast: false, rank, worldSize, tail }), epoch),
          );
          for (const [rank, batches] of ranks.entries()) {
            expect(batches.flat().length).toBe(shardLength(length, { rank, worldSize, tail }));
            expect(batches.slice(0, -1).every((batch) => batch.length === batchSize)).toBe(true);
          }
          const seen = ranks.flat(2).sort((a, b) => a - b);
          const everything = Array.from({ length }, (_, k) => k);
          if (tail === 'uneven') expect(seen).toEqual(everything);
          else expect(new Set(ranks.map((batches) => batches.flat().length)).size).toBe(1);
          if (tail === 'pad') expect([...new Set(seen)]).toEqual(everything);
          if (tail === 'drop') expect(new Set(seen).size).toBe(seen.length);
        },
      ),
    );
  });

  test('an index that the dataset does not have', () => {
    const plan = new BatchPlan(new ListSampler([0, 5]), 5, {
      batchSize: 2,
      dropLast: false,
      rank: 0,
      worldSize: 1,
      tail: 'pad',
    });
    expect(() => plan.indicesOf(0, 0)).toThrow(/sampler: .* found 5 at position 1/);
  });
});

describe('samplers', () => {
  const choose = (sampler: Parameters<typeof chooseSampler>[1]['sampler'], shuffle = false) =>
    chooseSampler(5, { shuffle, seed: 1, sampler });

  test('of each kind', () => {
    expect(choose(undefined)).toBeInstanceOf(SequentialSampler);
    expect(choose(undefined, true)).toBeInstanceOf(ShuffledSampler);
    for (const list of [[4, 4, 0], Int32Array.of(4, 4, 0), Float64Array.of(4, 4, 0)]) {
      const sampler = choose(list);
      expect(Array.from({ length: sampler.length }, (_, k) => sampler.at(k, 9))).toEqual([4, 4, 0]);
    }
    const own = { length: 2, at: (position: number, epoch: number) => position + epoch };
    expect(choose(own)).toBe(own);
  });

  test('not two at once', () => {
    try {
      choose([1], true);
      expect.unreachable();
    } catch (error) {
      expect(isColkitError(error) && error.code).toBe('ERR_ARGUMENT');
    }
  });

  test('are told apart by their indices', () => {
    const marks = [
      [1, 2, 3],
      [1, 2, 4],
      [1, 2],
      [3, 2, 1],
    ].map((list) => describeSampler(new ListSampler(list)));
    expect(new Set(marks).size).toBe(4);
    expect(describeSampler(new ListSampler(Int16Array.of(1, 2, 3)))).toBe(marks[0]);
  });
});
