// Goals and results -> reached, missed, or why it cannot be told.
import type { GoalResult, Measurement, SuiteResults } from './results.ts';
import type { Goal } from './suite.ts';

export function judgeGoals(goals: readonly Goal[], results: Pick<SuiteResults, 'tasks'>): GoalResult[] {
  return goals.map((goal) => judge(goal, results));
}

function judge(goal: Goal, results: Pick<SuiteResults, 'tasks'>): GoalResult {
  const subject = find(results, goal.task, goal.subject);
  if (subject === null) return { goal, value: null, reached: null, note: `${goal.subject} was not measured` };
  if (goal.kind === 'time') return { goal, value: subject.median, reached: subject.median <= goal.atMostNs, note: null };
  const against = find(results, goal.task, goal.against);
  if (against === null) return { goal, value: null, reached: null, note: `${goal.against} was not measured` };
  const value = subject.median / against.median;
  return { goal, value, reached: value <= goal.atMost, note: subject.run === against.run ? null : 'the two come from different runs' };
}

function find(results: Pick<SuiteResults, 'tasks'>, task: string, candidate: string): Extract<Measurement, { kind: 'measured' }> | null {
  const measurement = results.tasks[task]?.measurements[candidate];
  return measurement?.kind === 'measured' ? measurement : null;
}
