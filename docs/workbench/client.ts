// The page's side of the worker: calls that give promises, tell progress, and end where nobody wants them any more.
import type { Argument, CallName, FromWorker, Progress, Result, ToWorker } from './protocol.ts';

/** What the worker threw; the code is that of the packages' errors. */
export class WorkerError extends Error {
  readonly code: string | null;

  constructor(message: string, code: string | null) {
    super(message);
    this.name = 'WorkerError';
    this.code = code;
  }
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly onProgress: ((progress: Progress) => void) | undefined;
}

/** Here and not in a component: Vite looks for these words in TypeScript. */
export function startWorker(): Worker {
  return new Worker(new URL('./worker/worker.ts', import.meta.url), { type: 'module' });
}

export class Client {
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  /** Why no worker answers any more. */
  #gone: string | null = null;

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => this.#receive(data));
    worker.addEventListener('error', ({ message }) => {
      // What is thrown in a worker has a message; without one it is not there.
      if (message) this.#fail(message);
      else this.#leave('the worker could not be loaded');
    });
  }

  /** @throws WorkerError; the signal's reason. */
  call<N extends CallName>(name: N, argument: Argument<N>, options: CallOptions = {}): Promise<Result<N>> {
    const { signal, onProgress } = options;
    signal?.throwIfAborted();
    if (this.#gone !== null) return Promise.reject(new WorkerError(this.#gone, null));
    const id = (this.#lastId += 1);
    return new Promise((resolve, reject) => {
      const cancel = (): void => {
        this.#send({ kind: 'cancel', id });
        this.#pending.delete(id);
        reject(signal?.reason as Error);
      };
      const settled = (): void => signal?.removeEventListener('abort', cancel);
      this.#pending.set(id, {
        onProgress,
        resolve: (result) => {
          settled();
          resolve(result as Result<N>);
        },
        reject: (error) => {
          settled();
          reject(error as Error);
        },
      });
      signal?.addEventListener('abort', cancel, { once: true });
      this.#send({ kind: 'call', id, name, argument });
    });
  }

  /** Ends the worker and everything that it was asked. */
  end(): void {
    this.#worker.terminate();
    this.#leave('the page was left');
  }

  #leave(why: string): void {
    this.#gone = why;
    this.#fail(why);
  }

  #send(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  #receive(message: FromWorker): void {
    const pending = this.#pending.get(message.id);
    if (pending === undefined) return;
    if (message.kind === 'progress') {
      pending.onProgress?.(message.progress);
      return;
    }
    this.#pending.delete(message.id);
    if (message.kind === 'result') pending.resolve(message.result);
    else pending.reject(new WorkerError(message.message, message.code));
  }

  #fail(message: string): void {
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of pending) reject(new WorkerError(message, null));
  }
}
