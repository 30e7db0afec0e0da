// stats: of every column of a table its smallest and largest value, mean and spread; from the statistics of the file
// where it has them.
import { dtypeFacts, parseDType } from '@colkit/io';
import type { Field, Table } from '@colkit/table';
import { opened } from '../formats/opened.ts';
import { momentText } from '../show/moment-text.ts';
import { columnsOf } from '../show/text-columns.ts';
import { toJson } from '../terminal/json.ts';
import { AS_JSON, COLUMNS, UsageError, chosenNames, text } from '../terminal/verb.ts';
import type { JsonOption, Verb } from '../terminal/verb.ts';

interface StatsOptions extends JsonOption {
  readonly columns?: string;
}

const MEASURES = ['count', 'min', 'max', 'mean', 'std'] as const;
type Measure = (typeof MEASURES)[number];

export const stats: Verb<StatsOptions> = {
  name: 'stats',
  summary: 'of every column of a table: how many values, smallest, largest, mean, standard deviation',
  arguments: ['<FILE>'],
  options: [text(COLUMNS, 'of these columns only'), AS_JSON],
  examples: ['colkit stats orders.cstore', 'colkit stats orders.cna --columns amount,qty --json'],
  run: ([path = ''], { columns, json }, terminal) =>
    opened(path, async (file) => {
      if (file.kind === 'items') throw new UsageError('stats: only for tables, and this is a .syr file');
      const { table } = file;
      const names = chosenNames(columns, table.columnNames) ?? table.columnNames;
      const found: Record<string, unknown>[] = [];
      for (const name of names) {
        terminal.progress(`reading ${name}`);
        // Of thousands of columns each is a table of its own: what is asked of one does not look through the others.
        found.push(await measured(table.select(name), json === true));
      }
      terminal.progress(null);
      if (json === true) terminal.json(found, 2);
      else for (const line of linesOf(found)) terminal.print(line);
      return 0;
    }),
};

/** What does not make sense of a type is left out: text has no mean. */
function measuresOf({ dtype }: Field): readonly Measure[] {
  const { adds, isNumber, orders } = dtypeFacts(parseDType(dtype));
  return adds && isNumber ? MEASURES : orders ? ['count', 'min', 'max'] : ['count'];
}

/** @param table of one column. */
async function measured(table: Table, isJson: boolean): Promise<Record<string, unknown>> {
  const field = table.schema[0] as Field;
  const { name, dtype } = field;
  const wanted = measuresOf(field).map((measure) => [measure, { [measure]: name }] as const);
  const answer = (await table.agg(Object.fromEntries(wanted) as never)) as Readonly<Record<string, unknown>>;
  const values = MEASURES.flatMap((measure) =>
    measure in answer ? [[measure, momentText(answer[measure], dtype, isJson)] as const] : [],
  );
  return { column: name, dtype, ...Object.fromEntries(values) };
}

function linesOf(found: readonly Readonly<Record<string, unknown>>[]): string[] {
  const cell = (value: unknown): string =>
    value === undefined ? '' : typeof value === 'string' ? value : toJson(value).replace(/^"|"$/g, '');
  const head = ['column', 'type', ...MEASURES];
  const rows = found.map((row) => [
    cell(row['column']),
    cell(row['dtype']),
    ...MEASURES.map((each) => cell(row[each])),
  ]);
  return columnsOf([head, ...rows], [false, false, true, true, true, true, true], '');
}
