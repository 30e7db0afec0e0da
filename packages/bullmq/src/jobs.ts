// The jobs of one run in a queue: added, waited for, added again where they vanish, and removed at the end. Events of
// the queue tell when to look; where they are lost, or came before somebody listened, all jobs are looked at, every two
// seconds in the end. What counts is what the jobs themselves say.
import { QueueEvents } from 'bullmq';
import type { Job, JobsOptions, Queue } from 'bullmq';
import type { PartialState } from 'columna';
import type { ScanJob } from './scan-job.ts';

const FIRST_SWEEP_MS = 50;
const SWEEP_MS = 2000;
/** Jobs that are added, or asked about, at a time. */
const AT_ONCE = 100;
/** How long a server that does not answer is waited for. */
const PATIENCE_MS = 60_000;
/** How long running jobs are waited for that were told to stop; later ones go by themselves. */
const STOPPING_MS = 5000;
/** Between two looks at those, and at a server that is away. */
const STOPPED_MS = 100;
const AWAY_MS = 500;
/** Finished jobs of runs that nobody waits for any more, in seconds. */
const KEPT_S = 24 * 60 * 60;
/** The server is away or starts, and not: it refuses what is asked. */
const AWAY =
  /ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST|Connection is closed|max retries per request|LOADING|READONLY|CLUSTERDOWN|MASTERDOWN/iu;

export interface QueuedJob {
  /** The same for each attempt to add it: BullMQ takes an id once. */
  readonly id: string;
  readonly name: string;
  readonly data: ScanJob;
}

/** How a job ended: with a state or a reason. */
export interface JobEnd {
  readonly state?: PartialState;
  readonly reason?: string;
  readonly code?: string;
  readonly attempts: number;
}

export class Jobs {
  readonly #queue: Queue;
  readonly #jobs: readonly QueuedJob[];
  readonly #options: JobsOptions;
  readonly #attempts: number;
  /** Numbers by id. */
  readonly #open: Map<string, number>;
  readonly #addedBy: number[];
  /** Of which an event said that they ended. */
  readonly #told = new Set<string>();
  #wake = (): void => undefined;

  constructor(queue: Queue, jobs: readonly QueuedJob[], attempts: number) {
    this.#queue = queue;
    this.#jobs = jobs;
    this.#attempts = attempts;
    this.#open = new Map(jobs.map(({ id }, number) => [id, number]));
    this.#addedBy = jobs.map(() => 0);
    this.#options = {
      attempts,
      backoff: { type: 'exponential', delay: 500, jitter: 0.5 },
      removeOnComplete: { age: KEPT_S },
      removeOnFail: { age: KEPT_S },
      stackTraceLimit: 1,
    };
  }

  /** Until each job ended and was told of, once. @throws what `ended` throws; the signal's reason. */
  async run(ended: (number: number, end: JobEnd) => void, signal: AbortSignal | undefined): Promise<void> {
    const { connection, prefix } = this.#queue.opts as { connection: object; prefix?: string };
    const events = new QueueEvents(this.#queue.name, { connection, ...(prefix === undefined ? {} : { prefix }) });
    const isOver = ({ jobId }: { readonly jobId: string }): void => {
      if (!this.#open.has(jobId)) return;
      this.#told.add(jobId);
      this.#wake();
    };
    events.on('completed', isOver);
    events.on('failed', isOver);
    // A connection that is away: the jobs are looked at all the same.
    events.on('error', () => undefined);
    const onAbort = (): void => this.#wake();
    signal?.addEventListener('abort', onAbort);
    try {
      await this.#addAll([...this.#jobs.keys()], signal);
      let pause = FIRST_SWEEP_MS;
      for (let swept = Date.now(); this.#open.size > 0; ) {
        await this.#woken(swept + pause - Date.now());
        signal?.throwIfAborted();
        const isSweep = Date.now() >= swept + pause;
        const asked = isSweep ? [...this.#open.keys()] : [...this.#told];
        this.#told.clear();
        await this.#look(asked, ended, signal);
        if (!isSweep) continue;
        swept = Date.now();
        pause = Math.min(2 * pause, SWEEP_MS);
      }
    } finally {
      signal?.removeEventListener('abort', onAbort);
      // A server that is away is not waited for.
      await atMost(STOPPING_MS + AWAY_MS, Promise.allSettled([this.#withdraw(), events.close()]));
    }
  }

  async #addAll(numbers: readonly number[], signal: AbortSignal | undefined): Promise<void> {
    for (let at = 0; at < numbers.length; at += AT_ONCE) {
      const some = numbers.slice(at, at + AT_ONCE);
      for (const number of some) this.#addedBy[number] = (this.#addedBy[number] ?? 0) + 1;
      const jobs = some.map((number) => {
        const { id, name, data } = this.#jobs[number] as QueuedJob;
        return { name, data, opts: { ...this.#options, jobId: id } };
      });
      await this.#patiently(() => this.#queue.addBulk(jobs), signal);
    }
  }

  async #look(
    ids: readonly string[],
    ended: (number: number, end: JobEnd) => void,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      const some = ids.slice(at, at + AT_ONCE);
      const ends = await this.#patiently(() => Promise.all(some.map((id) => this.#endOf(id))), signal);
      const lost: number[] = [];
      for (const [index, end] of ends.entries()) {
        const id = some[index] as string;
        const number = this.#open.get(id);
        if (number === undefined || end === null) continue;
        if (end === 'lost') lost.push(number);
        else {
          this.#open.delete(id);
          // One that stays goes with its age.
          this.#queue.remove(id).catch(() => undefined);
          ended(number, end);
        }
      }
      for (const number of lost)
        if ((this.#addedBy[number] ?? 0) > this.#attempts)
          ended(number, {
            reason: 'its job was removed from the queue',
            code: 'ERR_REMOVED',
            attempts: this.#addedBy[number] ?? 0,
          });
      await this.#addAll(lost, signal);
    }
  }

  /** Null: it goes on. */
  async #endOf(id: string): Promise<JobEnd | 'lost' | null> {
    const job = (await this.#queue.getJob(id)) as Job<ScanJob, PartialState> | undefined;
    if (job === undefined) return 'lost';
    if (job.finishedOn === undefined) return null;
    const state = await job.getState();
    const attempts = Math.max(job.attemptsMade, job.stalledCounter);
    if (state === 'completed') return { state: job.returnvalue, attempts };
    return state === 'failed' ? { reason: job.failedReason, attempts } : null;
  }

  /** Removes what is left; what runs is told to stop, and removed then. */
  async #withdraw(): Promise<void> {
    const until = Date.now() + STOPPING_MS;
    let left = [...this.#open.keys()];
    while (left.length > 0) {
      const stays: string[] = [];
      for (let at = 0; at < left.length; at += AT_ONCE) {
        const some = left.slice(at, at + AT_ONCE);
        const areGone = await Promise.all(some.map((id) => this.#remove(id).catch(() => false)));
        for (const [index, id] of some.entries()) if (areGone[index] === false) stays.push(id);
      }
      left = stays;
      if (left.length === 0 || Date.now() > until) return;
      await later(STOPPED_MS);
    }
  }

  async #remove(id: string): Promise<boolean> {
    if ((await this.#queue.remove(id)) === 1) return true;
    const job = (await this.#queue.getJob(id)) as Job<ScanJob, PartialState> | undefined;
    if (job !== undefined && job.data.cancelled !== true) await job.updateData({ ...job.data, cancelled: true });
    return job === undefined;
  }

  /** Until something happens, `ms` at most. */
  async #woken(ms: number): Promise<void> {
    if (this.#told.size > 0 || ms <= 0) return;
    await new Promise<void>((done) => {
      const timer = setTimeout(done, ms);
      this.#wake = () => {
        clearTimeout(timer);
        done();
      };
    });
  }

  /** @throws what it throws, but not before a server that is away was waited for; the signal's reason. */
  async #patiently<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    for (const until = Date.now() + PATIENCE_MS; ; ) {
      try {
        return await orAborted(work(), signal);
      } catch (error) {
        signal?.throwIfAborted();
        if (!AWAY.test(String(error)) || this.#queue.closing !== undefined || Date.now() > until) throw error;
        await orAborted(later(AWAY_MS), signal);
      }
    }
  }
}

function later(ms: number): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, ms);
  });
}

async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise((done) => {
    timer = setTimeout(done, ms);
  });
  await Promise.race([work, over]);
  clearTimeout(timer);
}

/** @throws the signal's reason as soon as there is one. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  signal.throwIfAborted();
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_, fail) => {
    onAbort = () => {
      fail(signal.reason as Error);
    };
  });
  signal.addEventListener('abort', onAbort);
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
