// head, tail, get: some rows of a table, or some items.
import { opened } from '../formats/opened.ts';
import type { Opened } from '../formats/opened.ts';
import { printItem } from '../show/show-items.ts';
import { printRows } from '../show/rows.ts';
import { selected } from '../tables/selected.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { COLUMNS, JSON_LINES, UsageError, chosenNames, text, whole } from '../terminal/verb.ts';
import type { JsonOption, Verb } from '../terminal/verb.ts';

const ROWS = 10;
const ITEMS = 5;

interface SomeOptions extends JsonOption {
  readonly columns?: string;
  readonly rows?: number;
}

const OPTIONS = [text(COLUMNS, 'which columns of a table, or keys of items'), JSON_LINES];
const HOW_MANY = `how many, default ${ROWS} rows or ${ITEMS} items`;

function someVerb(name: 'head' | 'tail', which: string): Verb<SomeOptions & { readonly items?: number }> {
  return {
    name,
    summary: `the ${which} rows, or items with long arrays shortened`,
    arguments: ['<FILE>'],
    options: [whole('-n, --rows <N>', HOW_MANY), whole('--items <N>', 'the same'), ...OPTIONS],
    examples: [
      `colkit ${name} orders.cna -n 20 --columns order_id,amount`,
      `colkit ${name} train.syr --items 3 --json`,
    ],
    run: ([path = ''], options, terminal) =>
      opened(path, async (file) => {
        const asked = options.rows ?? options.items;
        if (file.kind === 'table') {
          const rows = asked ?? ROWS;
          const view = selected(file.table, options.columns);
          await printRows(name === 'head' ? view.head(rows) : view.tail(rows), rows, options.json === true, terminal);
          return 0;
        }
        const { itemCount } = file.file;
        const items = Math.min(asked ?? ITEMS, itemCount);
        const start = name === 'head' ? 0 : itemCount - items;
        await printItems(
          file,
          Array.from({ length: items }, (_, at) => start + at),
          options,
          false,
          terminal,
        );
        return 0;
      }),
  };
}

export const head = someVerb('head', 'first');
export const tail = someVerb('tail', 'last');

export const get: Verb<SomeOptions> = {
  name: 'get',
  summary: 'some rows or items, by number (negative from the end) or, in files that have them, by name; arrays whole',
  arguments: ['<FILE>', '<NUMBER...>'],
  options: OPTIONS,
  examples: ['colkit get train.syr 0 -1 --keys label --json', 'colkit get prices.cstore 1000000'],
  run: ([path = '', ...words], options, terminal) =>
    opened(path, async (file) => {
      if (file.kind === 'items') {
        const { itemNames } = file.file;
        const items = words.map((word) =>
          itemNames?.includes(word) === true || !isNumber(word) ? word : Number(word),
        );
        await printItems(file, items, options, true, terminal);
        return 0;
      }
      const wrong = words.find((word) => !isNumber(word));
      if (wrong !== undefined) throw new UsageError(`expected the number of a row but found ${JSON.stringify(wrong)}`);
      const rows = selected(file.table, options.columns).take(words.map(Number));
      await printRows(rows, words.length, options.json === true, terminal);
      return 0;
    }),
};

const isNumber = (word: string): boolean => /^-?\d+$/.test(word);

async function printItems(
  { file }: Extract<Opened, { kind: 'items' }>,
  items: readonly (number | string)[],
  options: SomeOptions,
  whole: boolean,
  terminal: Terminal,
): Promise<void> {
  const keys = chosenNames(options.columns, file.keys) ?? file.keys;
  for (const item of items) await printItem(file, item, { keys, json: options.json === true, whole }, terminal);
}
