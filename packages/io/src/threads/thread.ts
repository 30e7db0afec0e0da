// One thread that runs a script and answers tasks, whoever it works for at the moment. This file and `answer-tasks` are
// all that knows of what kind threads are.
import { MessageChannel, Worker, receiveMessageOnPort } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { messageOf } from '../errors/system-error.ts';
import type { TaskMessage, ThreadData, ThreadMessage } from './messages.ts';
import type { ThreadScript } from './script.ts';
import { receivedViews, sentViews } from './sent-views.ts';

export interface ThreadStart {
  readonly script: ThreadScript;
  /** For debuggers. */
  readonly name: string;
  /** Plain data: what it starts with. */
  readonly start?: unknown;
  /** It could not be started, or has ended by itself: `what` goes on from "a thread". */
  readonly ended: (what: string, cause: unknown) => Error;
}

/** Who a thread works for, or waits at. */
export interface ThreadOwner {
  receive(thread: Thread, message: ThreadMessage): void;
  /** It has ended by itself. `what` goes on from "a thread"; `cause` where it threw. */
  ended(thread: Thread, what: string, cause?: unknown): void;
}

export class Thread {
  owner: ThreadOwner | null = null;
  /** Whether it is prepared, or knows why it cannot be. */
  ready = false;
  readonly #worker: Worker;
  /**
   * Tasks out, answers in. A port of our own, because answers that have arrived can be taken from it at once, without a
   * turn of the event loop.
   */
  readonly #port: MessagePort;
  /** Settles once its script is loaded, or it has ended. */
  readonly #loaded: Promise<void>;
  #tellLoaded = (): void => undefined;

  /** It keeps no process alive until it is held. @throws what `ended` makes where the system gives no more threads. */
  constructor({ script: { url, execArgv }, start, name, ended }: ThreadStart) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#loaded = new Promise((resolve) => {
      this.#tellLoaded = resolve;
    });
    try {
      this.#worker = new Worker(url, {
        ...(execArgv === undefined ? {} : { execArgv: [...execArgv] }),
        workerData: { start: sentViews(start), port: port2 } satisfies ThreadData,
        transferList: [port2],
        name,
      });
    } catch (error) {
      throw ended(`could not be started: ${messageOf(error)}`, error);
    }
    port1.on('message', (message: unknown) => this.#receive(message));
    this.#worker.on('error', (error: unknown) => this.#ended(`failed: ${messageOf(error)}`, error));
    this.#worker.on('exit', (code) => this.#ended(`ended with exit code ${String(code)} before it was done`));
    this.hold(false);
  }

  /** Whether it keeps the process alive. */
  hold(held: boolean): void {
    for (const handle of [this.#worker, this.#port]) {
      if (held) handle.ref();
      else handle.unref();
    }
  }

  /** @throws where the tasks cannot be sent. */
  post(tasks: readonly TaskMessage[], transfer: readonly ArrayBuffer[]): void {
    this.#port.postMessage(sentViews(tasks), transfer);
  }

  /** Takes what has arrived, without waiting for the event loop to bring it. */
  poll(): void {
    for (let next = receiveMessageOnPort(this.#port); next !== undefined; next = receiveMessageOnPort(this.#port))
      this.#receive(next.message);
  }

  /** Whoever waits for its end does not find the process ended before. */
  async end(): Promise<void> {
    this.owner = null;
    this.hold(true);
    // A thread that is ended while the runtime loads its script leaves the descriptors of that behind.
    await this.#loaded;
    this.#port.close();
    await this.#worker.terminate();
  }

  #receive(sent: unknown): void {
    const message = receivedViews(sent) as ThreadMessage;
    if (message === 'loaded') this.#tellLoaded();
    else if (message === 'ready') this.ready = true;
    this.owner?.receive(this, message);
  }

  #ended(what: string, cause?: unknown): void {
    this.#tellLoaded();
    this.owner?.ended(this, what, cause);
  }
}
