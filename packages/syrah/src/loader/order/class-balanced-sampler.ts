// Samples of which each class has equally many: class after class in a random order, and in each class its samples in
// turn, shuffled anew whenever all were drawn.
import { hash32 } from './hash.ts';
import { Permutation } from './permutation.ts';
import { SAMPLER_OPTIONS, checkedSampler } from './sampler-options.ts';
import type { SamplerOptions } from './sampler-options.ts';
import type { Sampler } from './sampler.ts';

/**
 * Every class equally often, exactly: of any C positions from a multiple of C on (C being the number of classes) each
 * class has one. Samples of a class repeat only after all of it were drawn. Takes 8 bytes a sample.
 */
export class ClassBalancedSampler implements Sampler {
  readonly length: number;
  readonly #seed: number;
  /** Samples by class, classes in the order in which they first come. */
  readonly #members: readonly number[][];
  #classes: { readonly round: number; readonly epoch: number; readonly order: Permutation } | null = null;
  readonly #turns: ({ readonly turn: number; readonly epoch: number; readonly order: Permutation } | undefined)[] = [];

  /**
   * @param labels the class of each sample: equal numbers or texts are one class.
   * @throws ArgumentError for unknown options, and where `labels` is no list.
   */
  constructor(labels: ArrayLike<number | bigint | string>, options: SamplerOptions = {}) {
    const { length, seed } = checkedSampler('ClassBalancedSampler', SAMPLER_OPTIONS, labels, 'labels', options);
    const members = new Map<number | bigint | string, number[]>();
    for (let index = 0; index < labels.length; index += 1) {
      const label = labels[index] as number | bigint | string;
      const found = members.get(label);
      if (found === undefined) members.set(label, [index]);
      else found.push(index);
    }
    this.#members = [...members.values()];
    this.length = length;
    this.#seed = seed;
  }

  at(position: number, epoch: number): number {
    const count = this.#members.length;
    const round = Math.floor(position / count);
    if (this.#classes?.round !== round || this.#classes.epoch !== epoch)
      this.#classes = { round, epoch, order: new Permutation(count, hash32(this.#seed, round), epoch) };
    const label = this.#classes.order.at(position % count);
    const members = this.#members[label] ?? [];
    const turn = Math.floor(round / members.length);
    let current = this.#turns[label];
    if (current?.turn !== turn || current.epoch !== epoch) {
      current = { turn, epoch, order: new Permutation(members.length, hash32(this.#seed, label, turn), epoch) };
      this.#turns[label] = current;
    }
    return members[current.order.at(round % members.length)] ?? 0;
  }
}
