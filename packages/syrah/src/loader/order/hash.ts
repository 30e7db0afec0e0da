// Seeds and counters -> well-mixed 32-bit numbers, the same on every machine (integer operations only), and a small
// generator for the random choices of one sample.

/** The finaliser of a 32-bit hash: every input bit changes about half of the output's. Result in [0, 2^32). */
export function mix32(value: number): number {
  let h = value | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Folds numbers (integers up to 2^53) into one 32-bit hash; the order counts. */
export function hash32(...values: readonly number[]): number {
  let h = 0x9e3779b9;
  for (const value of values) {
    h = mix32(Math.imul(h, 31) + (value >>> 0));
    h = mix32(Math.imul(h, 37) + Math.floor(value / 2 ** 32));
  }
  return h;
}

/** Numbers in [0, 1) from a seed: 32 random bits each, period 2^32. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    return mix32(state ^ 0x51ed270b) / 2 ** 32;
  };
}
