// A loader's workers between two of its iterations: to start them costs more than many batches. They wait a while, keep no process alive meanwhile, and then end.
import type { WorkerPool } from './worker-pool.ts';

/** Longer than most pauses between epochs; workers that are started again cost 20 to 50 ms. */
const IDLE_MS = 10_000;

export class KeptWorkers {
  #pool: WorkerPool | null = null;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  get closed(): boolean {
    return this.#closed;
  }

  /** Those that wait, for the caller alone; null where there are none. */
  take(): WorkerPool | null {
    const pool = this.#pool;
    this.#pool = null;
    clearTimeout(this.#timer);
    if (pool?.idle !== false) return pool;
    void pool.close();
    return null;
  }

  /** Keeps them for the next iteration, or ends them where there is none to come, some wait already, or not all of them live. */
  async keep(pool: WorkerPool): Promise<void> {
    if (this.#closed || this.#pool !== null || !pool.idle) return pool.close();
    this.#pool = pool;
    this.#timer = setTimeout(() => void this.take()?.close(), IDLE_MS);
    this.#timer.unref();
  }

  /** Ends those that wait; none are kept from now on. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.take()?.close();
  }
}
