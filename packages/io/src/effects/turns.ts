// Others get their turn: work on the thread of an event loop lets it go on now and then. One clock for all works of a
// thread: many short ones, each awaited, may hold it up as long as a long one does.
import { nextTurn } from '../backend/timers.ts';

/** How long awaiting forms work before they let others run. */
const TURN_MS = 8;

let since = 0;
let isCounted = false;

/** Whether works were at it for so long that others are to run; from the first call in a turn of the event loop on. */
export function isTurnOver(mostMs = TURN_MS): boolean {
  const now = performance.now();
  if (isCounted) return now - since >= mostMs;
  isCounted = true;
  since = now;
  void nextTurn().then(() => {
    isCounted = false;
  });
  return false;
}

/**
 * Lets others run where a turn is over; for loops that may never wait. There is nothing to wait for where it is not.
 * @throws the signal's reason.
 */
export function passTurn(signal?: AbortSignal): Promise<void> | void {
  if (isTurnOver()) return nextTurn().then(() => signal?.throwIfAborted());
  signal?.throwIfAborted();
}
