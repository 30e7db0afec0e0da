// The same names as reading.ts, loaded when a file is opened: while its source is.
import { LazyPart } from '@colkit/io/effects';
import type { Operation, RangeSource, Work } from '@colkit/io/effects';
import type { FileLayout, ReadLayoutOptions } from './read-layout.ts';

export const part = new LazyPart(() => import('./read-layout.ts'));

export const LAYOUT_READING: readonly Operation<unknown>[] = [part.operation];

export function* readLayout(source: RangeSource, options: ReadLayoutOptions): Work<FileLayout> {
  return yield* (yield* part.use()).readLayout(source, options);
}
