// The same name as verifying.ts, loaded with the first `open` that verifies.
import { LazyPart } from '@colkit/io/effects';
import type { RangeSource, Work } from '@colkit/io/effects';
import type { FileLayout } from './read-layout.ts';

const part = new LazyPart(() => import('./verify.ts'));

export function* verifyLayout(source: RangeSource, layout: FileLayout): Work<void> {
  yield* (yield* part.use()).verifyLayout(source, layout);
}
