// The same name as answer-tasks.ts for Web Workers: what it starts with, and the port that tasks come from, are the
// first message.
import type { TaskMessage } from './messages.ts';
import { answerOn } from './task-answers.ts';
import type { TaskAnswers } from './task-answers.ts';
import type { WebPort } from './thread-browser.ts';

/** Called once, by the script of a worker that a `ThreadPool` has started. */
export function answerTasks<Start, Task>(answers: TaskAnswers<Start, Task>): void {
  const scope = globalThis as { onmessage?: ((event: { readonly data: unknown }) => void) | null };
  scope.onmessage = ({ data }) => {
    scope.onmessage = null;
    const { start, port } = data as { readonly start: unknown; readonly port: WebPort };
    port.postMessage('loaded');
    const take = answerOn(port, start as Start, answers, (run) => void setTimeout(run, 0));
    port.onmessage = ({ data: tasks }) => take(tasks as readonly TaskMessage[]);
  };
}
