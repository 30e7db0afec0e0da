// The same names as columns-reading.ts, loaded when a file is opened.
import { LazyPart } from '@colkit/io/effects';
import type { Operation, Work } from '@colkit/io/effects';
import type { columnsOfSource as ofSource } from './read-source.ts';

export const columns = new LazyPart(() => import('./read-source.ts'));

export const COLUMN_READING: readonly Operation<unknown>[] = [columns.operation];

export function* columnsOfSource(...given: Parameters<typeof ofSource>): Work<unknown> {
  return yield* (yield* columns.use()).columnsOfSource(...given);
}
