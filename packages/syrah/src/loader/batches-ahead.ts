// The batches that a loader has asked for and not handed out, in order; and when it asks for more. On a busy machine
// whatever this thread does between two batches finds its caches cold: a message to a worker then costs more than a
// batch's copy. So a consumer that never waits asks for several batches at once; one that waits, for each as early as
// it may.
import type { BatchProducer } from './batch-producer.ts';
import type { BatchPlan } from './order/shard.ts';
import { buffersOf } from './workers/wire.ts';

/** A batch on its way. */
export interface AheadBatch {
  readonly result: Promise<unknown>;
  state: 'asked' | 'made' | 'failed';
  /** Once it is made. */
  value: unknown;
}

interface AheadOptions {
  readonly epoch: number;
  /** The first batch that is wanted. */
  readonly next: number;
  /** Most batches that are asked for while one is in use. */
  readonly prefetch: number;
  /** As many more where they are small: up to this number, which is `prefetch` where that was given. */
  readonly mostPrefetch: number;
  readonly workers: number;
}

/** Of all batches that are asked for, where they are small. */
const AHEAD_BYTES = 16 * 2 ** 20;

/** A batch that was there takes the promise's turns only. */
const WAITED_MS = 0.25;

/** After so many batches in a row that were there the consumer is taken for one that never waits. */
const ENOUGH_EARLY = 8;

export class BatchesAhead {
  readonly #producer: BatchProducer;
  readonly #plan: BatchPlan;
  readonly #options: AheadOptions;
  readonly #batches: AheadBatch[] = [];
  #next: number;
  #prefetch: number;
  #isMeasured: boolean;
  /** Batches in a row that were there when they were wanted. */
  #early = 0;

  constructor(producer: BatchProducer, plan: BatchPlan, options: AheadOptions) {
    this.#producer = producer;
    this.#plan = plan;
    this.#options = options;
    this.#next = options.next;
    this.#prefetch = options.prefetch;
    this.#isMeasured = options.mostPrefetch === options.prefetch;
  }

  /** Whether every batch was taken. */
  get isOver(): boolean {
    return this.#batches.length === 0 && this.#next >= this.#plan.batchCount;
  }

  /** The next batch, which is asked for where it was not. There is one: see `isOver`. */
  take(): AheadBatch {
    if (this.#batches.length === 0) this.#fill(Math.max(1, this.#prefetch), 1);
    return this.#batches.shift() as AheadBatch;
  }

  /** The next batch if it is made already. */
  takeMade(): AheadBatch | null {
    return this.#batches[0]?.state === 'made' ? this.take() : null;
  }

  /**
   * Once a batch is there: asks for more. How long it was waited for tells only when the next ones are asked for, never
   * what is in them.
   */
  refill(waitedMs: number): void {
    const prefetch = this.#prefetch;
    this.#early = waitedMs > WAITED_MS ? 0 : this.#early + 1;
    const patient = this.#producer.remote && this.#early >= Math.min(prefetch, ENOUGH_EARLY);
    if (!patient) this.#fill(prefetch, 1);
    else if (this.#batches.length <= prefetch / 2)
      this.#fill(prefetch, Math.max(1, Math.floor(prefetch / this.#options.workers)));
  }

  /** By the first batch, the others being much the same. */
  #measure(value: unknown): void {
    this.#isMeasured = true;
    let bytes = 0;
    for (const { byteLength } of buffersOf(value)) bytes += byteLength;
    this.#prefetch = Math.max(
      this.#prefetch,
      Math.min(this.#options.mostPrefetch, Math.floor(AHEAD_BYTES / Math.max(1, bytes))),
    );
  }

  /** @param together how many of them one worker may get in one message. */
  #fill(count: number, together: number): void {
    for (; this.#batches.length < count && this.#next < this.#plan.batchCount; this.#next += 1) {
      const { epoch } = this.#options;
      const batch: AheadBatch = {
        result: this.#producer.make(this.#plan.indicesOf(this.#next, epoch), epoch, together),
        state: 'asked',
        value: undefined,
      };
      batch.result.then(
        (value) => {
          batch.state = 'made';
          batch.value = value;
          if (!this.#isMeasured) this.#measure(value);
        },
        () => {
          batch.state = 'failed'; // told to the consumer when it gets there
        },
      );
      this.#batches.push(batch);
    }
  }
}
