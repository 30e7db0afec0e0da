// How many different values each group has, while groups and values grow beyond what is kept as flags: counts, and
// states that others merge, against sets.
import { parseDType } from '@colkit/io';
import { expect, it } from 'vitest';
import { DistinctCounts } from '../../src/aggregate/distinct-counts.ts';

const BLOCK = 20_000;

interface Rows {
  readonly groups: Uint32Array;
  readonly numbers: Float64Array;
}

/** Blocks of rows, of which each has more groups and more values than the one before. */
function blocksOf(blocks: number, groupsOf: (block: number) => number, valuesOf: (block: number) => number): Rows[] {
  let seed = 7;
  const next = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  return Array.from({ length: blocks }, (_, block) => ({
    groups: Uint32Array.from({ length: BLOCK }, () => next(groupsOf(block))),
    numbers: Float64Array.from({ length: BLOCK }, () => next(valuesOf(block))),
  }));
}

function countsOf(blocks: readonly Rows[], groupCount: number): number[] {
  const met = Array.from({ length: groupCount }, () => new Set<number>());
  for (const { groups, numbers } of blocks) for (let row = 0; row < BLOCK; row++) met[groups[row]!]!.add(numbers[row]!);
  return met.map((values) => values.size);
}

function addTo(counts: DistinctCounts, blocks: readonly Rows[]): DistinctCounts {
  let groupCount = 0;
  for (const { groups, numbers } of blocks) {
    groupCount = Math.max(groupCount, 1 + groups.reduce((most, group) => Math.max(most, group), 0));
    counts.add({ kind: 'numbers', numbers, stored: null, validity: null }, BLOCK, groups, groupCount);
  }
  return counts;
}

it.each([
  ['few groups, few values', () => 60, () => 500],
  ['groups that grow', (block: number) => 10 ** block, () => 50],
  ['values that grow', () => 9, (block: number) => 50 * 10 ** block],
  ['both, beyond what there are flags for', (block: number) => 5 * 10 ** block, (block: number) => 30 * 8 ** block],
  ['one group', () => 1, (block: number) => 10 ** block],
] as const)('%s', (_, groupsOf, valuesOf) => {
  const blocks = blocksOf(5, groupsOf, valuesOf);
  const groupCount = groupsOf(4);
  const expected = countsOf(blocks, groupCount);
  const info = parseDType('float64');
  const whole = addTo(new DistinctCounts(info), blocks);
  expect(expected.map((_count, group) => whole.result(group))).toEqual(expected);
  const merged = new DistinctCounts(info);
  const groups = Uint32Array.from({ length: groupCount }, (_group, group) => group);
  for (const part of [blocks.slice(0, 2), blocks.slice(2)])
    merged.merge(addTo(new DistinctCounts(info), part).state(), groups, groupCount);
  expect(expected.map((_count, group) => merged.result(group))).toEqual(expected);
  for (const group of [0, groupCount - 1]) for (const value of [1.5, 1.5]) merged.addDistinct(group, value);
  expect(merged.result(0)).toBe(expected[0]! + 1);
});
