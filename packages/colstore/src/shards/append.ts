// append: rows, a table or a file -> one new file in a folder, which is read as one table.
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ArgumentError, checkOptions, filePath, option } from '@colkit/io';
import type { OptionSet } from '@colkit/io';
import { contextOf, perform, run, runSync } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { Table, settledInput, toInputColumns } from '@colkit/table';
import type { Field } from '@colkit/table';
import { StoredTable } from '../columns/stored-table.ts';
import type { StoredColumn } from '../layout/manifest.ts';
import type { FileLayout } from '../layout/read-layout.ts';
import { ManyFiles } from '../many/many-files.ts';
import { openedTable } from '../open-table.ts';
import type { OpenedTable } from '../open-table.ts';
import { recordInput } from '../streams/record-input.ts';
import type { WriteInput } from '../write/write.ts';
import { lockFolder, requireWritable } from './shard-folder.ts';
import type { ShardFolder } from './shard-folder.ts';
import { DEFAULT_NAME, ShardName } from './shard-names.ts';
import { copyShard, writeShard } from './write-shard.ts';
import type { ShardSettings } from './write-shard.ts';

export interface AppendOptions {
  /**
   * The name of the new file: `{index}` or `{index:05d}` in it is the next number of the folder (the largest and one
   * more), without it the name must be free. Default 'shard_{index:05d}.cstore'.
   */
  readonly name?: string;
  /** Whether the file has a statistics footer, by which `where` passes it over; default false. */
  readonly statistics?: boolean;
  /** 'full', the default: the file survives a power failure once it is written. 'none' does not wait for the disk. */
  readonly durability?: 'full' | 'none';
  /** Gives the work up with the signal's reason; no file is left behind. */
  readonly signal?: AbortSignal;
}

/** Rows, a table, or the path of a .cstore file, a folder of them, or a pattern. */
export type AppendInput = WriteInput | string | URL;

export const APPEND_OPTIONS: OptionSet<AppendOptions> = {
  name: option.text,
  statistics: option.flag,
  durability: option.word('full', 'none'),
  signal: option.signal,
};

/**
 * Adds rows to a folder as one new .cstore file, which appears whole or not at all; the folder is made where it is
 * missing, and opened as one table (`open(folder)`). Rows must have the columns of the files that are there, in any
 * order; a table their types too, other values must fit them. A file is
 * copied as it is (with `statistics` it is written anew); of a larger table only a piece of about 8 MiB is in memory.
 * @returns the path of the new file.
 * @throws IoError ERR_LOCKED (another writer, Python's too, appends to the folder), ERR_EXISTS (a name without
 * `{index}` that is taken), ERR_WRITE; ArgumentError ERR_SCHEMA for other columns, before anything is written;
 * ERR_ARGUMENT for a name that does not end in .cstore, and for files of the folder itself; what reading throws.
 */
export async function append(folder: string | URL, data: AppendInput, options: AppendOptions = {}): Promise<string> {
  checkOptions('append', APPEND_OPTIONS, options);
  return run(appending(folder, data, options), contextOf(options));
}

/** The Sync twin of `append`. @throws as `append`; UnsupportedError for a table over a URL or Blob. */
export function appendSync(folder: string | URL, data: AppendInput, options: AppendOptions = {}): string {
  checkOptions('appendSync', APPEND_OPTIONS, options);
  return runSync(appending(folder, data, options), contextOf(options));
}

function* appending(folder: string | URL, data: AppendInput, options: AppendOptions): Work<string> {
  const name = new ShardName(options.name ?? DEFAULT_NAME);
  const locked = yield* lockFolder(filePath(folder), options);
  try {
    const columns = yield* locked.columns();
    if (columns !== null) requireWritable(columns, locked.path);
    const path = join(locked.path, name.next(yield* locked.files()));
    if (typeof data !== 'string' && !(data instanceof URL)) {
      yield* addData(locked, path, data, columns, options);
      return path;
    }
    const opened = yield* openedTable(data, {});
    try {
      yield* addTable(locked, path, opened, columns, options);
    } finally {
      opened.close();
    }
    return path;
  } finally {
    yield* locked.release();
  }
}

function* addData(
  folder: ShardFolder,
  path: string,
  data: WriteInput,
  columns: readonly StoredColumn[] | null,
  settings: ShardSettings,
): Work<void> {
  const source = data instanceof Table ? data.view.source : null;
  if (data instanceof Table && columns !== null)
    requireColumns(data.view.projection.fields, columns, data.view.source.name);
  if (source instanceof StoredTable || source instanceof ManyFiles) {
    refuseOwn(source, folder.path);
    if (isWhole(data as Table)) return yield* addTable(folder, path, source, columns, settings);
  }
  const settled = yield* perform(settledInput(data));
  yield* writeShard(path, recordInput(settled, columns), settings);
}

/** All of an opened file, or of several. */
function* addTable(
  folder: ShardFolder,
  path: string,
  table: OpenedTable,
  columns: readonly StoredColumn[] | null,
  settings: ShardSettings,
): Work<void> {
  refuseOwn(table, folder.path);
  if (table instanceof StoredTable && settings.statistics !== true) {
    const { layout, source } = table.opened('append');
    if (columns === null || isAlike(layout, columns)) return yield* copyShard(path, source, layout, settings);
  }
  if (columns !== null) requireColumns(table.fields, columns, table.name);
  const rows = new Table(table);
  const input = columns === null ? toInputColumns(rows, { nulls: 'refuse' }) : recordInput(rows, columns);
  yield* writeShard(path, input, settings);
}

/** @throws ArgumentError ERR_SCHEMA where a table has other columns than the folder, or of other types. */
function requireColumns(fields: readonly Field[], columns: readonly StoredColumn[], name: string): void {
  const types = new Map(fields.map((field) => [field.name, field.dtype]));
  const isSame =
    columns.length === fields.length && columns.every((column) => types.get(column.name) === column.dtype.name);
  if (isSame) return;
  const told = (list: readonly (readonly [name: string, dtype: string])[]): string =>
    list.map(([column, dtype]) => `${JSON.stringify(column)} ${dtype}`).join(', ');
  throw new ArgumentError(
    'ERR_SCHEMA',
    'data',
    `the columns of the folder: ${told(columns.map((column) => [column.name, column.dtype.name]))}`,
    `${name}: ${told([...types])}`,
  );
}

/** The same columns in the same order, so that the bytes can be those of the file. */
function isAlike(layout: FileLayout, columns: readonly StoredColumn[]): boolean {
  return (
    layout.columns.length === columns.length &&
    layout.columns.every(({ name, descr }, number) => {
      const column = columns[number];
      return name === column?.name && descr === column.descr;
    })
  );
}

/** Whether a view shows all of its source. */
function isWhole({ view: { source, rows, pending, projection } }: Table): boolean {
  return (
    pending.length === 0 &&
    rows.kind === 'range' &&
    rows.start === 0 &&
    rows.step === 1 &&
    rows.count === source.rowCount &&
    projection.numbers.length === source.fields.length &&
    projection.numbers.every((number, place) => number === place)
  );
}

/** Every row would be there twice. */
function refuseOwn(table: OpenedTable, folder: string): void {
  const target = realpathSync(folder);
  const paths = table instanceof ManyFiles ? table.layouts.map(({ path }) => path) : [table.name];
  for (const path of paths) {
    if (folderOf(path) !== target) continue;
    throw new ArgumentError('ERR_ARGUMENT', 'data', 'rows that are not of the folder itself', `its own file ${path}`);
  }
}

/** Null for what is no file here. */
function folderOf(path: string): string | null {
  try {
    return dirname(realpathSync(path));
  } catch {
    return null;
  }
}
