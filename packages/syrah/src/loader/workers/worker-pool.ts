// Worker threads that make batches. Tasks of one turn go out in one message a worker, because each message wakes a
// thread. A worker that ends, for whatever reason, is an error of every batch that it had; an idle pool keeps no
// process alive.
import type { BatchTask } from '../batch-maker.ts';
import { LoaderError, unpackError } from '../loader-errors.ts';
import { unpackValue } from './wire.ts';
import type { ResultMessage, TaskMessage, WorkerMessage, WorkerStart } from './wire.ts';
import { startWorker, workerEntry } from './start-worker.ts';
import type { StartedWorker, WorkerEntry } from './start-worker.ts';

export interface PoolOptions {
  readonly count: number;
  /** Workers that may be starting at the same time; the others wait for them. */
  readonly startingAtOnce: number;
}

interface Waiting {
  readonly lane: Lane;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface Lane extends StartedWorker {
  /** Tasks that were not sent yet. */
  readonly outbox: TaskMessage[];
  /** Batches that it was given and has not answered. */
  load: number;
  /** Settles once its script is loaded, or it has ended. */
  readonly loaded: Promise<void>;
  readonly tellLoaded: () => void;
  /** Whether its files are open, or it knows why not. */
  ready: boolean;
  /** Why it can take no more. */
  ended: LoaderError | null;
}

export class WorkerPool {
  readonly #start: WorkerStart;
  readonly #entry: WorkerEntry;
  readonly #options: PoolOptions;
  readonly #lanes: Lane[] = [];
  readonly #waiting = new Map<number, Waiting>();
  #next = 0;
  /** The lane that the last task went to, while that is not sent. */
  #current: Lane | null = null;
  #held = false;
  #closed = false;

  /** @throws LoaderError where the worker script is missing. */
  constructor(start: WorkerStart, options: PoolOptions) {
    this.#start = start;
    this.#entry = workerEntry();
    this.#options = options;
    this.#startMore();
  }

  /** Whether no worker is ready, none has ended, and nothing was asked of them: then this thread is quicker. */
  get starting(): boolean {
    return this.#next === 0 && this.#lanes.every(({ ready, ended }) => !ready && ended === null);
  }

  /**
   * Whether its workers have nothing to do and none has ended. Those that are still starting are worth keeping too: to
   * end them costs nearly as much as to let them start, and an epoch that is over before they are ready would pay it
   * each time.
   */
  get isReusable(): boolean {
    return !this.#closed && this.#waiting.size === 0 && this.#lanes.every(({ ended }) => ended === null);
  }

  /**
   * Makes one batch in the least busy worker; or in the one that the task before went to, up to `together` tasks of
   * this turn. @throws SampleError; LoaderError where the worker ends.
   */
  make(task: BatchTask, together = 1): Promise<unknown> {
    const lane =
      this.#current !== null && this.#current.outbox.length < together
        ? this.#current
        : this.#lanes.reduce((least, other) => (isBetter(other, least) ? other : least));
    if (lane.ended !== null) return Promise.reject(lane.ended);
    if (this.#current === null) queueMicrotask(() => this.#flush());
    this.#current = lane;
    const batch = this.#next;
    this.#next += 1;
    lane.load += 1;
    lane.outbox.push({ batch, task });
    return new Promise((resolve, reject) => {
      this.#waiting.set(batch, { lane, resolve, reject });
    });
  }

  /** While somebody waits for a batch, the workers keep the process alive; else they do not. */
  hold(held: boolean): void {
    if (held === this.#held || this.#closed) return;
    this.#held = held;
    for (const { worker, port } of this.#lanes) for (const handle of [worker, port]) setReference(handle, held);
  }

  /** Takes what has arrived, without waiting for the event loop to bring it. */
  poll(): void {
    for (const lane of this.#lanes)
      for (let message = lane.take(); message !== null; message = lane.take()) this.#receive(lane, message);
  }

  /** Ends all workers; batches that were not made yet are never answered. Idempotent. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#waiting.clear();
    // Who waits for their end must not find the process ended before.
    for (const { worker } of this.#lanes) worker.ref();
    await Promise.all(this.#lanes.map(endLane));
  }

  #flush(): void {
    this.#current = null;
    if (this.#closed) return;
    for (const { port, outbox } of this.#lanes) if (outbox.length > 0) port.postMessage(outbox.splice(0));
  }

  #startMore(): void {
    const { count, startingAtOnce } = this.#options;
    let starting = this.#lanes.reduce((sum, { ready }) => sum + Number(!ready), 0);
    for (; starting < startingAtOnce && this.#lanes.length < count; starting += 1) this.#startOne();
  }

  #startOne(): void {
    const started = startWorker(this.#start, this.#entry);
    const { worker, port } = started;
    let tellLoaded = (): void => undefined;
    const loaded = new Promise<void>((resolve) => {
      tellLoaded = resolve;
    });
    const lane: Lane = { ...started, outbox: [], load: 0, loaded, tellLoaded, ready: false, ended: null };
    port.on('message', (message: WorkerMessage) => this.#receive(lane, message));
    port.on('messageerror', (error: Error) =>
      this.#end(lane, new LoaderError('worker', `a batch could not be received: ${error.message}`, error)),
    );
    worker.on('error', (error: unknown) =>
      this.#end(
        lane,
        new LoaderError(
          'worker',
          `a loader worker failed: ${error instanceof Error ? error.message : String(error)}`,
          error,
        ),
      ),
    );
    worker.on('exit', (code) =>
      this.#end(
        lane,
        new LoaderError('worker', `a loader worker ended with exit code ${String(code)} before it was done`),
      ),
    );
    for (const handle of [worker, port]) setReference(handle, this.#held);
    this.#lanes.push(lane);
  }

  #receive(lane: Lane, message: WorkerMessage): void {
    if ('loaded' in message) {
      lane.tellLoaded();
      return;
    }
    if (!('ready' in message)) {
      this.#settle(message);
      return;
    }
    lane.ready = true;
    if (!this.#closed) this.#startMore();
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
    lane.tellLoaded();
    for (const [batch, waiting] of this.#waiting) {
      if (waiting.lane !== lane) continue;
      this.#waiting.delete(batch);
      waiting.reject(lane.ended);
    }
  }
}

/**
 * A worker that is ended while the runtime loads its script leaves the descriptors of that behind: it is waited for.
 */
async function endLane({ worker, port, loaded }: Lane): Promise<void> {
  port.ref();
  await loaded;
  port.close();
  await worker.terminate();
}

/** One that lives before one that does not, one that is ready before one that starts, the less busy one. */
function isBetter(a: Lane, b: Lane): boolean {
  if ((a.ended === null) !== (b.ended === null)) return a.ended === null;
  if (a.ready !== b.ready) return a.ready;
  return a.load < b.load;
}

function setReference(handle: StartedWorker['worker' | 'port'], held: boolean): void {
  if (held) handle.ref();
  else handle.unref();
}
