// The other end of a pool: what a thread's script does with its tasks.
import { workerData } from 'node:worker_threads';
import type { TaskMessage, ThreadData } from './messages.ts';
import { receivedViews, sentViews } from './sent-views.ts';
import { answerOn } from './task-answers.ts';
import type { AnswerPort, TaskAnswers } from './task-answers.ts';

export type { Answer, TaskAnswers } from './task-answers.ts';

/** Called once, by the script of a thread that a `ThreadPool` has started. */
export function answerTasks<Start, Task>(answers: TaskAnswers<Start, Task>): void {
  const { port, start } = workerData as ThreadData;
  port.postMessage('loaded');
  const out: AnswerPort = { postMessage: (message, transfer) => port.postMessage(sentViews(message), transfer) };
  const take = answerOn(out, receivedViews(start) as Start, answers, (run) => void setImmediate(run));
  port.on('message', (tasks: unknown) => take(receivedViews(tasks) as readonly TaskMessage[]));
}
