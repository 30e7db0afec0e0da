// query: the rows that match, and what it took to find them; or their number, what they add up to, or why row groups
// were skipped. Items of one value a key are rows too.
import { ArgumentError } from '@colkit/io';
import { temporaryFolder } from '@colkit/io/durable';
import type { DType } from '@colkit/io';
import type { AggregateSpec, Table } from '@colkit/table';
import { open as openColumna, scan } from 'columna';
import { join } from 'node:path';
import { readableItemsOfFile, scalarKeys, writeItems } from '../convert/rows-and-items.ts';
import { opened, requireFormat, requireOneFile } from '../formats/opened.ts';
import type { Opened } from '../formats/opened.ts';
import { momentText } from '../show/moment-text.ts';
import { printRows } from '../show/rows.ts';
import { columnsOf } from '../show/text-columns.ts';
import { selected } from '../tables/selected.ts';
import { toJson } from '../terminal/json.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { COLUMNS, UsageError, flag, list, namesBetween, text, whole } from '../terminal/verb.ts';
import type { JsonOption, Verb } from '../terminal/verb.ts';

const LIMIT = 20;

interface QueryOptions extends JsonOption {
  readonly columns?: string;
  readonly limit?: number;
  readonly count?: true;
  readonly stats?: true;
  readonly explain?: true;
  readonly agg?: readonly string[];
  readonly by?: string;
}

export const query: Verb<QueryOptions> = {
  name: 'query',
  summary: 'the rows that match a predicate, what they add up to, and how little was read for them',
  arguments: ['<FILE>', '[PREDICATE]'],
  options: [
    text(COLUMNS, 'which columns'),
    whole('-n, --limit <N>', `how many rows are printed, default ${LIMIT}; with --json, and of groups, all`),
    flag('--count', 'only how many rows match'),
    list('--agg <NAME=OP:COLUMN>', 'count, or sum, min, max, mean, std, countDistinct, … of a column; may be repeated'),
    text('--by <A,B>', 'with --agg, one line for each group of rows with equal values'),
    flag('--stats', '.cna: only the figures of the scan'),
    flag('--explain', 'what would be read and skipped, and why; reads metadata only'),
    flag('--json', 'one JSON object a line; of --count and --stats one object'),
  ],
  examples: [
    'colkit query orders.cna "amount > 49 and note is null"',
    'colkit query orders.cna "status == \'paid\'" --by region --agg orders=count --agg total=sum:amount',
    'colkit query train.syr "label == 3" --count',
  ],
  run: ([path = '', where], options, terminal) =>
    opened(path, async (file) => {
      if (options.stats === true) {
        requireFormat('--stats', file, 'columna');
        requireOneFile('--stats', file);
      }
      requireOneQuestion(options);
      if (file.kind === 'items') return ofItems(file, where, options, terminal);
      const isColumna = file.format === 'columna' && file.dataset === null;
      return ofTable(path, file.table, isColumna, where, options, terminal);
    }),
};

/** What would be passed over is told: an answer to less than was asked looks like the answer. */
function requireOneQuestion(options: QueryOptions): void {
  const [asked, also] = (['agg', 'count', 'stats', 'explain'] as const).filter((name) => options[name] !== undefined);
  if (also !== undefined) throw new UsageError(`--${also}: not with --${String(asked)}`);
  if (options.by !== undefined && asked !== 'agg') throw new UsageError('--by: only with --agg');
  const arePrinted = asked === undefined || options.by !== undefined;
  if (options.limit !== undefined && !arePrinted)
    throw new UsageError(`--limit: not with --${asked}, which has no rows`);
  if (options.columns !== undefined && (asked === 'agg' || asked === 'count'))
    throw new UsageError(`--columns: not with --${asked}`);
}

/** @param path of a .cna file that the table is, where `isColumna`. */
async function ofTable(
  path: string,
  table: Table,
  isColumna: boolean,
  where: string | undefined,
  options: QueryOptions,
  terminal: Terminal,
): Promise<number> {
  const isJson = options.json === true;
  const predicate = where === undefined ? {} : { where };
  const view = where === undefined ? table : table.where(where);
  if (options.agg !== undefined) return aggregate(view, options, terminal);
  if (options.explain === true) {
    const wanted = selected(view, options.columns);
    const columns = wanted.columnNames;
    const lines = (await (isColumna ? scan(path, { ...predicate, columns }).explain() : wanted.explain())).split('\n');
    if (isJson) terminal.json(lines, 2);
    else for (const line of lines) terminal.print(line);
  } else if (options.count === true) {
    const matched = await (isColumna ? scan(path, predicate).count() : view.count());
    if (isJson) terminal.json({ count: matched });
    else terminal.print(String(matched));
  } else if (options.stats === true) {
    const names = selected(table, options.columns).columnNames;
    const result = await scan(path, { ...predicate, columns: names });
    if (isJson) terminal.json(result.stats);
    else terminal.print(result.summary());
  } else {
    // Only as many matches as are printed are read.
    const limit = options.limit ?? (isJson ? undefined : LIMIT);
    const matching = selected(view, options.columns);
    await printRows(limit === undefined ? matching : matching.head(limit), limit ?? 1, isJson, terminal);
    if (!isJson && isColumna && where !== undefined) {
      terminal.print((await scan(path, { where, columns: [] })).summary());
    }
  }
  return 0;
}

async function aggregate(
  view: Table,
  { agg = [], by, json, limit }: QueryOptions,
  terminal: Terminal,
): Promise<number> {
  const given = agg.map(specOf);
  const names = given.map(([name]) => name);
  const twice = names.find((name, number) => names.indexOf(name) !== number);
  if (twice !== undefined)
    throw new UsageError(`--agg: expected each name once but found ${JSON.stringify(twice)} twice`);
  const specs = Object.fromEntries(given);
  if (by === undefined) {
    const found: Readonly<Record<string, unknown>> = await view.agg(specs);
    const values = names.map((name) => momentText(found[name], typeOf(view, specs[name]), json === true));
    const lines = columnsOf(
      [names, values.map(cellText)],
      names.map(() => true),
    );
    if (json === true) terminal.print(objectText(names, values));
    else for (const line of lines) terminal.print(line);
    return 0;
  }
  const keys = namesBetween(by, view.columnNames, 'by');
  const { table, rowCount } = await view.groupBy(...keys).agg(specs);
  const groups = table.select(...keys, ...names);
  await printRows(limit === undefined ? groups : groups.head(limit), limit ?? rowCount, json === true, terminal);
  return 0;
}

/** Of the column that is aggregated: moments stay moments, and have no sums. */
function typeOf(view: Table, spec: AggregateSpec | undefined): DType {
  const of = typeof spec === 'object' ? Object.values(spec)[0] : undefined;
  return view.schema.find(({ name }) => name === of)?.dtype ?? 'int64';
}

/** As JSON, in this order: names such as `2024` come first in every JavaScript object. */
function objectText(names: readonly string[], values: readonly unknown[]): string {
  return `{${names.map((name, number) => `${JSON.stringify(name)}:${toJson(values[number])}`).join(',')}}`;
}

/** As a table shows it: only JSON has quotes around infinities, NaN and integers that no double holds. */
function cellText(value: unknown): string {
  return ['string', 'number', 'bigint'].includes(typeof value) ? String(value) : toJson(value);
}

function specOf(word: string): [string, AggregateSpec] {
  const [, name = '', operation = '', column] = /^(.+?)=(\w+)(?::(.+))?$/s.exec(word) ?? [];
  // Several in one word would be one, with an odd name.
  if (name.includes('=count,'))
    throw new UsageError(
      `--agg: expected one aggregate, and --agg again for the next, but found ${JSON.stringify(word)}`,
    );
  if (column === undefined && operation === 'count') return [name, 'count'];
  if (column === undefined) {
    throw new UsageError(`--agg: expected NAME=count or NAME=OP:COLUMN but found ${JSON.stringify(word)}`);
  }
  // Which operations there are, the table says.
  return [name, { [operation]: column } as AggregateSpec];
}

/** Keys of one value become a table for the time of the query; errors list them. */
async function ofItems(
  { file, path }: Extract<Opened, { kind: 'items' }>,
  where: string | undefined,
  options: QueryOptions,
  terminal: Terminal,
): Promise<number> {
  const keys = scalarKeys(file);
  if (keys.length === 0) throw new ArgumentError('ERR_SCHEMA', path, 'keys of one value an item', 'none');
  using folder = temporaryFolder('colkit-');
  const staged = join(folder.path, 'staged.cna');
  await writeItems(readableItemsOfFile(file, keys), staged, { mode: 'plain' }, () => undefined);
  using table = await openColumna(staged);
  return await ofTable(staged, table, false, where, options, terminal);
}
