// The record of a suite's run, as JSON: machine, versions, cache state and every measurement's summary. Written after
// each task, so that a run can be taken up again.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { HugePages, Machine, Revision } from './machine.ts';
import type { Delay } from '../run/protocol.ts';
import type { Summary } from './statistics.ts';
import type { Goal, SuiteData } from '../suite.ts';

/** One candidate at one task. Times are nanoseconds a run. */
export type Measurement =
  | ({
      readonly kind: 'measured';
      /** Runs within one sample. */
      readonly repeat: number;
      /**
       * How late a timer of 1 ms was while the task was awaited; null for a sync task, which blocks the loop for all of
       * its time.
       */
      readonly eventLoopDelay: Delay | null;
      /**
       * Bytes that read calls asked for, a run (what a mapping brings in is not among them); null where the system does
       * not tell.
       */
      readonly readBytes: number | null;
      /** Which run took it: measurements of one run were interleaved with each other, others were not. */
      readonly run: string;
    } & Summary)
  | { readonly kind: 'not offered' }
  | { readonly kind: 'failed'; readonly reason: string };

export interface TaskResults {
  readonly title: string;
  /** What all candidates computed; null where it was compared with nothing. */
  readonly digest: string | null;
  readonly measurements: Readonly<Record<string, Measurement>>;
}

export interface CandidateFacts {
  /** Time to open, map or read the data, before the first task. */
  readonly loadNs: number;
  /** Size of the files that it reads; null in results of before this was recorded. */
  readonly fileBytes: number | null;
  /** Largest resident set, mapped file pages included. */
  readonly peakRssBytes: number;
  /**
   * The most memory of its own (without mapped files) that was seen between its turns; null where the system does not
   * tell.
   */
  readonly peakAnonymousBytes: number | null;
  /** At the end of the run; null where the system does not tell. */
  readonly hugePages: HugePages | null;
  readonly run: string;
}

/** One start of the program. */
export interface RunFacts {
  readonly id: string;
  readonly date: string;
  readonly revision: Revision;
  readonly machine: Machine;
  /**
   * Whether data files lay in the page cache when timing began ('warm'), or were dropped before every sample ('cold'),
   * and what was seen of it.
   */
  readonly cache: { readonly asked: 'warm' | 'cold'; readonly cachedShare: number | null };
  /** Load of the machine (1 minute) when it began: a busy machine's numbers are worth less. */
  readonly loadAverage: number;
}

export interface GoalResult {
  readonly goal: Goal;
  /** A ratio of medians or sizes, nanoseconds, or bytes; null where something was not measured. */
  readonly value: number | null;
  readonly reached: boolean | null;
  /** What was not measured, or that the two were not interleaved. */
  readonly note: string | null;
}

export interface SuiteResults {
  readonly suite: string;
  readonly title: string;
  readonly baseline: string;
  readonly quick: boolean;
  readonly cold: boolean;
  readonly data: SuiteData;
  readonly runs: readonly RunFacts[];
  readonly versions: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly missing: readonly { readonly peer: string; readonly reason: string }[];
  readonly candidates: Readonly<Record<string, CandidateFacts>>;
  readonly tasks: Readonly<Record<string, TaskResults>>;
  readonly goals: readonly GoalResult[];
}

/** The results in a file, or null where there are none. @throws SyntaxError where the file is not JSON. */
export function readResults(path: string): SuiteResults | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return null;
  }
  return JSON.parse(text) as SuiteResults;
}

/** Replaces the file as a whole. */
export function writeResults(path: string, results: SuiteResults): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.part`, `${JSON.stringify(results, null, 1)}\n`);
  renameSync(`${path}.part`, path);
}

/** Whether two results are about the same question, so that their measurements may stand in one table. */
export function sameQuestion(a: SuiteResults, b: SuiteResults): boolean {
  return (
    a.suite === b.suite && a.quick === b.quick && a.cold === b.cold && JSON.stringify(a.data) === JSON.stringify(b.data)
  );
}
