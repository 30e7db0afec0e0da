// What an iterable of somebody else's gives, until a signal aborts: that does not wait for what may never come.
import { unlessAborted } from '../source/http/http-waits.ts';

/** @throws what the signal tells, at once; what the iterable throws. */
export async function* untilAborted<T>(
  items: AsyncIterable<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T, void, undefined> {
  const signals = signal === undefined ? [] : [signal];
  const iterator = items[Symbol.asyncIterator]();
  let isWaiting = false;
  try {
    for (;;) {
      isWaiting = true;
      const next = await unlessAborted(iterator.next(), signals);
      isWaiting = false;
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    const ended = iterator.return?.();
    // One that is still waited for ends when it likes, and its failure is nobody's.
    if (isWaiting) ended?.catch(() => undefined);
    else await ended;
  }
}
