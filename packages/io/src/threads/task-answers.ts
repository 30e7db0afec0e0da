// Tasks -> answers, whatever kind of thread they come to.
import type { AnswerMessage } from './messages.ts';

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

/** Prepares, says so, and gives what answers one task on the port. */
export function answerOn<Start, Task>(
  port: { postMessage(message: unknown, transfer?: readonly ArrayBuffer[]): void },
  start: Start,
  prepare: TaskAnswers<Start, Task>['prepare'],
  pack: (error: unknown) => unknown,
): (number: number, task: Task) => Promise<void> {
  const prepared = prepare(start);
  const tellReady = (): void => port.postMessage('ready');
  prepared.then(tellReady, tellReady);
  return async (number, task) => {
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
}
