// Waiting for what others may wait for too, until one's own signal says to give up.

interface Listened {
  readonly fails: Set<(reason: unknown) => void>;
  readonly aborted: () => void;
}

/** One listener a signal, however many wait with it: Node warns of more than ten. */
export class Aborts {
  readonly #signals = new Map<AbortSignal, Listened>();

  /** @throws what the work throws; the signal's reason, at once. */
  async unlessAborted(work: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
    if (signal === undefined) {
      await work;
      return;
    }
    const listened = this.#listen(signal);
    let fail: ((reason: unknown) => void) | undefined;
    try {
      await new Promise<unknown>((done, failed) => {
        fail = failed;
        listened.fails.add(failed);
        work.then(done, failed);
      });
    } finally {
      if (fail !== undefined) listened.fails.delete(fail);
      if (listened.fails.size === 0) {
        signal.removeEventListener('abort', listened.aborted);
        this.#signals.delete(signal);
      }
    }
  }

  #listen(signal: AbortSignal): Listened {
    const known = this.#signals.get(signal);
    if (known !== undefined) return known;
    const fails = new Set<(reason: unknown) => void>();
    const aborted = (): void => {
      for (const fail of fails) fail(signal.reason);
    };
    const listened = { fails, aborted };
    this.#signals.set(signal, listened);
    signal.addEventListener('abort', aborted);
    return listened;
  }
}
