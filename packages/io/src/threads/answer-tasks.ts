// The other end of a pool: what a thread's script does with its tasks.
import { workerData } from 'node:worker_threads';
import type { TaskMessage, ThreadData } from './messages.ts';
import { sentError } from './messages.ts';
import { answerOn } from './task-answers.ts';
import type { TaskAnswers } from './task-answers.ts';

export type { Answer, TaskAnswers } from './task-answers.ts';

/** Called once, by the script of a thread that a `ThreadPool` has started. */
export function answerTasks<Start, Task>({ prepare, pack = sentError }: TaskAnswers<Start, Task>): void {
  const { port, start } = workerData as ThreadData;
  port.postMessage('loaded');
  const answer = answerOn<Start, Task>(port, start as Start, prepare, pack);
  port.on('message', (tasks: readonly TaskMessage[]) => {
    // Each in a turn of its own: an answer is sent before the next task is begun, except where it waits for something.
    for (const { number, task } of tasks) setImmediate(() => void answer(number, task as Task));
  });
}
