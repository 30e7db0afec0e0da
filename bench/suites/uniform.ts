// A seed -> numbers that are the same in every process and on every machine: what the suites make their data and their
// indices from.
import { mulberry32 } from '@colkit/testkit/orders';

/** Uniform numbers in [0, 1) from a small seed, 1, 2, 3 …, which is spread over 32 bits first. */
export function uniform(seed: number): () => number {
  return mulberry32(Math.imul(seed, 0x9e3779b1));
}
