// The same name as filling.ts, loaded with the first `write` that asks for statistics.
import { LazyPart } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';

const part = new LazyPart(() => import('./fill-file.ts'));
type Fill = typeof import('./fill-file.ts').fillFile;

export function* fillFile(...given: Parameters<Fill>): Work<void> {
  yield* (yield* part.use()).fillFile(...given);
}
