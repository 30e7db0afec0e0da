// Tasks -> answers, whatever kind of thread they come to. Each message wakes the other thread, which costs more than a
// small batch: quick answers that follow each other go together.
import { sentError } from './messages.ts';
import type { AnswerMessage, TaskMessage } from './messages.ts';

/** An answer, and the memory that goes with it instead of being copied. */
export interface Answer {
  readonly value: unknown;
  readonly transfer?: readonly ArrayBuffer[];
  /** Whether it may wait for those of the next tasks, where these are quick. Absent: it goes at once. */
  readonly mayWait?: boolean;
}

export interface TaskAnswers<Start, Task> {
  /** Once, before the first task. Where it fails, every task is answered with the reason. */
  readonly prepare: (start: Start) => Promise<(task: Task) => Answer | Promise<Answer>>;
  /** An error as data that can be sent; else what `sentError` makes of it. */
  readonly pack?: (error: unknown) => unknown;
}

/** What is needed of a port. */
export interface AnswerPort {
  postMessage(message: unknown, transfer?: readonly ArrayBuffer[]): void;
}

/** How long an answer waits for others, as far as can be told before. */
const MOST_WAIT_MS = 0.25;

interface Made {
  readonly message: AnswerMessage;
  readonly transfer: readonly ArrayBuffer[];
}

/**
 * Prepares, says so, and gives what takes the tasks of a message and answers them on the port.
 * @param soon runs something in a later turn, in the order of the calls.
 */
export function answerOn<Start, Task>(
  port: AnswerPort,
  start: Start,
  { prepare, pack = sentError }: TaskAnswers<Start, Task>,
  soon: (run: () => void) => void,
): (tasks: readonly TaskMessage[]) => void {
  const prepared = prepare(start);
  const tellReady = (): void => port.postMessage('ready');
  prepared.then(tellReady, tellReady);
  const outbox = new Outbox(port, pack, soon);
  let waiting = 0;

  async function answer({ number, task }: TaskMessage): Promise<void> {
    waiting -= 1;
    try {
      const run = await prepared;
      const begun = performance.now();
      const made = run(task as Task);
      const { value, transfer = [], mayWait = false } = made instanceof Promise ? await made : made;
      outbox.add({ message: { number, value }, transfer }, mayWait && waiting > 0 ? performance.now() - begun : null);
    } catch (error) {
      outbox.add({ message: { number, error: pack(error) }, transfer: [] }, null);
    }
  }

  return (tasks) => {
    waiting += tasks.length;
    // Each in a turn of its own: what an answer waits for does not hold up the next task.
    for (const task of tasks) soon(() => void answer(task));
  };
}

/** Answers that were made and not sent. */
class Outbox {
  readonly #port: AnswerPort;
  readonly #pack: (error: unknown) => unknown;
  readonly #soon: (run: () => void) => void;
  #made: Made[] = [];
  /** Since when the first of them waits. */
  #since = 0;

  constructor(port: AnswerPort, pack: (error: unknown) => unknown, soon: (run: () => void) => void) {
    this.#port = port;
    this.#pack = pack;
    this.#soon = soon;
  }

  /** @param nextMs how long the next task takes, as far as can be told; null where nothing is waited for. */
  add(made: Made, nextMs: number | null): void {
    this.#made.push(made);
    if (nextMs === null) {
      this.#send();
      return;
    }
    const now = performance.now();
    if (this.#made.length === 1) this.#since = now;
    if (now - this.#since + nextMs > MOST_WAIT_MS) this.#send();
    // Where the next task waits for something itself, these do not.
    else if (this.#made.length === 1) this.#soon(() => this.#send());
  }

  #send(): void {
    const made = this.#made;
    if (made.length === 0) return;
    this.#made = [];
    try {
      this.#port.postMessage(
        made.map(({ message }) => message),
        made.flatMap(({ transfer }) => [...transfer]),
      );
    } catch (error) {
      // One of them cannot be sent: the others can.
      if (made.length > 1) for (const each of made) this.#sendOne(each);
      else
        for (const { message } of made) this.#port.postMessage([{ number: message.number, error: this.#pack(error) }]);
    }
  }

  #sendOne({ message, transfer }: Made): void {
    this.#made = [{ message, transfer }];
    this.#send();
  }
}
