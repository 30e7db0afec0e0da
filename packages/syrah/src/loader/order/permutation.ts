// A seeded permutation of [0, n) in constant memory: position i -> item, in any order, so that shuffling a billion
// items needs no array and resuming no replay. A Feistel network permutes the next power of two; what falls outside [0,
// n) is permuted again until it falls inside (less than two turns on average).
import { hash32, mix32 } from './hash.ts';

/**
 * Small domains mix badly per round: with these counts every permutation of up to six items comes up equally often
 * within chance (see the test).
 */
const ROUNDS = [
  { bits: 6, rounds: 24 },
  { bits: 16, rounds: 12 },
  { bits: Infinity, rounds: 8 },
];
/** Up to this many bits the halves are shifted as 32-bit integers. */
const SHIFTED_BITS = 31;

export class Permutation {
  readonly length: number;
  readonly #keys: Int32Array;
  readonly #rightBits: number;
  readonly #leftMask: number;
  readonly #rightMask: number;
  readonly #wide: boolean;

  /**
   * @param length up to 2^53
   * @param seed, epoch integers: each pair gives another permutation, the same on every machine.
   */
  constructor(length: number, seed: number, epoch: number) {
    const bits = bitsFor(length);
    this.length = length;
    this.#rightBits = Math.ceil(bits / 2);
    this.#rightMask = 2 ** this.#rightBits - 1;
    this.#leftMask = 2 ** (bits - this.#rightBits) - 1;
    this.#wide = bits > SHIFTED_BITS;
    const rounds = ROUNDS.find((entry) => bits <= entry.bits)?.rounds ?? 0;
    this.#keys = Int32Array.from({ length: rounds }, (_, round) => hash32(seed, epoch, round));
  }

  /** The item at `position`, an integer in [0, length). */
  at(position: number): number {
    let value = position;
    do value = this.#wide ? this.#turnWide(value) : this.#turn(value);
    while (value >= this.length);
    return value;
  }

  #turn(value: number): number {
    const keys = this.#keys;
    let left = value >>> this.#rightBits;
    let right = value & this.#rightMask;
    for (let round = 0; round < keys.length; round += 2) {
      left ^= mix32(Math.imul(right, 0x9e3779b1) + (keys[round] ?? 0)) & this.#leftMask;
      right ^= mix32(Math.imul(left, 0x9e3779b1) + (keys[round + 1] ?? 0)) & this.#rightMask;
    }
    return ((left << this.#rightBits) | right) >>> 0;
  }

  /** The same for values beyond 32 bits; each half has at most 27. */
  #turnWide(value: number): number {
    const keys = this.#keys;
    const base = 2 ** this.#rightBits;
    let left = Math.floor(value / base);
    let right = value % base;
    for (let round = 0; round < keys.length; round += 2) {
      left ^= mix32(Math.imul(right, 0x9e3779b1) + (keys[round] ?? 0)) & this.#leftMask;
      right ^= mix32(Math.imul(left, 0x9e3779b1) + (keys[round + 1] ?? 0)) & this.#rightMask;
    }
    return left * base + right;
  }
}

/** Bits that hold every number below `length`; at least two, so that both halves have one. */
function bitsFor(length: number): number {
  let bits = 2;
  while (2 ** bits < length) bits += 1;
  return bits;
}
