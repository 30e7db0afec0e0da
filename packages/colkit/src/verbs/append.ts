// append: rows of files of any form -> the end of a .cstore or .cna file, all of them or none; or new files in a folder
// of .cstore files.
import { statSync } from 'node:fs';
import { UnsupportedError } from '@colkit/io';
import type { Field, Table } from '@colkit/table';
import { appendAll, appender, edit, info, open as openColstore, update } from 'colstore';
import type { AppendInput, DType } from 'colstore';
import { appender as columnaAppender, open as openColumna } from 'columna';
import { withTable } from '../convert/convert.ts';
import type { Job } from '../convert/convert.ts';
import { sourceEnd } from '../convert/ends.ts';
import type { End } from '../convert/ends.ts';
import { TEXT_OPTIONS, requireText } from '../convert/options.ts';
import type { TextOptions } from '../convert/options.ts';
import { ENDINGS } from '../formats/opened.ts';
import { identify } from '../formats/identify.ts';
import { severalFiles } from '../formats/named-files.ts';
import { fixedTextTypesOfAll } from '../tables/fixed-text.ts';
import { SHAPE_OPTIONS, fitted, reshaped } from '../tables/reshaped.ts';
import type { ShapeOptions } from '../tables/reshaped.ts';
import { count, counted } from '../terminal/terminal.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { AS_JSON, COLUMNS, UsageError, flag, text, whole } from '../terminal/verb.ts';
import type { JsonOption, Verb } from '../terminal/verb.ts';

interface AppendOptions extends JsonOption, ShapeOptions, TextOptions {
  readonly statistics?: true;
  readonly name?: string;
  readonly shardRows?: number;
  readonly dryRun?: true;
}

export const append: Verb<AppendOptions> = {
  name: 'append',
  summary:
    'add the rows of other files (.cstore, .cna, CSV, JSON lines, Parquet, Arrow) to a .cstore or .cna file, all or ' +
    'none, each as a record; or to a folder, each as a file, all or none too',
  arguments: ['<TARGET>', '<FROM...>'],
  options: [
    text(COLUMNS, 'of these columns only'),
    ...SHAPE_OPTIONS,
    flag('--statistics', 'keep smallest and largest values of each record, by which queries skip records (.cstore)'),
    text('--name <NAME>', 'a folder: names of the new files, shard_{index:05d}.cstore by default'),
    whole('--shard-rows <N>', 'a folder: a new file once so many rows wait, whatever they come from', 1),
    flag('--dry-run', 'tell what would be added, and write nothing'),
    AS_JSON,
    ...TEXT_OPTIONS,
  ],
  examples: [
    'colkit append log.cstore today.cstore',
    'colkit append orders.cna monday.csv tuesday.parquet --rename id=order_id',
    "colkit append orders.cna late.csv --separator ';' --null NA --type order_id=int64 --skip-rejected",
    "colkit append shards/ 'runs/run_*.cstore' --statistics",
  ],
  async run([path = '', ...words], options, terminal) {
    const target = await targetOf(path, options);
    const sources = await sourcesOf(words);
    requireText(
      sources.map(({ end }) => end),
      options,
    );
    const rows = await (options.dryRun === true ? counting : ADD[target])({ path, sources, options, terminal });
    terminal.progress(null);
    const told = { path, format: target === 'columna' ? 'columna' : 'colstore', ...rows };
    if (options.json === true) terminal.json(options.dryRun === true ? { ...told, dryRun: true } : told, 2);
    else terminal.print(lineOf(path, rows, options.dryRun === true));
    return 0;
  },
};

interface Source {
  readonly path: string;
  readonly end: End;
}

interface Appending {
  readonly path: string;
  readonly sources: readonly Source[];
  readonly options: AppendOptions;
  readonly terminal: Terminal;
}

interface Rows {
  readonly appended: number;
  readonly rowCount: number;
  /** Of a folder, the new ones. */
  readonly files?: readonly string[];
}

type Target = 'file' | 'folder' | 'columna';

const ADD: Readonly<Record<Target, (what: Appending) => Promise<Rows>>> = {
  file: toFile,
  folder: toFolder,
  columna: toColumna,
};

async function targetOf(path: string, { statistics, name, shardRows }: AppendOptions): Promise<Target> {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? /[/\\]$/u.test(path);
  if (isFolder) return 'folder';
  if ((name ?? shardRows) !== undefined)
    throw new UsageError(`--${name === undefined ? 'shard-rows' : 'name'}: only for a folder (DIR/ makes one)`);
  const format = await identify(path);
  if (format === 'syrah') throw new UsageError(`append: only for tables, and this is a ${ENDINGS[format]} file`);
  if (format === 'columna' && statistics === true) throw new UsageError('--statistics: a .cna file always has them');
  return format === 'columna' ? 'columna' : 'file';
}

/** All of them looked at before anything is written. */
async function sourcesOf(words: readonly string[]): Promise<readonly Source[]> {
  const sources: Source[] = [];
  for (const word of words)
    for (const path of (await severalFiles(word))?.files ?? [word]) {
      const end = await sourceEnd(path, undefined);
      if (end === 'syr' || end === 'folder')
        throw new UsageError(`${path}: expected a table but found ${end === 'syr' ? 'a .syr file' : 'a folder'}`);
      sources.push({ path, end });
    }
  return sources;
}

type UseTable = (table: Table, source: Source) => Promise<unknown>;

/** One source after another, as a table of the columns that are asked for. */
async function eachTable(what: Appending, use: UseTable): Promise<void> {
  let schema: readonly Field[] | null = null;
  for (const source of what.sources) {
    // The first file of a new folder says what the others are.
    schema ??= (await before(what.path))?.schema ?? null;
    await withSource(what, source, schema, (table) => use(table, source));
  }
}

/** All of them at once: what is text has been read as a whole then, and what is wrong with it told. */
async function allTables(what: Appending, use: (tables: readonly Table[]) => Promise<unknown>): Promise<void> {
  const known = (await before(what.path))?.schema ?? null;
  const next = async (tables: readonly Table[]): Promise<void> => {
    const source = what.sources[tables.length];
    if (source === undefined) await use(tables);
    else await withSource(what, source, known ?? tables[0]?.schema ?? null, async (table) => next([...tables, table]));
  };
  await next([]);
}

async function withSource(
  { options, terminal }: Appending,
  { path: from, end }: Source,
  schema: readonly Field[] | null,
  use: (table: Table) => Promise<unknown>,
): Promise<void> {
  terminal.progress(`appending ${from}`);
  const { separator, null: nulls, header, names, type, skipRejected, nested } = options;
  const job: Job = {
    from,
    to: '',
    source: end,
    target: 'cna',
    options: {
      header,
      ...(separator === undefined ? {} : { separator }),
      ...(nulls === undefined ? {} : { null: nulls }),
      ...(names === undefined ? {} : { names }),
      ...(type === undefined ? {} : { type }),
      ...(skipRejected === undefined ? {} : { skipRejected }),
      ...(nested === undefined ? {} : { nested }),
    },
    terminal,
  };
  await withTable(job, (table) => use(fitted(reshaped(table, options), schema)));
}

async function toFile(what: Appending): Promise<Rows> {
  const { statistics } = what.options;
  const writer = await update(what.path, statistics === undefined ? {} : { statistics });
  const rowsBefore = writer.rowCount;
  try {
    await eachTable(what, (table) => writer.write(table));
    await writer.close();
  } catch (error) {
    await writer.abort();
    throw error;
  }
  return { appended: writer.rowCount - rowsBefore, rowCount: writer.rowCount };
}

async function toFolder(what: Appending): Promise<Rows> {
  const { path, options } = what;
  const { statistics = false, name, shardRows } = options;
  const settings = { statistics, ...(name === undefined ? {} : { name }) };
  const files: string[] = [];
  let appended = 0;
  if (shardRows === undefined) {
    // A file that stays as it is is copied.
    const isCopied = (number: number): boolean => what.sources[number]?.end === 'cstore' && !isShaped(options);
    await allTables(what, async (tables) => {
      const widths = (await before(path)) === null ? await fixedTextTypesOfAll(tables) : new Map<string, DType>();
      const inputs = tables.map((table, number): AppendInput => {
        appended += table.rowCount;
        if (isCopied(number)) return (what.sources[number] as Source).path;
        return edit(table).cast(new Map([...widths].filter(([name]) => table.columnNames.includes(name)))).table;
      });
      for (const each of await appendAll(path, inputs, settings)) files.push(each);
    });
  } else {
    const writer = await appender(path, { ...settings, shardRows });
    try {
      await eachTable(what, async (table) => {
        appended += table.rowCount;
        for (let start = 0; start < table.rowCount; ) {
          const end = start + shardRows - writer.pendingRows;
          await writer.write(table.slice(start, end));
          start = end;
        }
      });
      await writer.close();
    } catch (error) {
      await writer.abort();
      throw error;
    }
    for (const each of writer.paths) files.push(each);
  }
  await using all = await openColstore(path);
  return { appended, rowCount: all.rowCount, files };
}

const isShaped = ({ columns, rename, dtype }: ShapeOptions): boolean => (columns ?? rename ?? dtype) !== undefined;

async function toColumna(what: Appending): Promise<Rows> {
  const writer = await columnaAppender(what.path, { checkpoints: 'never' });
  let appended = 0;
  const add = async (table: Table): Promise<void> => {
    await writer.write(table);
    appended += table.rowCount;
  };
  try {
    // A file that is added to itself is opened before bytes follow that no footer covers yet.
    if (what.sources.some(({ path }) => isSameFile(path, what.path)))
      await allTables(what, async (tables) => {
        for (const table of tables) await add(table);
      });
    else await eachTable(what, add);
    const { rowCount } = await writer.close();
    return { appended, rowCount };
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

function isSameFile(first: string, second: string): boolean {
  const [one, other] = [first, second].map((path) => statSync(path, { throwIfNoEntry: false }));
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev;
}

/** What would be added, of columns that are there. */
async function counting(what: Appending): Promise<Rows> {
  let appended = 0;
  await requireGrowing(what.path);
  await eachTable(what, (table) => {
    appended += table.rowCount;
    return Promise.resolve();
  });
  return { appended, rowCount: ((await before(what.path))?.rowCount ?? 0) + appended };
}

/** What `update` requires of a file, which a dry run does not lock. @throws UnsupportedError ERR_FEATURE. */
async function requireGrowing(path: string): Promise<void> {
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  if (!isFile || (await identify(path)) !== 'colstore') return;
  const { wire } = await info(path);
  if (wire === 'records-64') return;
  throw new UnsupportedError(
    'ERR_FEATURE',
    `update of ${wire}`,
    `${path}: only files of today's records layout grow, and this is one of ${wire}; ` +
      "upgrade(path, { layout: 'records' }) makes it one",
  );
}

/** Null: there is nothing yet. */
async function before(path: string): Promise<{ readonly rowCount: number; readonly schema: readonly Field[] } | null> {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  const isColumna = stats.isFile() && (await identify(path)) === 'columna';
  await using table = await (isColumna ? openColumna(path) : openColstore(path));
  return { rowCount: table.rowCount, schema: table.schema };
}

function lineOf(path: string, { appended, rowCount, files }: Rows, isDry: boolean): string {
  const added = `${counted(appended, 'row')} ${isDry ? 'would be appended' : 'appended'}`;
  const to = files === undefined ? '' : ` in ${count(files.length)} new ${files.length === 1 ? 'file' : 'files'}`;
  return `${path}: ${added}${to}, ${counted(rowCount, 'row')} in all`;
}
