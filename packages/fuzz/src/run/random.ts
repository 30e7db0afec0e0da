// Choices that mutators make: the project's seeded generator, and what all of them draw from it.
import { createRandom } from '@colkit/testkit/prng';
import type { Random } from '@colkit/testkit/prng';

export type { Random };

/** The stream of one mutant: the same for the same seed, format and number, whatever ran before. */
export function randomOf(seed: number, name: string, number: number): Random {
  let mixed = seed >>> 0;
  for (const letter of name) mixed = (Math.imul(mixed, 31) + letter.charCodeAt(0)) >>> 0;
  return createRandom(mixed * 2 ** 20 + number);
}

export const chance = (random: Random, probability: number): boolean => random.number() < probability;

/** Numbers that are one off from where something changes. */
const EDGES: readonly bigint[] = [
  0n,
  1n,
  2n,
  3n,
  4n,
  7n,
  8n,
  15n,
  16n,
  28n,
  31n,
  32n,
  33n,
  63n,
  64n,
  65n,
  127n,
  128n,
  255n,
  256n,
  4095n,
  4096n,
  4097n,
  32767n,
  32768n,
  65535n,
  65536n,
  65537n,
  2n ** 24n,
  2n ** 31n - 1n,
  2n ** 31n,
  2n ** 31n + 1n,
  2n ** 32n - 8n,
  2n ** 32n - 1n,
  2n ** 32n,
  2n ** 40n,
  2n ** 52n + 4n,
  2n ** 53n - 1n,
  2n ** 53n,
  2n ** 53n + 1n,
  2n ** 56n,
  2n ** 62n,
  2n ** 63n - 8n,
  2n ** 63n - 1n,
  2n ** 63n,
  2n ** 64n - 1n,
];

/** What may stand in a number of so many bits: an edge, something near to what stands there, or anything. */
export function hostileNumber(random: Random, bits: number, current = 0n, near: readonly bigint[] = []): bigint {
  switch (random.integer(5)) {
    case 0:
      return BigInt.asUintN(bits, random.int64());
    case 1:
      return BigInt.asUintN(bits, current + BigInt(random.integer(33) - 16));
    case 2:
      return near.length === 0
        ? BigInt.asUintN(bits, random.pick(EDGES))
        : BigInt.asUintN(bits, random.pick(near) + BigInt(random.integer(3) - 1));
    case 3:
      return BigInt.asUintN(bits, -random.pick(EDGES));
    default:
      return BigInt.asUintN(bits, random.pick(EDGES));
  }
}
