// An interleaved A/B comparison for tuning decisions: two candidates, or one candidate twice with other environment
// variables (another build of the addon, another setting). Their results are compared first; then pairs of samples are
// taken in alternating order, and the median ratio is told with its interval.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Candidate } from '../run/candidates.ts';
import { TURN_BUDGET_MS, checkTask } from '../run/measure.ts';
import type { Progress } from '../run/progress.ts';
import type { Clock } from '../run/protocol.ts';
import { roundOrder } from '../run/schedule.ts';
import { Contestant } from '../run/session.ts';
import type { Data } from '../run/session.ts';
import { pairedRatio, summarise } from '../report/statistics.ts';
import type { Summary } from '../report/statistics.ts';
import type { SuiteTask } from '../suite.ts';

const SETTLE_MS = 5;

export interface Comparison {
  readonly task: string;
  readonly a: Summary;
  readonly b: Summary;
  /**
   * Time of B over time of A, of samples taken next to each other; [low, high] holds the true median with about 95 %.
   */
  readonly ratio: { readonly median: number; readonly low: number; readonly high: number };
}

/** @throws UnequalResultsError where the two compute different results; CandidateError. */
export async function compare(
  tasks: readonly SuiteTask[],
  a: Candidate,
  b: Candidate,
  data: Data,
  rounds: number,
  progress: Progress,
  clock: Clock = 'wall',
): Promise<Comparison[]> {
  const sides: Contestant[] = [];
  try {
    for (const candidate of [
      { ...a, id: `A ${a.id}` },
      { ...b, id: `B ${b.id}` },
    ]) {
      const contestant = await Contestant.start(candidate, data);
      sides.push(contestant);
      await contestant.load();
    }
    const comparisons: Comparison[] = [];
    for (const task of tasks) {
      const { failed } = await checkTask(task, sides, null);
      for (const [id, reason] of failed) throw new Error(`${id}: ${reason}`);
      comparisons.push(await compareTask(task, sides as [Contestant, Contestant], rounds, progress, clock));
    }
    return comparisons;
  } finally {
    for (const { process } of sides) await process.stop();
  }
}

async function compareTask(
  task: SuiteTask,
  sides: readonly [Contestant, Contestant],
  rounds: number,
  progress: Progress,
  clock: Clock,
): Promise<Comparison> {
  const samples = new Map<Contestant, number[]>(sides.map((side) => [side, []]));
  for (let round = -1; round < rounds; round++) {
    progress.update(`${task.name}: ${round < 0 ? 'warm-up' : `round ${round + 1} of ${rounds}`}`);
    for (const side of roundOrder(sides, Math.max(0, round))) {
      await sleep(SETTLE_MS);
      const times = await side.process.request({
        op: 'run',
        task: task.name,
        samples: task.samples,
        repeat: task.repeat,
        budgetMs: TURN_BUDGET_MS,
        clock,
      });
      // One number a round: the round's own median, so that a pair stands for the same moment of the machine.
      if (round >= 0) samples.get(side)?.push(summarise(times).median);
    }
  }
  const [a, b] = sides.map((side) => samples.get(side) ?? []) as [number[], number[]];
  return { task: task.name, a: summarise(a), b: summarise(b), ratio: pairedRatio(a, b) };
}
