// create, recreate, update: a path -> a streaming writer. A new file grows beside its name (PATH.partial) and gets it
// with its first committed rows, so that whoever opens the path finds the old file or one with rows; a file that is
// updated grows where it is. All of them hold the locks of the file, that of other programs (flock) among them, before
// anything is changed.
import { IoError, UnsupportedError, checkOptions, filePath, option, optionsNow } from '@colkit/io';
import type { OptionSet } from '@colkit/io';
import { filesOf, reserve } from '@colkit/io/durable';
import type { Ending, GrowingFile, Reservation } from '@colkit/io/durable';
import { perform, run, runSync } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { withLayout } from '../layout/open-layout.ts';
import type { OpenedLayout } from '../layout/open-layout.ts';
import { readFooter } from '../layout/read-layout.ts';
import type { FileLayout } from '../layout/read-layout.ts';
import { flagsOf } from '../layout/write-statistics.ts';
import { FooterBuilder } from '../write/footer-builder.ts';
import { ColStoreWriter } from './record-writer.ts';
import type { Committed } from './record-writer.ts';

export interface StreamOptions {
  /**
   * Whether each checkpoint ends with a statistics footer: smallest and largest value of every column in every record,
   * by which `where` passes over records. Default: false for a new file; of a file that is updated, whether it has one.
   * With false, `update` drops the footer; with true, records of which nothing is known stay unknown.
   */
  readonly statistics?: boolean;
  /**
   * 'full', the default: what was committed survives a power failure. 'none' does not wait for the disk: it survives
   * the death of the process only.
   */
  readonly durability?: 'full' | 'none';
}

export const STREAM_OPTIONS: OptionSet<StreamOptions> = {
  statistics: option.flag,
  durability: option.word('full', 'none'),
};

/**
 * Starts a file of records; nothing is at the path before the first checkpoint, or `close()`. Memory: a piece of about
 * 8 MiB, whatever the number and size of the records.
 * @throws IoError ERR_EXISTS (also for what a dead writer left), ERR_LOCKED, ERR_WRITE; ArgumentError.
 */
export async function create(path: string | URL, options: StreamOptions = {}): Promise<ColStoreWriter> {
  checkOptions('create', STREAM_OPTIONS, options);
  return run(creating(path, optionsNow(options), false));
}

/** The Sync twin of `create`. The writer's calls have both forms either way. */
export function createSync(path: string | URL, options: StreamOptions = {}): ColStoreWriter {
  checkOptions('createSync', STREAM_OPTIONS, options);
  return runSync(creating(path, options, false));
}

/**
 * As `create`, in place of what is at the path: the old file stays until the first checkpoint, or `close()`, puts the
 * new one in its place in one step. @throws as `create`, but for ERR_EXISTS.
 */
export async function recreate(path: string | URL, options: StreamOptions = {}): Promise<ColStoreWriter> {
  checkOptions('recreate', STREAM_OPTIONS, options);
  return run(creating(path, optionsNow(options), true));
}

export function recreateSync(path: string | URL, options: StreamOptions = {}): ColStoreWriter {
  checkOptions('recreateSync', STREAM_OPTIONS, options);
  return runSync(creating(path, options, true));
}

/**
 * Goes on with a file of records (layout 'records', as today's Python releases write it). Bytes that a dead writer left
 * behind the committed ones are cut first. Readers that have the file open keep the rows that they have.
 * @throws IoError ERR_NOT_FOUND, ERR_LOCKED (a writer of any program has it), ERR_WRITE; CorruptFileError;
 * UnsupportedError ERR_FEATURE for a flat file, and one of older releases; ArgumentError.
 */
export async function update(path: string | URL, options: StreamOptions = {}): Promise<ColStoreWriter> {
  checkOptions('update', STREAM_OPTIONS, options);
  return run(updating(path, optionsNow(options)));
}

export function updateSync(path: string | URL, options: StreamOptions = {}): ColStoreWriter {
  checkOptions('updateSync', STREAM_OPTIONS, options);
  return runSync(updating(path, options));
}

/** Beside the file, while it is compacted. */
export const COMPACTING: Ending = '.compacting';

function* removeLeftovers(reserved: Reservation, endings: readonly Ending[]): Work<void> {
  for (const ending of endings) yield* perform(reserved.remove(ending));
}

const isDurable = ({ durability }: StreamOptions): boolean => durability !== 'none';

function* creating(path: string | URL, options: StreamOptions, replaces: boolean): Work<ColStoreWriter> {
  try {
    return yield* creatingAt(path, options, replaces);
  } catch (error) {
    throw error instanceof IoError && error.code === 'ERR_EXISTS' ? inTheWay(error) : error;
  }
}

/** With what helps here. */
function inTheWay(error: IoError): IoError {
  const why = error.path.endsWith('.partial')
    ? 'a writer that died left this file: recover(path) makes a whole file of it, recreate(path) throws it away'
    : 'it exists already: recreate(path) replaces it, update(path) goes on with it';
  return new IoError('ERR_EXISTS', 'create', error.path, why, error);
}

function* creatingAt(path: string | URL, options: StreamOptions, replaces: boolean): Work<ColStoreWriter> {
  const reserved = yield* perform(
    reserve(path, {
      to: replaces ? 'replace' : 'new',
      durable: isDurable(options),
      operations: filesOf(options),
      flock: true,
    }),
  );
  let file: GrowingFile | null = null;
  try {
    if (replaces) yield* removeLeftovers(reserved, ['.partial', COMPACTING]);
    file = yield* perform(reserved.create('.partial'));
    yield* perform(file.lock());
    return newWriter(filePath(path), reserved, file, options.statistics === true);
  } catch (error) {
    yield* giveBack(reserved, file, file !== null);
    throw error;
  }
}

function newWriter(path: string, reserved: Reservation, file: GrowingFile, statistics: boolean): ColStoreWriter {
  return new ColStoreWriter({
    path,
    file,
    columns: null,
    before: null,
    statistics: statistics ? (columns) => new FooterBuilder(columns, null) : null,
    publish: () => publish(path, reserved, file),
    finish: (isPublished) => finish(reserved, file, isPublished),
    discard: (_, isPublished) => giveBack(reserved, file, !isPublished),
  });
}

function* publish(path: string, reserved: Reservation, file: GrowingFile): Work<void> {
  yield* perform(reserved.publish());
  file.setPath(path);
}

function* updating(path: string | URL, options: StreamOptions): Work<ColStoreWriter> {
  const reserved = yield* perform(
    reserve(path, { to: 'grow', durable: isDurable(options), operations: filesOf(options), flock: true }),
  );
  let file: GrowingFile | null = null;
  try {
    yield* removeLeftovers(reserved, [COMPACTING]);
    file = yield* perform(reserved.open(''));
    return yield* startUpdate(filePath(path), reserved, file, options);
  } catch (error) {
    yield* giveBack(reserved, file, false);
    throw error;
  }
}

function* startUpdate(
  path: string,
  reserved: Reservation,
  file: GrowingFile,
  { statistics }: StreamOptions,
): Work<ColStoreWriter> {
  const { layout, footer } = yield* committedFile(reserved.path, path);
  const known = footer === null ? null : flagsOf(footer, layout.columns, layout.bodyOffsets.length);
  const before: Committed = {
    rowCount: layout.rowCount,
    recordCount: layout.bodyOffsets.length,
    dataEnd: layout.endOffset,
    byteLength: known === null ? layout.endOffset : layout.byteLength,
    footer: known === null ? null : footer,
  };
  if (before.byteLength < layout.byteLength) yield* perform(file.cut(before.byteLength));
  return new ColStoreWriter({
    path,
    file,
    columns: layout.columns,
    before,
    statistics: (statistics ?? known !== null) ? (columns) => new FooterBuilder(columns, known) : null,
    publish: nothing,
    finish: (isPublished) => finish(reserved, file, isPublished),
    discard: () => giveBack(reserved, file, false),
  });
}

/** @param given as the caller named the path. */
function committedFile(
  path: string,
  given: string,
): Work<{ readonly layout: FileLayout; readonly footer: Uint8Array | null }> {
  return withLayout(path, { io: 'pread' }, (opened) => readCommitted(opened, given));
}

function* readCommitted(
  { source, layout }: OpenedLayout,
  given: string,
): Work<{ readonly layout: FileLayout; readonly footer: Uint8Array | null }> {
  if (layout.wire !== 'records-64') throw notUpdatable(given, layout);
  return { layout, footer: yield* readFooter(source, layout) };
}

function notUpdatable(path: string, { wire }: FileLayout): UnsupportedError {
  const what = wire === 'records-32' ? 'records of an older release' : 'a flat file, which has no room for more rows';
  return new UnsupportedError(
    'ERR_FEATURE',
    `update of ${wire}`,
    `${path}: only files of today's records layout grow, and this is ${what}; ` +
      "upgrade(path, { layout: 'records' }) makes it one",
  );
}

function* finish(reserved: Reservation, file: GrowingFile, isPublished: boolean): Work<void> {
  if (!isPublished) return yield* giveBack(reserved, file, true);
  yield* perform(reserved.requireInPlace());
  yield* perform(file.close());
  yield* perform(reserved.release());
}

/** Never throws: there is an error already, or nothing that a caller could do. */
function* giveBack(reserved: Reservation, file: GrowingFile | null, removes: boolean): Work<void> {
  try {
    if (file !== null) yield* perform(file.close());
    if (removes) yield* perform(reserved.remove('.partial'));
  } catch {
    // The descriptor is gone either way.
  }
  yield* perform(reserved.release());
}

function* nothing(): Work<void> {}
