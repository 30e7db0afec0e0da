// A file, locked -> the same rows written anew, in its place or elsewhere, in bounded memory. In its place: beside it
// first, then by one rename, so that it is the old file or the new one at every moment.
import { resolve } from 'node:path';
import { filePath } from '@colkit/io';
import type { RandomAccessSource } from '@colkit/io';
import { filesOf, reserve, writeFile } from '@colkit/io/durable';
import type { GrowingFile, Output, Reservation } from '@colkit/io/durable';
import { perform, readBytes } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { Table, toInputColumns } from '@colkit/table';
import { StoredTable } from '../columns/stored-table.ts';
import { withLayout } from '../layout/open-layout.ts';
import type { OpenedLayout } from '../layout/open-layout.ts';
import { readFooter } from '../layout/read-layout.ts';
import { flagsOf } from '../layout/write-statistics.ts';
import { COMPACTING } from '../streams/open-writer.ts';
import { planFile } from '../write/plan-file.ts';
import type { PlannedForm } from '../write/plan-file.ts';
import { streamFile } from '../write/stream-file.ts';
import type { RewriteOptions } from './rewrite-options.ts';

const COPIED_BYTES = 8 * 1024 * 1024;

/** An open file that nobody else writes. */
export interface LockedFile extends OpenedLayout {
  readonly reserved: Reservation;
}

/** @throws IoError ERR_NOT_FOUND, ERR_LOCKED; what reading the layout throws. */
export function* withLocked<T>(
  path: string | URL,
  options: RewriteOptions,
  use: (file: LockedFile) => Work<T>,
): Work<T> {
  const durable = options.durability !== 'none';
  const reserved = yield* perform(reserve(path, { to: 'grow', durable, operations: filesOf(options), flock: true }));
  try {
    return yield* withLayout(reserved.path, {}, (opened) => use({ ...opened, reserved }));
  } finally {
    yield* perform(reserved.release());
  }
}

/** Whether the new file is to take the place of the old one. */
export function isInPlace(path: string | URL, { out }: RewriteOptions): boolean {
  return out === undefined || resolve(filePath(out)) === resolve(filePath(path));
}

/** All rows as one record, or as a flat file. */
export function* rewriteRows(
  path: string | URL,
  file: LockedFile,
  form: PlannedForm,
  options: RewriteOptions,
): Work<void> {
  const table = new Table(new StoredTable(file.source, file.layout));
  const input = toInputColumns(table, { nulls: 'refuse' });
  const plan = planFile(input.fields, input.rowCount, form);
  yield* put(path, file, options, (output) => streamFile(output, plan, input, options));
}

/** The file as it is, without what readers ignore. */
export function* copyFile(path: string | URL, file: LockedFile, options: RewriteOptions): Work<void> {
  const end = yield* endOfFile(file);
  yield* put(path, file, options, (output) => copyBytes(output, file.source, end, options));
}

/** Where the file ends that readers see, a sound footer included. */
export function* endOfFile({ source, layout }: Pick<LockedFile, 'source' | 'layout'>): Work<number> {
  const footer = yield* readFooter(source, layout);
  const isSound =
    footer !== null &&
    layout.statisticsOffset === layout.endOffset &&
    flagsOf(footer, layout.columns, layout.bodyOffsets.length) !== null;
  return isSound ? layout.byteLength : layout.endOffset;
}

function* copyBytes(output: Output, source: RandomAccessSource, end: number, options: RewriteOptions): Work<void> {
  for (let at = 0; at < end; at += COPIED_BYTES) {
    yield* perform(output.write(yield* readBytes(source, at, Math.min(COPIED_BYTES, end - at))));
    options.onProgress?.({ writtenBytes: output.position, totalBytes: end });
  }
}

function* put(
  path: string | URL,
  file: LockedFile,
  options: RewriteOptions,
  fill: (output: Output) => Work<void>,
): Work<void> {
  if (isInPlace(path, options)) yield* replace(file, fill);
  else yield* writeFile(options.out ?? path, { ...options, flock: true }, fill);
}

function* replace({ source, reserved }: LockedFile, fill: (output: Output) => Work<void>): Work<void> {
  yield* perform(reserved.remove(COMPACTING));
  const file = yield* perform(reserved.create(COMPACTING, 'temporary'));
  try {
    yield* fill(outputOf(file));
    yield* perform(file.barrier());
    yield* perform(file.close());
    // Windows does not replace a file that is open.
    source.close();
    yield* perform(reserved.publish(true, reserved.beside(COMPACTING)));
  } catch (error) {
    yield* giveUp(reserved, file);
    throw error;
  }
}

/** Never throws: there is an error already. */
function* giveUp(reserved: Reservation, file: GrowingFile): Work<void> {
  try {
    yield* perform(file.close());
    yield* perform(reserved.remove(COMPACTING));
  } catch {
    // The next one removes it.
  }
}

/** Bytes that are written one behind the other. */
function outputOf(file: GrowingFile): Output {
  return {
    get position() {
      return file.position;
    },
    write: (bytes) => file.append([bytes]),
    writeAt: (byteOffset, bytes) => file.writeAt(byteOffset, bytes),
    finish: () => file.barrier(),
    abort: () => file.close(),
  };
}
