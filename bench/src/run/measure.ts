// One task, all candidates: their results are compared, then they take their turns. The only place where timing is
// decided.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Candidate } from './candidates.ts';
import { assertEqualResults } from '../report/digest.ts';
import { dropFiles } from './page-cache.ts';
import type { Clock, Delay, OutputDigest } from './protocol.ts';
import type { Measurement } from '../report/results.ts';
import { roundOrder } from './schedule.ts';
import { Contestant } from './session.ts';
import type { Data } from './session.ts';
import { summarise } from '../report/statistics.ts';
import type { SuiteTask } from '../suite.ts';

/**
 * A pause between two candidates: threads that spin for more work after a call (OpenMP's do) must be asleep when the
 * next one is timed.
 */
const SETTLE_MS = 5;
/** A slow candidate takes fewer samples a turn: one second of each round is enough for it. */
export const TURN_BUDGET_MS = 1000;
const DELAY_SAMPLES = 10;

/** What is told while a task runs: how many rounds are done, and who is next. */
export type OnTurn = (round: number, candidate: string) => void;

/**
 * Runs a task once (or `checks` times) in every candidate that offers it and compares the results.
 * @returns the common digest, and those that failed with their reason.
 * @throws UnequalResultsError
 */
export async function checkTask(
  task: SuiteTask,
  contestants: readonly Contestant[],
  expected: string | null,
): Promise<{ digest: string | null; failed: ReadonlyMap<string, string> }> {
  const digests = new Map<string, readonly OutputDigest[]>();
  const failed = new Map<string, string>();
  for (const contestant of contestants) {
    if (contestant.taskKind(task.name) === null) continue;
    try {
      digests.set(
        contestant.id,
        await contestant.process.request({ op: 'check', task: task.name, iterations: task.checks }),
      );
    } catch (error) {
      failed.set(contestant.id, (error as Error).message);
    }
  }
  return { digest: assertEqualResults(task.name, digests, expected), failed };
}

/**
 * Times a task in all candidates, in rounds. Those that do not offer it, or failed its check, are named in the result
 * too.
 */
export async function measureWarm(
  task: SuiteTask,
  contestants: readonly Contestant[],
  failed: ReadonlyMap<string, string>,
  run: string,
  onTurn: OnTurn = () => undefined,
  clock: Clock = 'wall',
): Promise<Record<string, Measurement>> {
  const active = contestants.filter(
    (contestant) => contestant.taskKind(task.name) !== null && !failed.has(contestant.id),
  );
  const tallies = new Map<string, Tally>(active.map(({ id }) => [id, { samples: [], readBytes: 0 }]));
  const broken = new Map(failed);
  // Round -1 is the warm-up: caches, compilers and pools are the candidates' own affair, before anything counts.
  for (let round = -1; round < task.rounds; round++) {
    for (const contestant of roundOrder(active, Math.max(0, round))) {
      if (broken.has(contestant.id)) continue;
      onTurn(round, contestant.id);
      await sleep(SETTLE_MS);
      try {
        await takeTurn(task, contestant, round < 0 ? null : (tallies.get(contestant.id) ?? null), clock);
      } catch (error) {
        broken.set(contestant.id, (error as Error).message);
      }
    }
  }
  const measurements: Record<string, Measurement> = {};
  for (const contestant of contestants)
    measurements[contestant.id] = await concluded(
      task,
      contestant,
      tallies.get(contestant.id),
      broken.get(contestant.id),
      run,
    );
  return measurements;
}

interface Tally {
  readonly samples: number[];
  /** Bytes that read calls asked for so far; null where the system does not tell. */
  readBytes: number | null;
}

/** One candidate's turn. The tally takes it in; null for the warm-up. */
async function takeTurn(task: SuiteTask, contestant: Contestant, tally: Tally | null, clock: Clock): Promise<void> {
  const before = contestant.count();
  const { samples, budgetMs } = tally === null ? warmUpOf(task) : { samples: task.samples, budgetMs: TURN_BUDGET_MS };
  const times = await contestant.process.request({
    op: 'run',
    task: task.name,
    samples,
    repeat: task.repeat,
    budgetMs,
    clock,
  });
  const after = contestant.count();
  if (tally === null) return;
  for (const time of times) tally.samples.push(time);
  tally.readBytes =
    before === null || after === null || tally.readBytes === null
      ? null
      : tally.readBytes + after.readCallBytes - before.readCallBytes;
}

function warmUpOf({ samples, warmUpMs }: SuiteTask): { samples: number; budgetMs: number } {
  return warmUpMs === undefined
    ? { samples: Math.max(3, samples), budgetMs: TURN_BUDGET_MS }
    : { samples: Number.MAX_SAFE_INTEGER, budgetMs: warmUpMs };
}

async function concluded(
  task: SuiteTask,
  contestant: Contestant,
  tally: Tally | undefined,
  failure: string | undefined,
  run: string,
): Promise<Measurement> {
  if (failure !== undefined) return { kind: 'failed', reason: failure };
  const kind = contestant.taskKind(task.name);
  if (kind === null || tally === undefined) return { kind: 'not offered' };
  const { samples, readBytes } = tally;
  let eventLoopDelay: Delay | null = null;
  try {
    if (kind === 'async')
      eventLoopDelay = await contestant.process.request({
        op: 'delay',
        task: task.name,
        samples: DELAY_SAMPLES,
        budgetMs: TURN_BUDGET_MS,
      });
  } catch (error) {
    return { kind: 'failed', reason: (error as Error).message };
  }
  return {
    kind: 'measured',
    repeat: task.repeat,
    eventLoopDelay,
    readBytes: readBytes === null ? null : readBytes / (samples.length * task.repeat),
    run,
    ...summarise(samples),
  };
}

/**
 * Times a task from a cold page cache: for every sample a new process, its files dropped from the cache, then open +
 * one run. No other process may hold the files mapped (mapped pages stay cached), so candidates do not live side by
 * side here.
 */
export async function measureCold(
  task: SuiteTask,
  candidates: readonly Candidate[],
  failed: ReadonlyMap<string, string>,
  data: Data,
  run: string,
  onTurn: OnTurn = () => undefined,
): Promise<Record<string, Measurement>> {
  const samples = new Map<string, number[]>(candidates.map(({ id }) => [id, []]));
  const measurements: Record<string, Measurement> = Object.fromEntries(
    [...failed].map(([id, reason]) => [id, { kind: 'failed', reason }]),
  );
  for (let round = 0; round < task.rounds; round++) {
    for (const candidate of roundOrder(candidates, round)) {
      if (measurements[candidate.id] !== undefined) continue;
      onTurn(round, candidate.id);
      const sample = await coldSample(task, candidate, data);
      if (typeof sample === 'number') samples.get(candidate.id)?.push(sample);
      else measurements[candidate.id] = sample;
    }
  }
  for (const { id } of candidates) {
    measurements[id] ??= {
      kind: 'measured',
      repeat: 1,
      eventLoopDelay: null,
      readBytes: null,
      run,
      ...summarise(samples.get(id) ?? []),
    };
  }
  return measurements;
}

async function coldSample(task: SuiteTask, candidate: Candidate, data: Data): Promise<number | Measurement> {
  let contestant: Contestant | null = null;
  try {
    contestant = await Contestant.start(candidate, data);
    if (contestant.taskKind(task.name) === null) return { kind: 'not offered' };
    if (!dropFiles(contestant.prepared.files))
      return { kind: 'failed', reason: 'the files could not be dropped from the page cache' };
    const load = await contestant.load();
    const [time] = await contestant.process.request({
      op: 'run',
      task: task.name,
      samples: 1,
      repeat: 1,
      budgetMs: TURN_BUDGET_MS,
    });
    return load + (time ?? Number.NaN);
  } catch (error) {
    return { kind: 'failed', reason: (error as Error).message };
  } finally {
    await contestant?.process.stop();
  }
}
