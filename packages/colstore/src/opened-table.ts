// What is open behind a table of a file, or of several: how it is opened, opened again, and what it says of itself.
// Wires io -> layout -> columns -> many.
import { ClosedError, IoError, SOURCE_OPTIONS, UnsupportedError, isSource, pickOptions } from '@colkit/io';
import type { Openable, RandomAccessSource } from '@colkit/io';
import { withSource } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import type { Field } from '@colkit/table';
import { StoredTable } from './columns/stored-table.ts';
import { infoOf, infoOfMany } from './info.ts';
import type { FileInfo } from './info.ts';
import { openLayout, relyOnCommitted, sourceOf } from './layout/open-layout.ts';
import type { OpenedLayout } from './layout/open-layout.ts';
import { readLayout, readStatistics } from './layout/read-layout.ts';
import { verifyLayout } from './layout/verifying.ts';
import { givenFiles } from './many/given-files.ts';
import type { ManyOpenable } from './many/given-files.ts';
import { openMany } from './many/many-files.ts';
import type { ManyFiles, ManyFilesOptions } from './many/many-files.ts';
import type { InfoOptions, OpenOptions } from './open-options.ts';

/** What is open behind a ColStore: one file, or several. */
export type OpenedTable = StoredTable | ManyFiles;

/** The same file as it is now. @throws as `ColStore.reload`. */
export function* reopening(table: OpenedTable, operation: string): Work<OpenedTable> {
  if (table instanceof StoredTable) return yield* reopeningFile(table, operation);
  if (table.closed) throw new ClosedError(operation, table.name);
  const now = yield* table.again();
  if (sameFields(now.fields, table.fields) || table.rowCount === 0) return now;
  now.close();
  throw changed(operation, table.name);
}

function sameFields(now: readonly Field[], before: readonly Field[]): boolean {
  return (
    now.length === before.length &&
    now.every(({ name, dtype }, column) => name === before[column]?.name && dtype === before[column].dtype)
  );
}

function changed(operation: string, path: string): IoError {
  const why = 'a file with other columns is in its place: call open() with the path';
  return new IoError('ERR_FILE_CHANGED', operation, path, why);
}

function* reopeningFile(stored: StoredTable, operation: string): Work<StoredTable> {
  const { source, layout } = stored.opened(operation);
  const again = source.reopen();
  const why = source.whyNotReopened ?? 'only this thread has what it is read from, and cannot open it again';
  if (again === null)
    throw new UnsupportedError('ERR_FEATURE', operation, `${layout.path}: ${why}: call open() with it`);
  const opened = yield* openLayout(again, {});
  const { source: next, layout: now } = opened;
  try {
    const isSame =
      now.columns.length === layout.columns.length &&
      now.columns.every(({ name, descr }, column) => {
        const before = layout.columns[column];
        return before?.name === name && before.descr === descr;
      });
    if (!isSame) throw changed(operation, layout.path);
    relyOnCommitted(null, opened);
    return new StoredTable(next, now, stored.options);
  } catch (error) {
    next.close();
    throw error;
  }
}

/** What an opened table says of itself. */
export function* infoOfTable(table: OpenedTable, operation: string): Work<FileInfo> {
  if (table instanceof StoredTable) {
    const { layout, source } = table.opened(operation);
    return infoOf(layout, yield* readStatistics(source, layout));
  }
  if (table.closed) throw new ClosedError(operation, table.name);
  const statistics = yield* table.statistics();
  const files = table.layouts.map((layout, number) => infoOf(layout, statistics[number] ?? null));
  const names = table.fields.map(({ name }) => name);
  return infoOfMany(table.name, files, names, table.dropped);
}

/** What `open` opens, as a work. */
export function* openedTable(what: ManyOpenable, options: OpenOptions): Work<OpenedTable> {
  const given = yield* givenFiles(what);
  if (given !== null) return yield* openMany(given, manyOptions(options), () => openedTable(what, options));
  const one = what as Openable;
  const opened = yield* openLayout(one, pickOptions(SOURCE_OPTIONS, options));
  return yield* withSource(one, sourceOf(opened), 'keep', () => tableOf(one, opened, options));
}

/** The same of a file whose source was opened; whoever did so closes it where this fails. */
export function* tableOver(what: Openable, source: RandomAccessSource, options: OpenOptions): Work<StoredTable> {
  return yield* tableOf(what, { source, layout: yield* readLayout(source) }, options);
}

function* tableOf(what: Openable, opened: OpenedLayout, options: OpenOptions): Work<StoredTable> {
  const { source, layout } = opened;
  if (options.verify === true) yield* verifyLayout(source, layout);
  relyOnCommitted(what, opened);
  return new StoredTable(source, layout, tableOptions(options));
}

/** What `info` tells; nothing stays open. */
export function* readingInfo(what: ManyOpenable, options: InfoOptions): Work<FileInfo> {
  const table = yield* openedTable(what, options);
  try {
    return yield* infoOfTable(table, 'info');
  } finally {
    if (!isSource(what)) table.close();
  }
}

/** What `schema` tells; nothing stays open. */
export function* readingSchema(what: ManyOpenable, options: InfoOptions): Work<readonly Field[]> {
  const table = yield* openedTable(what, options);
  if (!isSource(what)) table.close();
  return table.fields.map(({ name, dtype, nullable }) => ({ name, dtype, nullable }));
}

function manyOptions(options: OpenOptions): ManyFilesOptions {
  const source = pickOptions(SOURCE_OPTIONS, options);
  const { onMismatch = 'strict', verify = false } = options;
  return { onMismatch, verify, source, table: tableOptions(options) };
}

function tableOptions({ backend, maxWorkers }: OpenOptions): {
  backend?: 'auto' | 'native' | 'js';
  maxWorkers?: number;
} {
  return { ...(backend === undefined ? {} : { backend }), ...(maxWorkers === undefined ? {} : { maxWorkers }) };
}
