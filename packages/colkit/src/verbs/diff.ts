// diff: whether two files hold the same rows, or items, however they are stored. Exit code 1 where they do not.
import { bytesOfArray, dtypeOfArray } from '@colkit/io';
import type { Field } from '@colkit/table';
import type { SyrahFile } from 'syrah';
import { opened } from '../formats/opened.ts';
import type { Opened } from '../formats/opened.ts';
import { itemEntries, itemsInTurn } from '../items/read-items.ts';
import { momentText } from '../show/moment-text.ts';
import { columnsOf } from '../show/text-columns.ts';
import { compareTables } from '../tables/compare.ts';
import type { CellDifference, Comparison } from '../tables/compare.ts';
import { selected } from '../tables/selected.ts';
import { toJson } from '../terminal/json.ts';
import { count, counted } from '../terminal/terminal.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { AS_JSON, COLUMNS, UsageError, chosenNames, text, whole } from '../terminal/verb.ts';
import type { JsonOption, Verb } from '../terminal/verb.ts';

const EXAMPLES = 10;
/** Of an array that is shown. */
const SHOWN_CHARACTERS = 40;

interface DiffOptions extends JsonOption {
  readonly columns?: string;
  readonly limit?: number;
}

export const diff: Verb<DiffOptions> = {
  name: 'diff',
  summary: 'whether two files hold the same table, or the same items, however they are stored; exit code 1 where not',
  arguments: ['<FIRST>', '<SECOND>'],
  options: [
    text(COLUMNS, 'only these columns'),
    whole('-n, --limit <N>', `how many differing cells are shown, default ${EXAMPLES}`),
    AS_JSON,
  ],
  examples: ['colkit diff a.cna b.cna', 'colkit diff prices.cna prices.cstore --columns price'],
  run: ([first = '', second = ''], options, terminal) =>
    opened(first, (left) =>
      opened(second, async (right) => {
        const comparison = await compared(left, right, options, terminal);
        terminal.progress(null);
        if (options.json === true) terminal.json(withSigns(comparison), 2);
        else for (const line of lines(comparison, left.kind === 'table' ? 'row' : 'item')) terminal.print(line);
        return comparison.same ? 0 : 1;
      }),
    ),
};

async function compared(
  left: Opened,
  right: Opened,
  { columns, limit = EXAMPLES, json }: DiffOptions,
  terminal: Terminal,
): Promise<Comparison> {
  if (left.kind === 'table' && right.kind === 'table') {
    const [a, b] = [selected(left.table, columns), selected(right.table, columns)];
    const found = await compareTables(a, b, limit, (rows) => terminal.progress(`${count(rows)} rows compared`));
    return withMoments(found, a.schema, json === true);
  }
  if (left.kind === 'table' || right.kind === 'table') {
    throw new UsageError('one file is a table and the other one holds items; convert one of them first');
  }
  return compareItems(left.file, right.file, columns, limit, terminal);
}

async function compareItems(
  left: SyrahFile,
  right: SyrahFile,
  columns: string | undefined,
  limit: number,
  terminal: Terminal,
): Promise<Comparison> {
  const [keys, others] = [left, right].map((file) => chosenNames(columns, file.keys) ?? file.keys) as [
    readonly string[],
    readonly string[],
  ];
  const dtypes = new Map(right.schema.map(({ name, dtype }) => [name, dtype]));
  const schema = [
    ...keys.filter((key) => !others.includes(key)).map((key) => `key ${JSON.stringify(key)} is only in the first`),
    ...others.filter((key) => !keys.includes(key)).map((key) => `key ${JSON.stringify(key)} is only in the second`),
    ...left.schema
      .filter(({ name, dtype }) => keys.includes(name) && dtypes.has(name) && dtypes.get(name) !== dtype)
      .map(({ name, dtype }) => {
        const [one, other] = [dtype ?? 'several', dtypes.get(name) ?? 'several'];
        return `key ${JSON.stringify(name)} is ${one} in the first and ${other} in the second`;
      }),
  ];
  const shared = keys.filter((key) => others.includes(key));
  const cells = new Map<string, number>();
  const examples: CellDifference[] = [];
  const rowCounts = [left.itemCount, right.itemCount] as const;
  const pairOf = async (item: number): Promise<readonly Readonly<Record<string, unknown>>[]> =>
    Promise.all([left, right].map(async (file) => Object.fromEntries(await itemEntries(file, item, shared))));
  let item = -1;
  const both = shared.length === 0 ? 0 : Math.min(left.itemCount, right.itemCount);
  for await (const [a = {}, b = {}] of itemsInTurn(left.isLocal ? right : left, shared, pairOf, both)) {
    item += 1;
    for (const column of shared) {
      if (isSame(a[column], b[column])) continue;
      cells.set(column, (cells.get(column) ?? 0) + 1);
      if (examples.length < limit) examples.push({ row: item, column, left: a[column], right: b[column] });
    }
    terminal.progress(`${count(item + 1)} items compared`);
  }
  const differing = Array.from(cells, ([column, found]) => ({ column, cells: found }));
  const same = schema.length === 0 && rowCounts[0] === rowCounts[1] && differing.length === 0;
  return { same, schema, rowCounts, differing, examples };
}

function isSame(a: unknown, b: unknown): boolean {
  if (!isArray(a) || !isArray(b)) return a === b;
  return Buffer.compare(bytesOfArray(a), bytesOfArray(b)) === 0;
}

/** Where Node has no Float16Array, that of halves is none to ArrayBuffer.isView. */
function isArray(value: unknown): value is ArrayBufferView {
  return dtypeOfArray(value) !== null;
}

function lines({ same, schema, rowCounts, differing, examples }: Comparison, unit: 'row' | 'item'): string[] {
  if (same) return [`the same: ${counted(rowCounts[0], unit)}`];
  const found = [...schema];
  if (rowCounts[0] !== rowCounts[1]) {
    found.push(`${counted(rowCounts[0], unit)} in the first, ${count(rowCounts[1])} in the second`);
  }
  for (const { column, cells } of differing) {
    const name = `${unit === 'row' ? 'column' : 'key'} ${JSON.stringify(column)}`;
    found.push(`${name}: ${count(cells)} ${cells === 1 ? 'cell differs' : 'cells differ'}`);
  }
  if (examples.length === 0) return found;
  const rows = examples.map(({ row, column, left, right }) => [String(row), column, shown(left), shown(right)]);
  return [...found, ...columnsOf([[unit, 'column', 'first', 'second'], ...rows], [true, false, false, false], '  ')];
}

/** As rows show them. */
function withMoments(comparison: Comparison, schema: readonly Field[], isJson: boolean): Comparison {
  const dtypes = new Map(schema.map(({ name, dtype }) => [name, dtype]));
  const examples = comparison.examples.map(({ left, right, ...cell }) => {
    const [one, other] = [left, right].map((value) => momentText(value, dtypes.get(cell.column) ?? 'int64', isJson));
    return { ...cell, left: one, right: other };
  });
  return { ...comparison, examples };
}

/** JSON has no -0, and it may be all that differs. */
function signed(value: unknown): unknown {
  if (Object.is(value, -0)) return '-0';
  if (!isArray(value) || value instanceof Uint8Array) return value;
  return Array.from(value as unknown as ArrayLike<unknown>, signed);
}

function withSigns(comparison: Comparison): Comparison {
  const examples = comparison.examples.map(({ left, right, ...cell }) => ({
    ...cell,
    left: signed(left),
    right: signed(right),
  }));
  return { ...comparison, examples };
}

function shown(value: unknown): string {
  if (Object.is(value, -0)) return '-0';
  const isList = isArray(value) && !(value instanceof Uint8Array);
  const json = isList ? toJson(signed(value)).replaceAll('"-0"', '-0') : toJson(value);
  return isList && json.length > SHOWN_CHARACTERS ? `${json.slice(0, SHOWN_CHARACTERS)}…` : json;
}
