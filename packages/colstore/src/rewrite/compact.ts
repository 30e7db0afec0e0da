// compact, upgrade: a file -> the same rows as one record, or in another layout.
import { checkOptions, option, optionsNow } from '@colkit/io';
import type { OptionSet } from '@colkit/io';
import { contextOf, openedSource, run, runSync, withSource } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { infoOf } from '../info.ts';
import type { FileInfo } from '../info.ts';
import { readLayout, readStatistics } from '../layout/read-layout.ts';
import type { RandomAccessSource } from '@colkit/io';
import type { FileForm } from '../write/plan-file.ts';
import { copyFile, isInPlace, rewriteRows, withLocked } from './rewrite-file.ts';
import type { LockedFile } from './rewrite-file.ts';
import { REWRITE_OPTIONS } from './rewrite-options.ts';
import type { RewriteOptions } from './rewrite-options.ts';

/**
 * Makes one record of all: reads of it copy consecutive bytes, and views reach over all rows. The layout stays, a
 * statistics footer goes; records without rows are dropped. A file of one record stays as it is, or is copied to `out`
 * byte for byte. Memory: a piece of about 8 MiB. Writers are kept out meanwhile; readers that have the file open go on
 * with the old one.
 * @returns what the new file says of itself.
 * @throws IoError ERR_NOT_FOUND, ERR_LOCKED, ERR_EXISTS, ERR_WRITE; CorruptFileError; ArgumentError.
 */
export async function compact(path: string | URL, options: RewriteOptions = {}): Promise<FileInfo> {
  checkOptions('compact', REWRITE_OPTIONS, options);
  return run(compacting(path, optionsNow(options)), contextOf(options));
}

export function compactSync(path: string | URL, options: RewriteOptions = {}): FileInfo {
  checkOptions('compactSync', REWRITE_OPTIONS, options);
  return runSync(compacting(path, options), contextOf(options));
}

function* compacting(path: string | URL, options: RewriteOptions): Work<FileInfo> {
  yield* withLocked(path, options, (file) => compactLocked(path, file, options));
  return yield* infoAt(options.out ?? path);
}

function* compactLocked(path: string | URL, file: LockedFile, options: RewriteOptions): Work<void> {
  const { wire, bodyOffsets } = file.layout;
  if (bodyOffsets.length > 1) yield* rewriteRows(path, file, wire === 'records-32' ? wire : 'records', options);
  else if (!isInPlace(path, options)) yield* copyFile(path, file, options);
}

export interface UpgradeOptions extends RewriteOptions {
  /**
   * 'records', the default: what today's Python releases read and write, and what can grow. 'flat': what 0.1.0 writes.
   */
  readonly layout?: FileForm;
}

export const UPGRADE_OPTIONS: OptionSet<UpgradeOptions> = {
  ...REWRITE_OPTIONS,
  layout: option.word('flat', 'records'),
};

/**
 * Brings a file of any layout, those of older releases among them, into a layout of today, as one record. A file that
 * has it stays as it is, or is copied to `out` byte for byte. @returns and @throws as `compact`.
 */
export async function upgrade(path: string | URL, options: UpgradeOptions = {}): Promise<FileInfo> {
  checkOptions('upgrade', UPGRADE_OPTIONS, options);
  return run(upgrading(path, optionsNow(options)), contextOf(options));
}

export function upgradeSync(path: string | URL, options: UpgradeOptions = {}): FileInfo {
  checkOptions('upgradeSync', UPGRADE_OPTIONS, options);
  return runSync(upgrading(path, options), contextOf(options));
}

function* upgrading(path: string | URL, options: UpgradeOptions): Work<FileInfo> {
  yield* withLocked(path, options, (file) => upgradeLocked(path, file, options));
  return yield* infoAt(options.out ?? path);
}

function* upgradeLocked(path: string | URL, file: LockedFile, options: UpgradeOptions): Work<void> {
  const { layout: form = 'records' } = options;
  const isOfToday = file.layout.wire === (form === 'flat' ? 'flat' : 'records-64');
  if (!isOfToday) yield* rewriteRows(path, file, form, options);
  else if (!isInPlace(path, options)) yield* copyFile(path, file, options);
}

export function infoAt(path: string | URL): Work<FileInfo> {
  return withSource(path, openedSource(path, {}), 'close', readInfo);
}

function* readInfo(source: RandomAccessSource): Work<FileInfo> {
  const layout = yield* readLayout(source);
  return infoOf(layout, yield* readStatistics(source, layout));
}
