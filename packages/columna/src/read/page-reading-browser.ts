// The same names as page-reading.ts, loaded when a file is opened: while its footer is on the way.
import { LazyPart } from '@colkit/io/effects';
import type { Operation, Work } from '@colkit/io/effects';
import type { Chunk, ReadRequest } from '@colkit/table';
import type { StoredFile } from './file/stored-file.ts';
import type { ViewRequest } from './view-page.ts';

export const part = new LazyPart(() => import('./page-readers.ts'));

export const PAGE_READING: readonly Operation<unknown>[] = [part.operation];

export function* readRows(file: StoredFile, request: ReadRequest): Work<readonly Chunk[]> {
  return yield* (yield* part.use()).readRows(file, request);
}

export function* viewPage(file: StoredFile, column: number, request: ViewRequest): Work<Uint8Array> {
  return yield* (yield* part.use()).viewPage(file, column, request);
}
