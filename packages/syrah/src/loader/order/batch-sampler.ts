// Batches that the caller makes up: which dataset indices each of them holds.

/**
 * The batches of an epoch: `length` of them. Must answer the same for the same number and epoch, always. Ranks take
 * them in turn: batch b of rank r is number `b * worldSize + r`.
 */
export interface BatchSampler {
  readonly length: number;
  /**
   * @param batch an integer in [0, length)
   * @returns indices of the dataset, negative ones from its end; repeats are allowed.
   */
  at(batch: number, epoch: number): ArrayLike<number | bigint>;
}
