// Answers about the dataset as arrays that are the same for all peers.
import type { Outputs } from '../../src/checkouts/peer.ts';

export const countOutputs = (count: number): Outputs => ({ count: Float64Array.of(count) });

/** Sums of floats in another order differ in the last bits: they are compared to a billionth. */
export const sumOutputs = (sum: number): Outputs => ({ sum: Float64Array.of(Number(sum.toPrecision(9))) });

export function groupOutputs(keys: readonly string[], totals: ArrayLike<number | bigint>): Outputs {
  const groups = keys.map((key, i) => [key, Number(totals[i])] as const);
  groups.sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    keys: new TextEncoder().encode(groups.map(([key]) => key).join('\n')),
    totals: Float64Array.from(groups, ([, total]) => total),
  };
}

export const pairOutputs = (id: Int32Array, price: Float64Array): Outputs => ({ id, price });
