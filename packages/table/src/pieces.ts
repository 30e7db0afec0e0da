// Long conversions are written as generators that yield between pieces: the Sync forms run them through, the async forms let the event loop have a turn now and then.

/** Rows that are converted between two yields: a millisecond or so. */
export const PIECE_ROWS = 16_384;
/** How long an async form works before it lets others run. */
const TURN_MS = 8;

export type Pieces<T> = Generator<undefined, T, undefined>;

/** Runs all pieces at once. */
export function runNow<T>(pieces: Pieces<T>): T {
  for (;;) {
    const step = pieces.next();
    if (step.done === true) return step.value;
  }
}

/** For async loops whose awaits may all be over at once: `pass` lets others run whenever a turn has been used up. */
export class Turns {
  #since = performance.now();

  /** Whether `pass` would let others run. */
  get isOver(): boolean {
    return performance.now() - this.#since >= TURN_MS;
  }

  async pass(signal?: AbortSignal): Promise<void> {
    if (this.isOver) {
      await nextTurn();
      this.#since = performance.now();
    }
    signal?.throwIfAborted();
  }
}

/** Runs the pieces and gives up the thread between them whenever a turn has been used up. Rejects with the signal's reason. */
export async function runInTurns<T>(pieces: Pieces<T>, signal?: AbortSignal): Promise<T> {
  const turns = new Turns();
  for (;;) {
    const step = pieces.next();
    if (step.done === true) return step.value;
    if (turns.isOver) await turns.pass(signal);
  }
}

/** A turn of the event loop: setImmediate where there is one (Node), else a timer. */
function nextTurn(): Promise<void> {
  const { setImmediate: soon } = globalThis as { setImmediate?: (callback: () => void) => unknown };
  return new Promise((resolve) => {
    if (soon === undefined) setTimeout(resolve, 0);
    else soon(resolve);
  });
}
