// Working memory that was given back is taken again, as far as it is kept.
import { expect, it } from 'vitest';
import { giveWorkingMemory, takeWorkingMemory } from '../../src/memory/working-memory.ts';

const MEBI = 1 << 20;

it('is used again up to 32 MiB, which is what texts of one fetch take at most', () => {
  const large = takeWorkingMemory(20 * MEBI);
  expect(large.byteLength).toBe(32 * MEBI);
  giveWorkingMemory(large);
  expect(takeWorkingMemory(17 * MEBI)).toBe(large);
});

it('is not kept where it is larger', () => {
  const larger = takeWorkingMemory(33 * MEBI);
  giveWorkingMemory(larger);
  expect(takeWorkingMemory(33 * MEBI)).not.toBe(larger);
});
