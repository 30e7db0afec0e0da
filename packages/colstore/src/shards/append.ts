// append, appendAll: rows, tables or files -> new files in a folder, which is read as one table.
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ArgumentError, checkOptions, describeValue, filePath, option, optionsNow } from '@colkit/io';
import type { OptionSet } from '@colkit/io';
import { contextOf, perform, run, runSync } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { Table, settledInput, toInputColumns } from '@colkit/table';
import type { Field, InputColumns, NamedColumns, NamedValues } from '@colkit/table';
import { StoredTable } from '../columns/stored-table.ts';
import type { StoredColumn } from '../layout/manifest.ts';
import type { FileLayout } from '../layout/read-layout.ts';
import { ManyFiles } from '../many/many-files.ts';
import { openedTable } from '../opened-table.ts';
import type { OpenedTable } from '../opened-table.ts';
import { recordInput } from '../streams/record-input.ts';
import { storedColumns } from '../write/plan-file.ts';
import type { WriteInput } from '../write/write.ts';
import { lockFolder, requireWritable } from './shard-folder.ts';
import type { ShardFolder } from './shard-folder.ts';
import { DEFAULT_NAME, ShardName } from './shard-names.ts';
import { copiedShard, recordShard, writeShards } from './write-shard.ts';
import type { FillShard, NewShard, ShardSettings } from './write-shard.ts';

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
 * order; a table their types too, other values must fit them. A file of today's records layout is copied as it is
 * (with `statistics` it is written anew), others become a record of it, which Python's release of today reads; of a
 * larger table only a piece of about 8 MiB is in memory.
 * @returns the path of the new file.
 * @throws IoError ERR_LOCKED (another writer, Python's too, appends to the folder), ERR_EXISTS (a name without
 * `{index}` that is taken), ERR_WRITE; ArgumentError ERR_SCHEMA for other columns, before anything is written;
 * ERR_ARGUMENT for a name that does not end in .cstore, and for files of the folder itself; UnsupportedError for a
 * folder that is committed to (`commit` of columna adds files to it); what reading throws.
 */
export async function append<C extends NamedColumns<C>, R extends NamedValues<R>>(
  folder: string | URL,
  data: AppendInput | C | readonly R[],
  options: AppendOptions = {},
): Promise<string> {
  checkOptions('append', APPEND_OPTIONS, options);
  const [path] = await run(appending(folder, [data], optionsNow(options)), contextOf(options));
  return path as string;
}

/** The Sync twin of `append`. @throws as `append`; UnsupportedError for a table over a URL or Blob. */
export function appendSync<C extends NamedColumns<C>, R extends NamedValues<R>>(
  folder: string | URL,
  data: AppendInput | C | readonly R[],
  options: AppendOptions = {},
): string {
  checkOptions('appendSync', APPEND_OPTIONS, options);
  const [path] = runSync(appending(folder, [data], options), contextOf(options));
  return path as string;
}

/**
 * Adds several, each as `append` adds one: a new file for each, in their order. All files are written before the first
 * appears, so that an error adds none of them. Only a process that dies while they appear, or a disk that fails there,
 * leaves some: then the first ones, whole. All sources are open meanwhile. Of an empty folder the first one says which
 * columns the others must have.
 * @returns the paths of the new files.
 * @throws as `append`; ArgumentError for a name without `{index}` and more than one source.
 */
export async function appendAll(
  folder: string | URL,
  sources: readonly AppendInput[],
  options: AppendOptions = {},
): Promise<readonly string[]> {
  checkOptions('appendAll', APPEND_OPTIONS, options);
  return run(appending(folder, requireSources(sources), optionsNow(options)), contextOf(options));
}

/** The Sync twin of `appendAll`. @throws as `appendAll`; UnsupportedError for a table over a URL or Blob. */
export function appendAllSync(
  folder: string | URL,
  sources: readonly AppendInput[],
  options: AppendOptions = {},
): readonly string[] {
  checkOptions('appendAllSync', APPEND_OPTIONS, options);
  return runSync(appending(folder, requireSources(sources), options), contextOf(options));
}

function requireSources(sources: readonly AppendInput[]): readonly AppendInput[] {
  if (Array.isArray(sources)) return sources as readonly AppendInput[];
  throw new ArgumentError('ERR_ARGUMENT', 'sources', 'an array of rows, tables or paths', describeValue(sources));
}

function* appending(
  folder: string | URL,
  sources: readonly AppendInput[],
  options: AppendOptions,
): Work<readonly string[]> {
  const name = new ShardName(options.name ?? DEFAULT_NAME);
  if (name.isLiteral && sources.length > 1)
    throw new ArgumentError('ERR_ARGUMENT', 'name', 'a name with {index}, for several files', name.template);
  const locked = yield* lockFolder(filePath(folder), options);
  const files: OpenedTable[] = [];
  try {
    const names = [...(yield* locked.names())];
    let columns = yield* locked.columns(names);
    if (columns !== null) requireWritable(columns, locked.path);
    const shards: NewShard[] = [];
    for (const data of sources) {
      const next = name.next(names);
      names.push(next);
      const isFile = typeof data === 'string' || data instanceof URL;
      if (isFile) files.push(yield* openedTable(data, {}));
      const shard = isFile
        ? shardOfTable(locked, files.at(-1) as OpenedTable, columns, options)
        : yield* shardOf(locked, data, columns, options);
      columns ??= shard.columns;
      shards.push({ path: join(locked.path, next), fill: shard.fill });
    }
    yield* writeShards(shards, options);
    return shards.map(({ path }) => path);
  } finally {
    for (const file of files) file.close();
    yield* locked.release();
  }
}

interface Shard {
  /** Those of its file. */
  readonly columns: readonly StoredColumn[];
  readonly fill: FillShard;
}

function* shardOf(
  folder: ShardFolder,
  data: WriteInput,
  columns: readonly StoredColumn[] | null,
  settings: ShardSettings,
): Work<Shard> {
  const source = data instanceof Table ? data.view.source : null;
  if (data instanceof Table && columns !== null)
    requireColumns(data.view.projection.fields, columns, data.view.source.name);
  if (source instanceof StoredTable || source instanceof ManyFiles) {
    refuseOwn(source, folder.path);
    if (isWhole(data as Table)) return shardOfTable(folder, source, columns, settings);
  }
  return recorded(recordInput(yield* perform(settledInput(data)), columns), settings);
}

/** All of an opened file, or of several. */
function shardOfTable(
  folder: ShardFolder,
  table: OpenedTable,
  columns: readonly StoredColumn[] | null,
  settings: ShardSettings,
): Shard {
  refuseOwn(table, folder.path);
  if (table instanceof StoredTable && settings.statistics !== true) {
    const { layout, source } = table.opened('append');
    // Python's readers of a folder know no other layout.
    if (layout.wire === 'records-64' && (columns === null || isAlike(layout, columns)))
      return { columns: layout.columns, fill: copiedShard(source, layout) };
  }
  if (columns !== null) requireColumns(table.fields, columns, table.name);
  const rows = new Table(table);
  return recorded(columns === null ? toInputColumns(rows, { nulls: 'refuse' }) : recordInput(rows, columns), settings);
}

const recorded = (input: InputColumns, settings: ShardSettings): Shard => {
  return { columns: storedColumns(input.fields), fill: recordShard(input, settings) };
};

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
    projection.numbers.every((number, index) => number === index)
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
