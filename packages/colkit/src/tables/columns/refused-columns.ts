// Columns of a file of another format for which there is no type here: what is said of them, and what helps.
import { UnsupportedError } from '@colkit/io';

/** What becomes of lists, structs and maps: an error, or texts of JSON. */
export type NestedColumns = 'refuse' | 'text';

/** How a column is left out in a call; the command has words of its own. */
export const LEAVE_OUT = 'choose other columns with { columns }';
/** What is told of a column that became text. */
export const NESTED_NOTE = 'nested values became text, as JSON';
const KEEP_NESTED = "{ nested: 'text' } keeps lists, structs and maps as text";
const MOST_SHOWN = 20;

interface RefusedColumns {
  readonly path: string;
  /** What the first one is. */
  readonly what: string;
  /** Of the columns; at least one. */
  readonly names: readonly string[];
  /** Those that can be imported. */
  readonly others: readonly string[];
  /** Whether the first one could become text. */
  readonly mayBeText: boolean;
}

export function columnsRefused({ path, what, names, others, mayBeText }: RefusedColumns): UnsupportedError {
  const [first = '', ...more] = names;
  const also =
    more.length === 0
      ? ''
      : ` (nor for ${shown(
          more.map((name) => JSON.stringify(name)),
          ', ',
        )})`;
  const left = others.length === 0 ? LEAVE_OUT : `${LEAVE_OUT}: ${shown(others, ',')}`;
  const remedy = mayBeText
    ? `${KEEP_NESTED}, or ${left}`
    : others.length === 0
      ? 'no column that is asked for can be imported'
      : left;
  return new UnsupportedError(
    'ERR_DTYPE',
    what,
    `${path}: column ${JSON.stringify(first)}: a .cna file has no type for ${what}${also}; ${remedy}`,
  );
}

function shown(names: readonly string[], between: string): string {
  return `${names.slice(0, MOST_SHOWN).join(between)}${names.length > MOST_SHOWN ? `${between}…` : ''}`;
}
