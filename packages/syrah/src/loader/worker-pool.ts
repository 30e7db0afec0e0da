// Worker threads that make batches. A worker that ends, for whatever reason, is an error of every batch that it had; an idle pool keeps no process alive.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MessageChannel, Worker, receiveMessageOnPort } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import type { BatchTask } from './batch-maker.ts';
import { LoaderError, unpackError } from './loader-errors.ts';
import { unpackValue } from './wire.ts';
import type { ResultMessage, WorkerMessage, WorkerStart } from './wire.ts';

interface Waiting {
  readonly lane: Lane;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface Lane {
  readonly worker: Worker;
  /** Tasks out, results in. A port of our own, because results that have arrived can be taken from it at once, without a turn of the event loop. */
  readonly port: MessagePort;
  /** Batches that it was given and has not answered. */
  load: number;
  /** Whether its files are open. */
  ready: boolean;
  /** Why it can take no more. */
  ended: LoaderError | null;
}

export class WorkerPool {
  readonly #lanes: readonly Lane[];
  readonly #waiting = new Map<number, Waiting>();
  #next = 0;
  #closed = false;

  constructor(count: number, start: WorkerStart) {
    const { url, options } = workerEntry();
    this.#lanes = Array.from({ length: count }, () => {
      const { port1: port, port2 } = new MessageChannel();
      const worker = new Worker(url, { ...options, workerData: { ...start, port: port2 }, transferList: [port2], name: 'syrah loader' });
      const lane: Lane = { worker, port, load: 0, ready: false, ended: null };
      port.on('message', (message: WorkerMessage) => this.#receive(lane, message));
      port.on('messageerror', (error: Error) => this.#end(lane, new LoaderError('worker', `a batch could not be received: ${error.message}`, error)));
      worker.on('error', (error: unknown) => this.#end(lane, new LoaderError('worker', `a loader worker failed: ${error instanceof Error ? error.message : String(error)}`, error)));
      worker.on('exit', (code) => this.#end(lane, new LoaderError('worker', `a loader worker ended with exit code ${String(code)} before it was done`)));
      worker.unref();
      port.unref();
      return lane;
    });
  }

  /** Whether all workers are still starting, none of them has ended, and nothing was asked of them: then this thread is quicker. */
  get starting(): boolean {
    return this.#next === 0 && this.#lanes.every(({ ready, ended }) => !ready && ended === null);
  }

  /** Makes one batch in the least busy worker. @throws SampleError; LoaderError where the worker ends. */
  make(task: BatchTask): Promise<unknown> {
    const lane = this.#lanes.reduce((least, other) => (isBetter(other, least) ? other : least));
    if (lane.ended !== null) return Promise.reject(lane.ended);
    const batch = this.#next;
    this.#next += 1;
    lane.load += 1;
    return new Promise((resolve, reject) => {
      this.#waiting.set(batch, { lane, resolve, reject });
      lane.port.postMessage({ batch, task });
    });
  }

  /** While somebody waits for a batch, the workers keep the process alive; else they do not. */
  hold(held: boolean): void {
    for (const { worker, port } of this.#lanes) {
      for (const handle of [worker, port]) {
        if (held) handle.ref();
        else handle.unref();
      }
    }
  }

  /** Takes what has arrived, without waiting for the event loop to bring it. */
  poll(): void {
    for (const lane of this.#lanes) {
      for (let arrived = receiveMessageOnPort(lane.port); arrived !== undefined; arrived = receiveMessageOnPort(lane.port)) this.#receive(lane, arrived.message as WorkerMessage);
    }
  }

  /** Ends all workers; batches that were not made yet are never answered. Idempotent. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#waiting.clear();
    for (const { port } of this.#lanes) port.close();
    await Promise.all(this.#lanes.map(({ worker }) => worker.terminate()));
  }

  #receive(lane: Lane, message: WorkerMessage): void {
    if ('ready' in message) lane.ready = true;
    else this.#settle(message);
  }

  #settle(message: ResultMessage): void {
    const waiting = this.#waiting.get(message.batch);
    if (waiting === undefined) return;
    this.#waiting.delete(message.batch);
    waiting.lane.load -= 1;
    if ('error' in message) waiting.reject(unpackError(message.error));
    else waiting.resolve(unpackValue(message.value));
  }

  #end(lane: Lane, error: LoaderError): void {
    lane.ended ??= error;
    for (const [batch, waiting] of this.#waiting) {
      if (waiting.lane !== lane) continue;
      this.#waiting.delete(batch);
      waiting.reject(lane.ended);
    }
  }
}

/** One that lives before one that does not, one that is ready before one that starts, the less busy one. */
function isBetter(a: Lane, b: Lane): boolean {
  if ((a.ended === null) !== (b.ended === null)) return a.ended === null;
  if (a.ready !== b.ready) return a.ready;
  return a.load < b.load;
}

/** Workers inherit the process's options, but a script's type given by option (`node --input-type=module -e …`) refuses to start one: then only what finds modules is passed on. */
function inheritedOptions(): { execArgv?: string[] } {
  const { execArgv } = process;
  if (!execArgv.some((option) => option.startsWith('--input-type'))) return {};
  const kept = execArgv.filter((option, k) => MODULE_OPTION.test(option) || (MODULE_OPTION.test(execArgv[k - 1] ?? '') && !(execArgv[k - 1] ?? '').includes('=')));
  return { execArgv: kept };
}

const MODULE_OPTION = /^(?:-C|-r|--conditions|--import|--require|--loader|--experimental-loader)(?:=|$)/;

/** The built worker script: beside this file once built, in `dist` where this runs from source (whose resolve conditions plain workers must not inherit). */
function workerEntry(): { url: URL; options: { execArgv?: string[] } } {
  const built = new URL('./loader-worker.js', import.meta.url);
  if (existsSync(fileURLToPath(built))) return { url: built, options: inheritedOptions() };
  const fromSource = new URL('../../dist/loader-worker.js', import.meta.url);
  if (existsSync(fileURLToPath(fromSource))) return { url: fromSource, options: { execArgv: [] } };
  throw new LoaderError('worker', `the worker script ${fileURLToPath(built)} is missing: is the package whole (and, in its repository, built)?`);
}
