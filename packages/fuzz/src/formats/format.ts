// What the fuzzer needs to know of a format: good files, how to damage them, and everything that a user does with one.
import type { Random } from '../run/random.ts';
import type { Recorder } from '../run/outcome.ts';

export interface Format {
  readonly name: string;
  /**
   * Small files that between them have every feature, made by our writers in `folder`, or golden files of the tests.
   */
  makeSeeds(folder: string): readonly Seed[];
  /** A damaged file whose checksums mostly hold, so that what comes behind them meets it. */
  mutate(random: Random, seed: Seed, seeds: readonly Seed[]): Uint8Array;
  /**
   * Does with the file at `path` what users do; each thing is a step of the recorder. The random numbers choose rows
   * and columns: the same in both backends.
   */
  exercise(recorder: Recorder, path: string, random: Random): Promise<void>;
  /**
   * Codes of all that is wrong with a file, where the format can tell: of several damages either may be met first, and
   * which one is no promise.
   */
  damages?(path: string): Promise<ReadonlySet<string>>;
}

export interface Seed {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Values that comparisons, sums and conversions find hard, for the good files. */
export const EDGE_INTEGERS: readonly bigint[] = [
  0n,
  1n,
  -1n,
  2n ** 31n - 1n,
  2n ** 31n,
  -(2n ** 31n),
  2n ** 32n,
  2n ** 53n - 1n,
  2n ** 53n,
  2n ** 53n + 1n,
  -(2n ** 53n) - 1n,
  3_002_399_751_580_331n,
  2n ** 62n,
  2n ** 63n - 1n,
  -(2n ** 63n),
];

export const EDGE_FLOATS: readonly number[] = [
  0,
  -0,
  1,
  -1,
  0.1,
  NaN,
  Infinity,
  -Infinity,
  5e-324,
  -5e-324,
  1.7976931348623157e308,
  2 ** 53,
  2 ** 53 + 2,
  2 ** 63,
  -(2 ** 63),
  590.31,
  1e22,
];

export function cycle<T>(count: number, items: readonly T[]): T[] {
  return Array.from({ length: count }, (_, i) => items[i % items.length] as T);
}
