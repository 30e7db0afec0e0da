// Threads between two uses. One that starts has everything to compile and to open, which takes as long as much of its
// work; one that was at work before goes on at full speed. Those that wait keep no process alive, and after a while
// they end.
import type { Thread, ThreadOwner } from './thread.ts';

export interface KeptOptions {
  /** Most threads that wait; a thread too many ends at once. */
  readonly most?: number;
  /** How long one waits, asked when it begins to. */
  readonly idleMs: () => number;
}

export class KeptThreads implements ThreadOwner {
  readonly #options: KeptOptions;
  readonly #waiting = new Map<Thread, ReturnType<typeof setTimeout>>();
  #closed = false;

  constructor(options: KeptOptions) {
    this.#options = options;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** One that waits, for the caller alone; null where there is none. */
  take(): Thread | null {
    const [thread] = this.#waiting.keys();
    if (thread === undefined) return null;
    this.#forget(thread);
    return thread;
  }

  /** For another use: a thread that has answered everything it was asked. Resolves at once, or when it has ended. */
  async keep(thread: Thread): Promise<void> {
    const { most = Infinity, idleMs } = this.#options;
    if (this.#closed || this.#waiting.size >= most) return thread.end();
    thread.owner = this;
    thread.hold(false);
    const end = (): void => {
      this.#forget(thread);
      void thread.end();
    };
    const timer = setTimeout(end, idleMs());
    // In browsers it is a number, and keeps nothing alive.
    if (typeof timer === 'object') timer.unref();
    this.#waiting.set(thread, timer);
  }

  /** Ends those that wait; none are kept from now on. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    const threads = [...this.#waiting.keys()];
    for (const thread of threads) this.#forget(thread);
    await Promise.all(threads.map((thread) => thread.end()));
  }

  receive(): void {
    // that it is loaded or ready, which it knows itself
  }

  ended(thread: Thread): void {
    this.#forget(thread);
  }

  #forget(thread: Thread): void {
    clearTimeout(this.#waiting.get(thread));
    this.#waiting.delete(thread);
    thread.owner = null;
  }
}
