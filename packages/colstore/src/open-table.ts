// From a path, URL, bytes, Blob or source, or several of them, to an open table, and the functions that only look at
// the header: their options, awaited and at once.
import { checkOptions } from '@colkit/io';
import { contextOf, run, runSync } from '@colkit/io/effects';
import type { Field } from '@colkit/table';
import type { FileInfo } from './info.ts';
import type { ManyOpenable } from './many/given-files.ts';
import { INFO_OPTIONS, OPEN_OPTIONS } from './open-options.ts';
import type { InfoOptions, OpenOptions } from './open-options.ts';
import type { OpenedTable } from './opened-table.ts';
import { openedTable, readingInfo, readingSchema } from './opening.ts';
import { provideOpening } from './provided-opening.ts';

/** Opens a file, or several as one, as a TableSource, which owns the sources. @throws as `open`. */
export async function openTable(source: ManyOpenable, options: OpenOptions = {}): Promise<OpenedTable> {
  checkOptions('open', OPEN_OPTIONS, options);
  return run(openedTable(source, options), contextOf(options));
}

export function openTableSync(source: ManyOpenable, options: OpenOptions = {}): OpenedTable {
  provideOpening();
  checkOptions('openSync', OPEN_OPTIONS, options);
  return runSync(openedTable(source, options), contextOf(options));
}

/** What the file or files say of themselves, statistics included; nothing stays open. @throws as `open`. */
export async function info(source: ManyOpenable, options: InfoOptions = {}): Promise<FileInfo> {
  checkOptions('info', INFO_OPTIONS, options);
  return run(readingInfo(source, options), contextOf(options));
}

export function infoSync(source: ManyOpenable, options: InfoOptions = {}): FileInfo {
  provideOpening();
  checkOptions('infoSync', INFO_OPTIONS, options);
  return runSync(readingInfo(source, options), contextOf(options));
}

/** Names and types of the columns, in order; nothing stays open. @throws as `open`. */
export async function schema(source: ManyOpenable, options: InfoOptions = {}): Promise<readonly Field[]> {
  checkOptions('schema', INFO_OPTIONS, options);
  return run(readingSchema(source, options), contextOf(options));
}

export function schemaSync(source: ManyOpenable, options: InfoOptions = {}): readonly Field[] {
  provideOpening();
  checkOptions('schemaSync', INFO_OPTIONS, options);
  return runSync(readingSchema(source, options), contextOf(options));
}
