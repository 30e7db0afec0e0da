// What an iterable of somebody else's gives, until a signal aborts: that does not wait for what may never come.
import { unlessAborted } from '../source/http/http-waits.ts';

/** What is needed of a `ReadableStream`; those of Safari are no iterables. */
interface Stream<T> {
  getReader(): { read(): Promise<IteratorResult<T, T | undefined>>; cancel(): Promise<void> };
}

/** Whether its items are awaited one after the other: an iterable, or a stream. */
export function isAwaited(items: unknown): items is AsyncIterable<unknown> {
  return typeof items === 'object' && items !== null && (Symbol.asyncIterator in items || 'getReader' in items);
}

/** Items that can be iterated: of a stream that is no iterable what its reader gives, others as they are. */
export function iterated<T extends Iterable<unknown> | AsyncIterable<unknown>>(items: T): T {
  if (Symbol.asyncIterator in items || !('getReader' in items)) return items;
  const stream = items as unknown as Stream<unknown>;
  return { [Symbol.asyncIterator]: () => streamItems(stream) } as unknown as T;
}

/** @throws what the signal tells, at once; what the iterable throws. */
export async function* untilAborted<T>(
  items: AsyncIterable<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T, void, undefined> {
  const signals = signal === undefined ? [] : [signal];
  const iterator = iterated(items)[Symbol.asyncIterator]();
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

/** As the iterator of a stream, where it has one: who ends early cancels it. */
function streamItems<T>(stream: Stream<T>): AsyncIterator<T, unknown> {
  const reader = stream.getReader();
  return {
    next: () => reader.read(),
    return: async () => {
      await reader.cancel();
      return { done: true, value: undefined };
    },
  };
}
