// The same name as thread.ts for browsers: a Web Worker that answers tasks.
import { messageOf } from '../errors/system-error.ts';
import type { TaskMessage, ThreadMessage } from './messages.ts';
import type { ThreadOwner } from './thread.ts';

/** What is needed of a `Worker`. */
interface WebWorker {
  onerror: ((event: { readonly message?: string; preventDefault(): void }) => void) | null;
  postMessage(message: unknown, transfer: readonly object[]): void;
  terminate(): void;
}

/** What is needed of a `MessagePort`. */
export interface WebPort {
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  postMessage(message: unknown, transfer?: readonly object[]): void;
  close(): void;
}

/** How a worker is made, by the module beside its script: bundlers look for `new Worker(new URL(…))` there. */
interface WebThreadStart {
  readonly script: { readonly make: (name: string) => WebWorker };
  readonly start?: unknown;
  readonly name: string;
  /** It could not be started: `what` goes on from "a thread". */
  readonly ended: (what: string, cause: unknown) => Error;
}

export class Thread {
  owner: ThreadOwner | null = null;
  /** Whether it is prepared, or knows why it cannot be. */
  ready = false;
  readonly #worker: WebWorker;
  readonly #port: WebPort;

  /** @throws what `ended` makes where the page may make no workers, or not of this script. */
  constructor({ script: { make }, start, name, ended }: WebThreadStart) {
    const { port1, port2 } = new MessageChannel() as unknown as { readonly port1: WebPort; readonly port2: WebPort };
    this.#port = port1;
    try {
      this.#worker = make(name);
    } catch (error) {
      throw ended(`could not be started: ${messageOf(error)}`, error);
    }
    this.#port.onmessage = ({ data }) => this.#receive(data as ThreadMessage);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      const reason = event.message ?? 'its script could not be loaded';
      this.owner?.ended(this as never, `failed: ${reason}`, new Error(reason));
    };
    this.#worker.postMessage({ start, port: port2 }, [port2]);
  }

  /** A page stays for its own reasons. */
  hold(): void {
    // nothing to keep alive
  }

  /** @throws where the tasks cannot be sent. */
  post(tasks: readonly TaskMessage[], transfer: readonly ArrayBuffer[]): void {
    this.#port.postMessage(tasks, [...transfer]);
  }

  /** Messages come with the event loop, and in no other way. */
  poll(): void {
    // nothing to take
  }

  end(): Promise<void> {
    this.owner = null;
    this.#port.close();
    this.#worker.terminate();
    return Promise.resolve();
  }

  #receive(message: ThreadMessage): void {
    if (message === 'ready') this.ready = true;
    this.owner?.receive(this as never, message);
  }
}
