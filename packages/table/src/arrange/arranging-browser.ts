// The same names as arranging.ts, loaded when a view with an order is first read.
import { LazyPart } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import type { arrangedRows as Arranged } from './arrange-rows.ts';

const part = new LazyPart(() => import('./arrange-rows.ts'));

type Rows = ReturnType<typeof Arranged> extends Work<infer R> ? R : never;

export function* arrangedRows(...asked: Parameters<typeof Arranged>): Work<Rows> {
  const { arrangedRows: arranged } = yield* part.use();
  return yield* arranged(...asked);
}
