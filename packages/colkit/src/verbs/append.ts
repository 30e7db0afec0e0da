// append: rows of files of any form -> the end of a .cstore or .cna file, all of them or none; or new files in a folder
// of .cstore files.
import { statSync } from 'node:fs';
import { IoError } from '@colkit/io';
import type { Table } from '@colkit/table';
import { appendAll, appender, open as openColstore, update } from 'colstore';
import type { AppendInput } from 'colstore';
import { appender as columnaAppender } from 'columna';
import { FROM, TEXT_OPTIONS, requireText } from '../convert/options.ts';
import { identify } from '../formats/identify.ts';
import { filesOrItems } from '../formats/named-files.ts';
import { ENDINGS } from '../formats/opened.ts';
import { SHAPE_OPTIONS } from '../tables/reshaped.ts';
import type { ShapeOptions } from '../tables/reshaped.ts';
import { count, counted } from '../terminal/terminal.ts';
import { AS_JSON, COLUMNS, UsageError, flag, text, whole } from '../terminal/verb.ts';
import type { Verb } from '../terminal/verb.ts';
import { dryRun, nameTaken } from './append-dry.ts';
import { allTables, before, eachTable, sourcesOf, withWidths } from './append-sources.ts';
import type { AppendOptions, Appending, Rows, Source, Target } from './append-sources.ts';

export const append: Verb<AppendOptions> = {
  name: 'append',
  summary:
    'add the rows of other files (.cstore, .cna, CSV, JSON lines, Parquet, Arrow) to a .cstore or .cna file, all or ' +
    'none, each as a record; or to a folder, each as a file, all or none too',
  arguments: ['<TARGET>', '<FROM...>'],
  options: [
    FROM,
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
    const sources = await sourcesOf(words, options.from);
    requireText(
      sources.map(({ end }) => end),
      options,
    );
    const rows = await (options.dryRun === true ? dryRun : ADD[target])({ path, target, sources, options, terminal });
    terminal.progress(null);
    const told = { path, format: target === 'columna' ? 'columna' : 'colstore', ...rows };
    if (options.json === true) terminal.json(options.dryRun === true ? { ...told, dryRun: true } : told, 2);
    else terminal.print(lineOf(path, rows, options.dryRun === true));
    return 0;
  },
};

const ADD: Readonly<Record<Target, (what: Appending) => Promise<Rows>>> = {
  file: toFile,
  folder: toFolder,
  columna: toColumna,
};

async function targetOf(path: string, { statistics, name, shardRows }: AppendOptions): Promise<Target> {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? /[/\\]$/u.test(path);
  if (isFolder) {
    await requireShards(path);
    return 'folder';
  }
  if ((name ?? shardRows) !== undefined)
    throw new UsageError(`--${name === undefined ? 'shard-rows' : 'name'}: only for a folder (DIR/ makes one)`);
  const format = await identify(path);
  if (format === 'syrah') throw new UsageError(`append: only for tables, and this is a ${ENDINGS[format]} file`);
  if (format === 'columna' && statistics === true) throw new UsageError('--statistics: a .cna file always has them');
  return format === 'columna' ? 'columna' : 'file';
}

/**
 * New files beside others than .cstore files would be none of the table that the folder is.
 * @throws UsageError.
 */
async function requireShards(path: string): Promise<void> {
  const found = await filesOrItems(path);
  if (found === 'items' || found?.as !== 'dataset') return;
  throw new UsageError(
    found.isCommitted
      ? `${path}: a committed dataset grows by writePart and commit (of columna), and not by append`
      : `${path}: append adds .cstore files to a folder of such files, and this one has .cna files, or tables in ` +
          'folders below; colkit convert FILE FOLDER/NAME.cna adds a file',
  );
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
      const shards = (await before(path)) === null ? await withWidths(tables) : tables;
      const inputs = shards.map((table, number): AppendInput => {
        appended += table.rowCount;
        return isCopied(number) ? (what.sources[number] as Source).path : table;
      });
      for (const each of await appendAll(path, inputs, settings).catch(inWords)) files.push(each);
    });
  } else {
    const writer = await appender(path, { ...settings, shardRows });
    try {
      await eachTable(what, async (table) => {
        appended += table.rowCount;
        let start = 0;
        // A table without rows says which columns a new folder has.
        do {
          const end = start + shardRows - writer.pendingRows;
          await writer.write(table.slice(start, end));
          start = end;
        } while (start < table.rowCount);
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

/** What the library says of a name that is taken is for who may replace a file. */
function inWords(error: unknown): never {
  const isTaken =
    error instanceof IoError && error.code === 'ERR_EXISTS' && error.message.includes('it exists already');
  throw isTaken ? nameTaken(error.path) : error;
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

function lineOf(path: string, { appended, rowCount, files }: Rows, isDry: boolean): string {
  const added = `${counted(appended, 'row')} ${isDry ? 'would be appended' : 'appended'}`;
  const to = files === undefined ? '' : ` in ${count(files.length)} new ${files.length === 1 ? 'file' : 'files'}`;
  return `${path}: ${added}${to}, ${counted(rowCount, 'row')} in all`;
}
