// What a suite is: one question, its data, its tasks and its goals. A suite is one file in suites/ and one line in
// src/suites.ts.
import type { SuiteContext } from './checkouts/peer.ts';
import type { Progress } from './run/progress.ts';

export interface SuiteTask {
  readonly name: string;
  /** One line: what is done, how much of it. */
  readonly title: string;
  /** Timed rounds; each candidate takes `samples` samples of `repeat` runs in each. */
  readonly rounds: number;
  readonly samples: number;
  /** Runs within one sample: more than 1 where a run is too short for a clock. */
  readonly repeat: number;
  /** Runs whose results are compared before anything is timed. */
  readonly checks: number;
  /**
   * For how long each candidate runs the task before it is timed, in milliseconds; three samples where it is not
   * given. An engine that compiles while it runs takes some hundred short calls to settle.
   */
  readonly warmUpMs?: number;
}

/**
 * What is to be reached: a time at most this share of another candidate's, or at most so long; files at most so many
 * bytes, or at most this share of another's.
 */
export type Goal =
  | {
      readonly kind: 'ratio';
      readonly task: string;
      readonly subject: string;
      readonly against: string;
      readonly atMost: number;
    }
  | { readonly kind: 'time'; readonly task: string; readonly subject: string; readonly atMostNs: number }
  | { readonly kind: 'size'; readonly subject: string; readonly atMostBytes: number }
  | { readonly kind: 'size-ratio'; readonly subject: string; readonly against: string; readonly atMost: number };

/** What the suite's data files hold; the runner passes it to every peer. */
export interface SuiteData {
  /**
   * A short name of the parameters: the folder in the cache, and what results of two runs must share to be compared.
   */
  readonly name: string;
  readonly parameters: SuiteContext['parameters'];
}

/** One size of a sweep. */
export interface SweepPoint {
  /** Where it lies on the axis. */
  readonly x: number;
  readonly data: SuiteData;
  /**
   * Candidates that are measured here -> the curve that they are a point of (another thread count is another candidate,
   * and the same curve).
   */
  readonly candidates: Readonly<Record<string, string>>;
}

/** How cost grows with one thing; everything else stays. */
export interface Sweep {
  /** The axis: `rows`, `columns`, `selectivity`, `threads`. */
  readonly name: string;
  readonly title: string;
  /** What the axis counts, for its label. */
  readonly unit: string;
  readonly tasks: readonly string[];
  readonly points: readonly SweepPoint[];
}

export interface Suite {
  readonly name: string;
  readonly title: string;
  /** The candidate that the others are compared with in the tables. */
  readonly baseline: string;
  readonly tasks: readonly SuiteTask[];
  readonly goals: readonly Goal[];
  readonly sweeps?: readonly Sweep[];
  /** Which data a run uses. */
  data(quick: boolean): SuiteData;
  /** Writes the raw columns and inputs into a folder; seeded, so that every machine has the same. */
  generate(parameters: SuiteContext['parameters'], directory: string, progress: Progress): void | Promise<void>;
}
