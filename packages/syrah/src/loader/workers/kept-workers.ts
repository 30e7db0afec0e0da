// A loader's workers between two of its iterations: to start them costs more than many batches. They wait a while, keep
// no process alive meanwhile, and then end.
import type { WorkerPool } from './worker-pool.ts';

/**
 * After its first iteration nobody knows whether a loader gets another one: programs that make a loader for each epoch
 * must not gather threads.
 */
const IDLE_FIRST_MS = 1000;
/** Later: longer than most pauses between epochs. */
const IDLE_MS = 10_000;

export class KeptWorkers {
  #pool: WorkerPool | null = null;
  #timer: NodeJS.Timeout | undefined;
  #iterations = 0;
  #closed = false;

  get closed(): boolean {
    return this.#closed;
  }

  /** For an iteration that begins: those that wait, for the caller alone; null where there are none. */
  take(): WorkerPool | null {
    this.#iterations += 1;
    const pool = this.#release();
    if (pool?.isReusable !== false) return pool;
    void pool.close();
    return null;
  }

  /**
   * Keeps them for the next iteration, or ends them where there is none to come, some wait already, or they are not all
   * fit for it.
   */
  async keep(pool: WorkerPool): Promise<void> {
    if (this.#closed || this.#pool !== null || !pool.isReusable) return pool.close();
    this.#pool = pool;
    this.#timer = setTimeout(() => void this.#release()?.close(), this.#iterations > 1 ? IDLE_MS : IDLE_FIRST_MS);
    this.#timer.unref();
  }

  /** Ends those that wait; none are kept from now on. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#release()?.close();
  }

  #release(): WorkerPool | null {
    const pool = this.#pool;
    this.#pool = null;
    clearTimeout(this.#timer);
    return pool;
  }
}
