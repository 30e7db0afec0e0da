// The orders are those of docs/formats/loader_order.py: a list that it wrote, and itself where there is a Python (that
// of COLKIT_PYTHON, else python3).
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ClassBalancedSampler, LengthBuckets, WeightedSampler } from '../../../src/index.ts';
import { ListSampler, chooseSampler } from '../../../src/loader/order/sampler.ts';
import type { Sampler } from '../../../src/loader/order/sampler.ts';
import { BatchPlan } from '../../../src/loader/order/shard.ts';
import type { Tail } from '../../../src/loader/order/shard.ts';

const GOLDEN = fileURLToPath(new URL('golden-orders.json', import.meta.url));
const MAKER = fileURLToPath(new URL('make-golden.py', import.meta.url));
const FORMATS = fileURLToPath(new URL('../../../../../docs/formats', import.meta.url));

interface Case {
  readonly of: string;
  readonly given: readonly never[];
  readonly expected: unknown;
}

const inOrder = ({ length, at }: { length: number; at: (position: number) => unknown }): unknown[] =>
  Array.from({ length }, (_, position) => at(position));
const epochOf = (sampler: Pick<Sampler, 'length' | 'at'>, epoch: number): unknown[] =>
  inOrder({ length: sampler.length, at: (position) => sampler.at(position, epoch) });
const planOf = (order: number[], options: { rank: number; worldSize: number; batchSize: number; start: number }) =>
  new BatchPlan(new ListSampler(order), order.length, { ...options, tail: 'pad', dropLast: false });

const OURS: Readonly<Record<string, (...given: never[]) => unknown>> = {
  shuffled: (length: number, seed: number, epoch: number) =>
    epochOf(chooseSampler(length, { shuffle: true, seed, sampler: undefined }), epoch),
  block_shuffled: (shardLengths: number[], seed: number, epoch: number, blockItems?: number, bufferItems?: number) => {
    const length = shardLengths.reduce((sum, count) => sum + count, 0);
    const shuffle = blockItems === undefined ? {} : { blockItems, bufferItems: bufferItems ?? 0 };
    return epochOf(chooseSampler(length, { shuffle, seed, sampler: undefined, shardLengths }), epoch);
  },
  weighted: (weights: number[], seed: number, epoch: number, length: number) =>
    epochOf(new WeightedSampler(weights, { seed, length }), epoch),
  class_balanced: (labels: string[], seed: number, epoch: number, length: number) =>
    epochOf(new ClassBalancedSampler(labels, { seed, length }), epoch),
  length_buckets: (lengths: number[], seed: number, epoch: number, batchSize: number, buckets?: number) =>
    epochOf(
      new LengthBuckets(lengths, { seed, batchSize, ...(buckets === undefined ? {} : { buckets }) }) as never,
      epoch,
    ),
  batches_of: (
    order: number[],
    rank: number,
    worldSize: number,
    batchSize: number,
    start = 0,
    tail: Tail = 'pad',
    dropLast = false,
  ) => {
    const options = { rank, worldSize, batchSize, start, tail, dropLast };
    const plan = new BatchPlan(new ListSampler(order), order.length, options);
    return inOrder({ length: plan.batchCount, at: (batch) => plan.indicesOf(batch, 0) });
  },
  positions_done: (order: number[], batches: number, worldSize: number, batchSize: number, start = 0) =>
    planOf(order, { rank: 0, worldSize, batchSize, start }).positionsDone(batches),
};

const cases = JSON.parse(readFileSync(GOLDEN, 'utf8')) as Case[];

test.each(cases.map((each, k) => [k, each] as const))('case %i is the order of the specification', (_, each) => {
  expect(OURS[each.of]?.(...each.given)).toEqual(each.expected);
});

const python = process.env['COLKIT_PYTHON'] ?? 'python3';
test.skipIf(spawnSync(python, ['--version']).status !== 0)('the list is what the specification writes', () => {
  const made = spawnSync(python, ['-B', MAKER, FORMATS], { encoding: 'utf8' });
  expect(made.stderr).toBe('');
  expect(JSON.parse(made.stdout)).toEqual(cases);
});
