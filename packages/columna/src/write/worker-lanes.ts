// Worker threads that answer questions, each one at a time: whoever is free gets the next. A thread that ends, for
// whatever reason, is an error of everything that is not answered; the threads keep no process alive that has nothing
// else to do.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { unpackError } from './encode-wire.ts';
import type { PackedError } from './encode-wire.ts';
import { keepThread, takeThread } from './kept-threads.ts';

export interface WorkerQuestion<Q> {
  readonly number: number;
  readonly question: Q;
}

export type WorkerAnswer<A> =
  | { readonly number: number; readonly result: A }
  | { readonly number: number; readonly error: PackedError };

export interface WorkerSetup {
  readonly threads: number;
  /** What the threads do, for messages. */
  readonly doing: string;
}

interface Waiting<Q, A> {
  readonly question: Q;
  readonly buffers: ArrayBuffer[];
  readonly resolve: (answer: A) => void;
  readonly reject: (error: Error) => void;
}

export class WorkerLanes<Q, A> {
  readonly #script: URL;
  readonly #workers: Set<Worker>;
  readonly #idle: Worker[];
  readonly #queue: Waiting<Q, A>[] = [];
  readonly #asked = new Map<number, Waiting<Q, A>>();
  readonly #doing: string;
  #next = 0;
  #ended: Error | null = null;

  /** @param script what the threads run. Threads that waited since an earlier use of it come first. */
  constructor(script: URL, { threads, doing }: WorkerSetup) {
    this.#script = script;
    this.#doing = doing;
    this.#idle = Array.from({ length: threads }, () => {
      const worker = takeThread(script);
      worker.on('message', (answer: WorkerAnswer<A>) => this.#settle(worker, answer));
      worker.on('error', (error: unknown) => this.#end(error instanceof Error ? error : new Error(String(error))));
      worker.on('exit', (code) =>
        this.#end(new Error(`a worker thread ended with exit code ${code} before it had answered`)),
      );
      return worker;
    });
    this.#workers = new Set(this.#idle);
  }

  ask(question: Q, buffers: ArrayBuffer[]): Promise<A> {
    if (this.#ended !== null) return Promise.reject(this.#ended);
    return new Promise((resolve, reject) => {
      this.#queue.push({ question, buffers, resolve, reject });
      this.#send();
    });
  }

  /** What is under way is given up, and its threads end; the others wait for another use. Idempotent. */
  async close(): Promise<void> {
    const failed = this.#ended !== null;
    this.#ended ??= new Error('the worker threads were closed');
    for (const worker of failed ? [] : this.#idle) {
      this.#workers.delete(worker);
      keepThread(this.#script, worker);
    }
    this.#idle.length = 0;
    const ending = [...this.#workers];
    this.#workers.clear();
    await Promise.all(ending.map((worker) => worker.terminate()));
  }

  #send(): void {
    while (this.#idle.length > 0 && this.#queue.length > 0) {
      const worker = this.#idle.pop() as Worker;
      const waiting = this.#queue.shift() as Waiting<Q, A>;
      const number = this.#next++;
      this.#asked.set(number, waiting);
      worker.ref();
      worker.postMessage({ number, question: waiting.question } satisfies WorkerQuestion<Q>, waiting.buffers);
    }
  }

  #settle(worker: Worker, answer: WorkerAnswer<A>): void {
    const waiting = this.#asked.get(answer.number);
    if (waiting === undefined) return;
    this.#asked.delete(answer.number);
    worker.unref();
    this.#idle.push(worker);
    this.#send();
    if ('error' in answer) waiting.reject(unpackError(answer.error, this.#doing));
    else waiting.resolve(answer.result);
  }

  #end(error: Error): void {
    this.#ended ??= error;
    for (const waiting of [...this.#asked.values(), ...this.#queue]) waiting.reject(this.#ended);
    this.#asked.clear();
    this.#queue.length = 0;
  }
}

/**
 * A script of the build, beside this one; null where the package runs from its sources, or in a bundle that lacks it.
 */
export function workerScript(name: string): URL | null {
  // Bundles of another module format leave nothing here.
  const own = import.meta.url as string | undefined;
  if (own?.startsWith('file:') !== true) return null;
  const script = new URL(name, own);
  return existsSync(fileURLToPath(script)) ? script : null;
}
