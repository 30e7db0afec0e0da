// From a path, URL, bytes, Blob or source to an open table, and the functions that only look at the header. Wires io ->
// layout -> columns.
import { IoError, SOURCE_OPTIONS, UnsupportedError, checkOptions, option, pickOptions } from '@colkit/io';
import type { OpenSourceOptions, OptionSet, Openable, RandomAccessSource } from '@colkit/io';
import { contextOf, openedSource, run, runSync, withSource } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { EXPECT_OPTIONS } from '@colkit/table';
import type { ExpectOptions, Field } from '@colkit/table';
import { StoredTable } from './columns/stored-table.ts';
import { infoOf, schemaOf } from './info.ts';
import type { FileInfo } from './info.ts';
import { readLayout, readStatistics } from './layout/read-layout.ts';
import { verifyLayout } from './layout/verify.ts';

export interface OpenOptions extends OpenSourceOptions, ExpectOptions {
  /** Most threads of one read of this table; default: what `setMaxWorkers` set. */
  readonly maxWorkers?: number;
  /**
   * Also demand what readers may ignore: zeros in padding, nothing behind the data but sound statistics, bool items of
   * 0 and 1, code points in U items. Reads the bool and U columns. Changed numbers are not found: the format has no
   * checksum over values.
   */
  readonly verify?: boolean;
}

export const OPEN_OPTIONS: OptionSet<OpenOptions> = {
  ...SOURCE_OPTIONS,
  ...EXPECT_OPTIONS,
  maxWorkers: option.count('threads', 1),
  verify: option.flag,
};

/** Opens a file as a TableSource, which owns the source. @throws as `open`. */
export async function openTable(source: Openable, options: OpenOptions = {}): Promise<StoredTable> {
  checkOptions('open', OPEN_OPTIONS, options);
  return run(opening(source, options), contextOf(options));
}

export function openTableSync(source: Openable, options: OpenOptions = {}): StoredTable {
  checkOptions('openSync', OPEN_OPTIONS, options);
  return runSync(opening(source, options), contextOf(options));
}

/** The same file as it is now. @throws as `ColStore.reload`. */
export function* reopening(stored: StoredTable, operation: string): Work<StoredTable> {
  const { source, layout } = stored.opened(operation);
  const again = source.reopen();
  if (again === null)
    throw new UnsupportedError(
      'ERR_FEATURE',
      operation,
      `${layout.path}: only this thread has what it is read from, and cannot open it again: call open() with it`,
    );
  const next = yield* openedSource(again, {});
  try {
    const now = yield* readLayout(next);
    const isSame =
      now.columns.length === layout.columns.length &&
      now.columns.every(({ name, descr }, column) => {
        const before = layout.columns[column];
        return before?.name === name && before.descr === descr;
      });
    if (!isSame)
      throw new IoError(
        'ERR_FILE_CHANGED',
        operation,
        layout.path,
        'a file with other columns is in its place: call open() with the path',
      );
    return new StoredTable(next, now, stored.options);
  } catch (error) {
    next.close();
    throw error;
  }
}

/** What the file says of itself, statistics included; nothing stays open. @throws as `open`. */
export async function info(source: Openable, options: OpenSourceOptions = {}): Promise<FileInfo> {
  checkOptions('info', SOURCE_OPTIONS, options);
  return run(readingInfo(source, options), contextOf(options));
}

export function infoSync(source: Openable, options: OpenSourceOptions = {}): FileInfo {
  checkOptions('infoSync', SOURCE_OPTIONS, options);
  return runSync(readingInfo(source, options), contextOf(options));
}

/** Names and types of the columns, in order; nothing stays open. @throws as `open`. */
export async function schema(source: Openable, options: OpenSourceOptions = {}): Promise<readonly Field[]> {
  checkOptions('schema', SOURCE_OPTIONS, options);
  return run(readingSchema(source, options), contextOf(options));
}

export function schemaSync(source: Openable, options: OpenSourceOptions = {}): readonly Field[] {
  checkOptions('schemaSync', SOURCE_OPTIONS, options);
  return runSync(readingSchema(source, options), contextOf(options));
}

function opening(what: Openable, options: OpenOptions): Work<StoredTable> {
  return withSource(what, openedSource(what, pickOptions(SOURCE_OPTIONS, options)), 'keep', (source) =>
    readTable(source, options),
  );
}

function* readTable(source: RandomAccessSource, options: OpenOptions): Work<StoredTable> {
  const layout = yield* readLayout(source);
  if (options.verify === true) yield* verifyLayout(source, layout);
  return new StoredTable(source, layout, tableOptions(options));
}

function readingInfo(what: Openable, options: OpenSourceOptions): Work<FileInfo> {
  return withSource(what, openedSource(what, pickOptions(SOURCE_OPTIONS, options)), 'close', readInfo);
}

function* readInfo(source: RandomAccessSource): Work<FileInfo> {
  const layout = yield* readLayout(source);
  return infoOf(layout, yield* readStatistics(source, layout));
}

function readingSchema(what: Openable, options: OpenSourceOptions): Work<readonly Field[]> {
  return withSource(what, openedSource(what, pickOptions(SOURCE_OPTIONS, options)), 'close', readSchema);
}

function* readSchema(source: RandomAccessSource): Work<readonly Field[]> {
  return schemaOf(yield* readLayout(source));
}

function tableOptions({ backend, maxWorkers }: OpenOptions): {
  backend?: 'auto' | 'native' | 'js';
  maxWorkers?: number;
} {
  return { ...(backend === undefined ? {} : { backend }), ...(maxWorkers === undefined ? {} : { maxWorkers }) };
}
