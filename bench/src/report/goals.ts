// Goals and results -> reached, missed, or why it cannot be told.
import { assertNever } from '@colkit/io';
import type { GoalResult, Measurement, SuiteResults } from './results.ts';
import type { Goal } from '../suite.ts';

type Judged = Pick<SuiteResults, 'tasks' | 'candidates'>;

export function judgeGoals(goals: readonly Goal[], results: Judged): GoalResult[] {
  return goals.map((goal) => judge(goal, results));
}

function judge(goal: Goal, results: Judged): GoalResult {
  const unknown = (candidate: string): GoalResult => ({
    goal,
    value: null,
    reached: null,
    note: `${candidate} was not measured`,
  });
  switch (goal.kind) {
    case 'time': {
      const subject = find(results, goal.task, goal.subject);
      return subject === null
        ? unknown(goal.subject)
        : { goal, value: subject.median, reached: subject.median <= goal.atMostNs, note: null };
    }
    case 'ratio': {
      const [subject, against] = [find(results, goal.task, goal.subject), find(results, goal.task, goal.against)];
      if (subject === null || against === null) return unknown(subject === null ? goal.subject : goal.against);
      const value = subject.median / against.median;
      return {
        goal,
        value,
        reached: value <= goal.atMost,
        note: subject.run === against.run ? null : 'the two come from different runs',
      };
    }
    case 'size': {
      const bytes = bytesOf(results, goal.subject);
      return bytes === null
        ? unknown(goal.subject)
        : { goal, value: bytes, reached: bytes <= goal.atMostBytes, note: null };
    }
    case 'size-ratio': {
      const [bytes, against] = [bytesOf(results, goal.subject), bytesOf(results, goal.against)];
      if (bytes === null || against === null) return unknown(bytes === null ? goal.subject : goal.against);
      return { goal, value: bytes / against, reached: bytes <= goal.atMost * against, note: null };
    }
    default:
      return assertNever(goal);
  }
}

function bytesOf({ candidates }: Judged, candidate: string): number | null {
  return candidates[candidate]?.fileBytes ?? null;
}

function find(results: Judged, task: string, candidate: string): Extract<Measurement, { kind: 'measured' }> | null {
  const measurement = results.tasks[task]?.measurements[candidate];
  return measurement?.kind === 'measured' ? measurement : null;
}
