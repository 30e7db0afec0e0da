import { proxyActivities } from '@temporalio/workflow';
import type * as activities from './activities.ts';
import type { Question } from './activities.ts';

const { planTasks, sumTask, mergeStates, answerNothing } = proxyActivities<typeof activities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '30 seconds',
  retry: { maximumAttempts: 5 },
});

/** Each split an activity; a state for each, in the order of the splits, whatever is tried again. */
export async function ask(question: Question): Promise<unknown> {
  const tasks = await planTasks(question);
  if (tasks.length === 0) return answerNothing(question);
  return mergeStates(await Promise.all(tasks.map((task) => sumTask(task))));
}
