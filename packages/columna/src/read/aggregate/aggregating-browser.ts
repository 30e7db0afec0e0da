// The same name as aggregating.ts, loaded when an aggregate is first asked for.
import { LazyPart } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import type { aggregatePages as Aggregating } from './aggregate-pages.ts';

const part = new LazyPart(() => import('./aggregate-pages.ts'));

export function* aggregatePages(...asked: Parameters<typeof Aggregating>): Work<void> {
  yield* (yield* part.use()).aggregatePages(...asked);
}
