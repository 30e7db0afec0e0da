// The other end of a pool: what a thread's script does with its tasks.
import { workerData } from 'node:worker_threads';
import type { AnswerMessage, TaskMessage, ThreadData } from './messages.ts';
import { sentError } from './messages.ts';

/** An answer, and the memory that goes with it instead of being copied. */
export interface Answer {
  readonly value: unknown;
  readonly transfer?: readonly ArrayBuffer[];
}

export interface TaskAnswers<Start, Task> {
  /** Once, before the first task. Where it fails, every task is answered with the reason. */
  readonly prepare: (start: Start) => Promise<(task: Task) => Answer | Promise<Answer>>;
  /** An error as data that can be sent; else what `sentError` makes of it. */
  readonly pack?: (error: unknown) => unknown;
}

/** Called once, by the script of a thread that a `ThreadPool` has started. */
export function answerTasks<Start, Task>({ prepare, pack = sentError }: TaskAnswers<Start, Task>): void {
  const { port, start } = workerData as ThreadData;
  port.postMessage('loaded');
  const prepared = prepare(start as Start);
  const tellReady = (): void => port.postMessage('ready');
  prepared.then(tellReady, tellReady);
  const answer = async (number: number, task: Task): Promise<void> => {
    const send = (message: AnswerMessage, transfer: readonly ArrayBuffer[] = []): void =>
      port.postMessage(message, transfer);
    try {
      const made = (await prepared)(task);
      const { value, transfer } = made instanceof Promise ? await made : made;
      send({ number, value }, transfer);
    } catch (error) {
      send({ number, error: pack(error) });
    }
  };
  port.on('message', (tasks: readonly TaskMessage[]) => {
    // Each in a turn of its own: an answer is sent before the next task is begun, except where it waits for something.
    for (const { number, task } of tasks) setImmediate(() => void answer(number, task as Task));
  });
}
