// The same name as answer-tasks.ts for Web Workers: what it starts with, and the port that tasks come from, are the
// first message.
import { sentError } from './messages.ts';
import type { TaskMessage } from './messages.ts';
import { answerOn } from './task-answers.ts';
import type { TaskAnswers } from './task-answers.ts';
import type { WebPort } from './thread-browser.ts';

/** Called once, by the script of a worker that a `ThreadPool` has started. */
export function answerTasks<Start, Task>({ prepare, pack = sentError }: TaskAnswers<Start, Task>): void {
  const scope = globalThis as { onmessage?: ((event: { readonly data: unknown }) => void) | null };
  scope.onmessage = ({ data }) => {
    scope.onmessage = null;
    const { start, port } = data as { readonly start: unknown; readonly port: WebPort };
    port.postMessage('loaded');
    const answer = answerOn<Start, Task>(port, start as Start, prepare, pack);
    port.onmessage = ({ data: tasks }) => {
      // Each in a turn of its own: an answer is sent before the next task is begun.
      for (const { number, task } of tasks as readonly TaskMessage[])
        setTimeout(() => void answer(number, task as Task), 0);
    };
  };
}
