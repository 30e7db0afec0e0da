// The orders are those of docs/formats/loader_order.py: a list that it wrote, and itself where there is a Python (that
// of COLKIT_PYTHON, else python3).
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
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

/** Sizes, seeds, numbers of ranks and places to go on from, as they come. */
const RANDOM = fc.oneof(
  fc.tuple(fc.constant('shuffled'), fc.tuple(fc.integer({ min: 1, max: 700 }), fc.nat(2 ** 45), fc.nat(9))),
  fc
    .tuple(fc.array(fc.nat(90), { minLength: 1, maxLength: 6 }), fc.nat(2 ** 33), fc.nat(9), fc.nat(39), fc.nat(199))
    .filter(([lengths]) => lengths.some((count) => count > 0))
    .map(([lengths, seed, epoch, block, buffer]) => ['block_shuffled', [lengths, seed, epoch, block + 1, buffer + 1]]),
  fc
    .record({
      length: fc.integer({ min: 1, max: 200 }),
      worldSize: fc.integer({ min: 1, max: 9 }),
      rank: fc.nat(8),
      batchSize: fc.integer({ min: 1, max: 40 }),
      start: fc.nat(199),
      tail: fc.constantFrom('pad', 'drop', 'uneven'),
      dropLast: fc.boolean(),
    })
    .map(({ length, worldSize, rank, batchSize, start, tail, dropLast }) => [
      'batches_of',
      [Array.from({ length }, (_, k) => k), rank % worldSize, worldSize, batchSize, start % length, tail, dropLast],
    ]),
) as unknown as fc.Arbitrary<readonly [string, readonly never[]]>;
const PROGRAM = `import json, sys
sys.path.insert(0, sys.argv[1])
import loader_order as order
print(json.dumps([getattr(order, of)(*given) for of, given in json.load(sys.stdin)]))`;

const python = process.env['COLKIT_PYTHON'] ?? 'python3';
test.skipIf(spawnSync(python, ['--version']).status !== 0)('the list is what the specification writes', () => {
  const made = spawnSync(python, ['-B', MAKER, FORMATS], { encoding: 'utf8' });
  expect(made.stderr).toBe('');
  expect(JSON.parse(made.stdout)).toEqual(cases);
});

test.skipIf(spawnSync(python, ['--version']).status !== 0)('what the specification gives is ours, of any size', () => {
  const asked = fc.sample(RANDOM, { numRuns: 300, seed: fc.readConfigureGlobal().seed ?? 1 });
  const input = JSON.stringify(asked);
  const { stdout, stderr } = spawnSync(python, ['-B', '-c', PROGRAM, FORMATS], { encoding: 'utf8', input });
  expect(stderr).toBe('');
  for (const [k, expected] of (JSON.parse(stdout) as unknown[]).entries()) {
    const [of, given] = asked[k] as (typeof asked)[number];
    expect(OURS[of]?.(...given), `${of} of ${JSON.stringify(given)}`).toEqual(expected);
  }
});
