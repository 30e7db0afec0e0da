// A seed -> numbers that are the same in every process and on every machine: what the suites make their data and their indices from.

/** Uniform numbers in [0, 1): mulberry32, a Weyl sequence through a 32-bit mixer. */
export function mulberry32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** The same from a small seed, 1, 2, 3 …, which is spread over 32 bits first. */
export function uniform(seed: number): () => number {
  return mulberry32(Math.imul(seed, 0x9e3779b1));
}
