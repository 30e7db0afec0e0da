// Opening a source, using it, and who closes it.
import { isSource } from '../source/own-source.ts';
import type { Openable } from '../source/open-other-source.ts';
import type { RandomAccessSource } from '../source/source.ts';
import type { Work } from './effect.ts';

/**
 * Uses a source that was opened (`openedSource`) of `what`. A source that was passed in stays the caller's; one that
 * was opened is closed where `use` fails, and with 'close' in any case.
 */
export function* withSource<T>(
  what: Openable,
  opening: Work<RandomAccessSource>,
  after: 'keep' | 'close',
  use: (source: RandomAccessSource) => Work<T>,
): Work<T> {
  const source = yield* opening;
  let isDone = false;
  try {
    const result = yield* use(source);
    isDone = true;
    return result;
  } finally {
    if (!isSource(what) && (!isDone || after === 'close')) source.close();
  }
}
