// Threads that answer tasks, from their start to their end. A thread that ends, for whatever reason, is an error of
// every task that it had; tasks that were not sent go to the others. Where the system gives fewer threads than asked
// for, those that there are do the work.
import type { AnswerMessage, TaskMessage, ThreadMessage } from './messages.ts';
import type { KeptThreads } from './kept-threads.ts';
import { Thread } from './thread.ts';
import type { ThreadOwner, ThreadStart } from './thread.ts';

export interface ThreadJob extends ThreadStart {
  /** A result from what a thread sent. */
  readonly unpack?: (value: unknown) => unknown;
  /** An error from what a thread sent. */
  readonly unpackError: (error: unknown) => Error;
}

export interface PoolOptions {
  /** Threads of the pool; each is started when it is first needed. */
  readonly count: number;
  /** Threads that may be starting at the same time; the others wait for them. Absent: all. */
  readonly startingAtOnce?: number;
  /** Tasks that a thread may have at once; others wait for whoever is free first. Absent: any number. */
  readonly depth?: number;
  /** Where threads come from and go to, if there are any. */
  readonly kept?: KeptThreads;
  /** Whether a thread keeps the process alive while it has tasks; else `hold` alone decides. */
  readonly holdsWhileAsked?: boolean;
}

export interface AskOptions {
  /** Memory that goes to the thread instead of being copied. */
  readonly transfer?: readonly ArrayBuffer[];
  /** How many tasks of this turn one thread may get in one message, because each message wakes a thread. */
  readonly together?: number;
}

interface Asked {
  readonly message: TaskMessage;
  readonly transfer: readonly ArrayBuffer[];
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface Lane {
  readonly thread: Thread;
  readonly outbox: Asked[];
  /** What it was given and has not answered, by number. */
  readonly asked: Map<number, Asked>;
  /** Why it can take no more. */
  ended: Error | null;
}

export class ThreadPool<Task, Result> implements ThreadOwner {
  readonly #job: ThreadJob;
  readonly #options: PoolOptions;
  readonly #lanes = new Map<Thread, Lane>();
  /** Tasks that wait for a thread that is free. */
  readonly #queue: Asked[] = [];
  #next = 0;
  /** The lane that the last task of this turn went to. */
  #current: Lane | null = null;
  #held = false;
  #closed = false;

  /** @throws what `ended` makes where not one thread can be started. */
  constructor(job: ThreadJob, options: PoolOptions) {
    this.#job = job;
    this.#options = options;
    for (let count = 0; count < options.count; count += 1) {
      const thread = options.kept?.take() ?? null;
      if (thread === null) break;
      this.#add(thread);
    }
    this.#startMore();
  }

  /** Whether no thread is ready, none has ended, and nothing was asked of them: then the caller's own is quicker. */
  get starting(): boolean {
    return this.#next === 0 && [...this.#lanes.values()].every(({ thread, ended }) => !thread.ready && ended === null);
  }

  /** Rejects with what `unpackError` and `ended` make; with a plain error once the pool is closed. */
  ask(task: Task, { transfer = [], together = 1 }: AskOptions = {}): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const message = { number: this.#next, task };
      this.#next += 1;
      this.#give({ message, transfer, resolve: resolve as (value: unknown) => void, reject }, together);
    });
  }

  /** While somebody waits for an answer, the threads keep the process alive. */
  hold(held: boolean): void {
    if (held === this.#held || this.#closed) return;
    this.#held = held;
    for (const { thread } of this.#lanes.values()) thread.hold(held);
  }

  /** Takes what has arrived, without waiting for the event loop to bring it. */
  poll(): void {
    for (const thread of this.#lanes.keys()) thread.poll();
  }

  /**
   * What is under way is given up. Threads that have nothing to do wait for another use where nothing failed and `keep`
   * says so; else they end. Those that are still starting are worth keeping too: to end them costs nearly as much as to
   * let them start. Idempotent.
   */
  async close(keep = true): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const lanes = [...this.#lanes.values()];
    const kept = keep && lanes.every(({ ended }) => ended === null) ? this.#options.kept : undefined;
    const given = [...lanes.flatMap(({ asked }) => [...asked.values()]), ...this.#queue.splice(0)];
    const ending = lanes.map(({ thread, asked }) =>
      kept === undefined || asked.size > 0 ? thread.end() : kept.keep(thread),
    );
    for (const { reject } of given) reject(closedError());
    await Promise.all(ending);
  }

  receive(thread: Thread, message: ThreadMessage): void {
    const lane = this.#lanes.get(thread);
    if (lane === undefined || message === 'loaded') return;
    if (message === 'ready') this.#startMore();
    else for (const answer of message) this.#settle(lane, answer);
  }

  ended(thread: Thread, what: string, cause?: unknown): void {
    const lane = this.#lanes.get(thread);
    if (lane === undefined || lane.ended !== null) return;
    lane.ended = this.#job.ended(what, cause);
    lane.outbox.length = 0;
    for (const { reject } of lane.asked.values()) reject(lane.ended);
    lane.asked.clear();
    for (const waiting of this.#queue.splice(0)) this.#give(waiting, 1);
  }

  #give(asked: Asked, together: number): void {
    const lane = this.#current !== null && this.#current.outbox.length < together ? this.#current : this.#leastBusy();
    const refused = this.#closed ? closedError() : lane.ended;
    if (refused !== null) {
      asked.reject(refused);
      return;
    }
    if (lane.asked.size >= (this.#options.depth ?? Infinity)) {
      this.#queue.push(asked);
      return;
    }
    // Not queueMicrotask, in whose place tests put one that waits to be told.
    if (this.#current === null) void Promise.resolve().then(() => this.#flush());
    this.#current = lane;
    lane.asked.set(asked.message.number, asked);
    lane.outbox.push(asked);
    if (this.#options.holdsWhileAsked === true) lane.thread.hold(true);
  }

  /** One that lives before one that does not, one that is ready before one that starts, the less busy one. */
  #leastBusy(): Lane {
    const depth = this.#options.depth ?? Infinity;
    const [first, ...others] = this.#lanes.values();
    return others.reduce((least, lane) => {
      if ((lane.ended === null) !== (least.ended === null)) return lane.ended === null ? lane : least;
      if (lane.asked.size < depth && least.asked.size < depth && lane.thread.ready !== least.thread.ready)
        return lane.thread.ready ? lane : least;
      return lane.asked.size < least.asked.size ? lane : least;
    }, first as Lane);
  }

  #flush(): void {
    this.#current = null;
    for (const lane of this.#lanes.values()) {
      const asked = lane.outbox.splice(0);
      if (asked.length === 0 || this.#closed) continue;
      try {
        lane.thread.post(
          asked.map(({ message }) => message),
          asked.flatMap(({ transfer }) => [...transfer]),
        );
      } catch (error) {
        for (const { message, reject } of asked) {
          lane.asked.delete(message.number);
          reject(error);
        }
        this.#free(lane);
      }
    }
  }

  #settle(lane: Lane, message: AnswerMessage): void {
    const asked = lane.asked.get(message.number);
    if (asked === undefined) return;
    lane.asked.delete(message.number);
    this.#free(lane);
    if ('error' in message) asked.reject(this.#job.unpackError(message.error));
    else asked.resolve(this.#job.unpack === undefined ? message.value : this.#job.unpack(message.value));
  }

  /** There is room for the next task. */
  #free(lane: Lane): void {
    const next = this.#queue.shift();
    if (next !== undefined) this.#give(next, 1);
    else if (lane.asked.size === 0 && this.#options.holdsWhileAsked === true) lane.thread.hold(this.#held);
  }

  #startMore(): void {
    const { count, startingAtOnce = count } = this.#options;
    let starting = 0;
    for (const { thread } of this.#lanes.values()) starting += Number(!thread.ready);
    try {
      for (; starting < startingAtOnce && this.#lanes.size < count && !this.#closed; starting += 1)
        this.#add(new Thread(this.#job));
    } catch (error) {
      if (this.#lanes.size === 0) throw error;
    }
  }

  #add(thread: Thread): void {
    thread.owner = this;
    thread.hold(this.#held);
    this.#lanes.set(thread, { thread, outbox: [], asked: new Map(), ended: null });
  }
}

const closedError = (): Error => new Error('the worker threads were closed');
