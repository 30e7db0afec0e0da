// Others get their turn: a long piece of work on the thread of an event loop lets it go on now and then.

/** How long an awaiting form works before it lets others run. */
const TURN_MS = 8;

/** For loops whose awaits may all be over at once: `pass` lets others run whenever a turn has been used up. */
export class Turns {
  #since = performance.now();

  /** Whether `pass` would let others run. */
  get isOver(): boolean {
    return performance.now() - this.#since >= TURN_MS;
  }

  /** @throws the signal's reason. */
  async pass(signal?: AbortSignal): Promise<void> {
    if (this.isOver) {
      await nextTurn();
      this.#since = performance.now();
    }
    signal?.throwIfAborted();
  }
}

/** A turn of the event loop: setImmediate where there is one (Node), else a timer. */
export function nextTurn(): Promise<void> {
  const { setImmediate: soon } = globalThis as { setImmediate?: (callback: () => void) => unknown };
  return new Promise((resolve) => {
    if (soon === undefined) setTimeout(resolve, 0);
    else soon(resolve);
  });
}
