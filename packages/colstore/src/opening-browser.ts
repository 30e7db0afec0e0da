// The same names as opening.ts, loaded when a file is opened: while its source is.
import { SOURCE_OPTIONS, pickOptions } from '@colkit/io';
import type { Openable, RandomAccessSource } from '@colkit/io';
import { LazyPart, begin, openedSource, wait, withSource } from '@colkit/io/effects';
import type { Begun, Work } from '@colkit/io/effects';
import { TABLE_READING } from '@colkit/table';
import type { Field } from '@colkit/table';
import type { FileInfo } from './info.ts';
import { givenFiles } from './many/given-files.ts';
import type { ManyOpenable } from './many/given-files.ts';
import type { InfoOptions, OpenOptions } from './open-options.ts';
import type { OpenedTable } from './opened-table.ts';

type Opening = typeof import('./opened-table.ts');

export const part = new LazyPart<Opening>(() => import('./opened-table.ts'));

export function* openedTable(what: ManyOpenable, options: OpenOptions): Work<OpenedTable> {
  yield* givenFiles(what);
  const one = what as Openable;
  const loading = yield* begin(part.operation);
  const others: Begun<unknown>[] = [];
  for (const other of TABLE_READING) others.push(yield* begin(other));
  const opening = openedSource(one, pickOptions(SOURCE_OPTIONS, options));
  const table = yield* withSource(one, opening, 'keep', (source) => openedOver(one, source, options, loading));
  for (const other of others) yield* wait(other);
  return table;
}

function* openedOver(
  what: Openable,
  source: RandomAccessSource,
  options: OpenOptions,
  loading: Begun<Opening>,
): Work<OpenedTable> {
  return yield* (yield* wait(loading)).tableOver(what, source, options);
}

export function* reopening(table: OpenedTable, operation: string): Work<OpenedTable> {
  return yield* (yield* part.use()).reopening(table, operation);
}

export function* infoOfTable(table: OpenedTable, operation: string): Work<FileInfo> {
  return yield* (yield* part.use()).infoOfTable(table, operation);
}

export function* readingInfo(what: ManyOpenable, options: InfoOptions): Work<FileInfo> {
  return yield* (yield* part.use()).readingInfo(what, options);
}

export function* readingSchema(what: ManyOpenable, options: InfoOptions): Work<readonly Field[]> {
  return yield* (yield* part.use()).readingSchema(what, options);
}
