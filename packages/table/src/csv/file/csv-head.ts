// The first bytes of a file -> the names of its columns and where its rows begin.
import { ArgumentError, LimitError, UnknownColumnError } from '@colkit/io';
import type { RandomAccessSource } from '@colkit/io';
import { cellText } from '../cells/cell-text.ts';
import type { CsvPlan } from './csv-options.ts';
import { requireText } from '../../text-input/decompress.ts';
import { PLAIN } from '../../text-input/cells/cell-flags.ts';
import { NO_UTF8_REMEDY } from '../../text-input/rejected-rows.ts';
import type { Tokenizer } from '../cells/tokenizer.ts';
import { numberedName } from '../../field.ts';
import { isUtf8 } from '../../values/utf8.ts';

/** Bytes of a block: some ten milliseconds of work. */
export const HEAD_BYTES = 1 << 20;
export const LONGEST_ROW = 1 << 28;
const BOM = [0xef, 0xbb, 0xbf];
/** What separates cells in many files. */
const OTHER_SEPARATORS = [';', '\t', '|', ','];
const MORE_CELLS = 'rows have one cell more than the header; { names } names all columns';
const LF = 10;
const CR = 13;

export interface CsvHead {
  /** Of all cells of a row. */
  readonly names: readonly string[];
  /** The cells of a row that are columns, in their order. */
  readonly columns: readonly number[];
  /** Where the rows begin. */
  readonly byteOffset: number;
  /** Lines before that. */
  readonly lines: number;
  /** Of names that are not those of the header. */
  readonly notes: readonly CsvNote[];
  /** What may be wrong with all of its rows: the separator, or a name that the header lacks. */
  readonly doubt: string | null;
}

/** What came of a column that its values do not show. */
export interface CsvNote {
  readonly column: string;
  readonly note: string;
}

export async function readHead(
  source: RandomAccessSource,
  path: string,
  plan: CsvPlan,
  tokenizer: Tokenizer,
): Promise<CsvHead> {
  const bytes = new Uint8Array(Math.min(HEAD_BYTES, source.byteLength));
  await source.read(0, bytes, plan.signal ?? undefined);
  requireText(bytes, path, 'CSV');
  const start = BOM.every((byte, index) => bytes[index] === byte) ? BOM.length : 0;
  const head = bytes.subarray(start);
  const consumed = tokenizer.tokenize(head, head.length, bytes.length === source.byteLength, 1);
  requireLineFeeds(head, tokenizer, path);
  if (tokenizer.rowCount === 0 && bytes.length < source.byteLength)
    throw new LimitError('ERR_LIMIT', `${path}: bytes of the first row`, HEAD_BYTES, source.byteLength);
  const cells = tokenizer.rowCells[1] ?? 0;
  const count = tokenizer.rowCount === 0 ? 0 : cells;
  if (count === 0 && plan.names === null) throw new ArgumentError('ERR_SCHEMA', path, 'at least one column', 'no rows');
  if (plan.header && tokenizer.hasMalformed)
    throw new ArgumentError('ERR_VALUE', `${path}: line 1`, 'quotes in pairs', 'broken ones');
  if (plan.header && plan.names === null && !isUtf8(head.subarray(0, consumed)))
    throw new ArgumentError(
      'ERR_VALUE',
      `${path}: line 1`,
      'names in UTF-8 ({ names } gives others)',
      `other bytes; ${NO_UTF8_REMEDY}`,
    );
  const cellTexts = Array.from({ length: count }, (_, cell) =>
    plan.header ? cellText(head, tokenizer, tokenizer.quote, cell) : '',
  );
  const own = plan.header
    ? columnNames(cellTexts, tokenizer.flags, plan.dialect.separator)
    : { names: cellTexts.map((_, cell) => numberedName(cell, count)), notes: [], doubt: null };
  const { lineCount } = tokenizer;
  const rest = head.subarray(consumed);
  tokenizer.tokenize(rest, rest.length, bytes.length === source.byteLength, 1);
  // R writes the names of its rows into a column for which the header has none.
  const hasMore = plan.header && tokenizer.rowCount > 0 && tokenizer.rowCells[1] === count + 1;
  const areOfRows = hasMore && plan.names?.length === count + 1;
  if (plan.names !== null && count !== 0 && plan.names.length !== count && !areOfRows)
    throw new ArgumentError(
      'ERR_SCHEMA',
      'names',
      `${String(count)} names, as many as there are columns`,
      String(plan.names.length),
    );
  const { names, notes } = plan.names === null ? own : { names: plan.names, notes: [] };
  const doubt = (plan.names === null ? own.doubt : null) ?? (hasMore && !areOfRows ? MORE_CELLS : null);
  const known = new Set<string>();
  const twice = names.find((name) => known.size === known.add(name).size);
  if (twice !== undefined)
    throw new ArgumentError('ERR_SCHEMA', path, 'each column name once', `${JSON.stringify(twice)} twice`);
  for (const name of plan.types.keys())
    if (!known.has(name))
      throw new ArgumentError(
        'ERR_SCHEMA',
        'types',
        `columns of ${path}: ${names.slice(0, 20).join(', ')}`,
        JSON.stringify(name),
      );
  const columns = plan.columns === null ? [...names.keys()] : chosenCells(plan.columns, names);
  return plan.header
    ? { names, columns, byteOffset: start + consumed, lines: lineCount, notes, doubt }
    : { names, columns, byteOffset: start, lines: 0, notes, doubt };
}

/** @throws UnknownColumnError; ArgumentError ERR_SCHEMA for none, and for one that is there twice. */
function chosenCells(chosen: readonly string[], names: readonly string[]): number[] {
  if (chosen.length === 0) throw new ArgumentError('ERR_SCHEMA', 'columns', 'at least one column', 'none');
  const cells = new Map(names.map((name, cell) => [name, cell]));
  const known = new Set<string>();
  return chosen.map((name) => {
    const cell = cells.get(name);
    if (cell === undefined) throw new UnknownColumnError(name, names);
    if (known.size === known.add(name).size)
      throw new ArgumentError('ERR_SCHEMA', 'columns', 'each column once', `${JSON.stringify(name)} twice`);
    return cell;
  });
}

/**
 * As DuckDB names them: where the header has nothing but blanks `column0`, `column1`, …, by index; where it has a
 * name again, `a_1`, `a_2`, …. (But names keep their blanks, blanks in quotes are a name, and `a` and `A` are two.)
 */
function columnNames(
  cells: readonly string[],
  flags: Uint8Array,
  separator: number,
): Pick<CsvHead, 'names' | 'notes' | 'doubt'> {
  const uses = new Map<string, number>();
  const notes: CsvNote[] = [];
  const [only = ''] = cells;
  const other = OTHER_SEPARATORS.find((each) => each.charCodeAt(0) !== separator && only.includes(each));
  const doubt = cells.length === 1 && other !== undefined ? `${JSON.stringify(other)} may be the separator` : null;
  if (doubt !== null) notes.push({ column: only, note: `it is the only one; ${doubt}` });
  const names = cells.map((cell, index) => {
    const isNone = cell === '' || (flags[index] === PLAIN && cell.trim() === '');
    const own = isNone ? numberedName(index, cells.length) : cell;
    let name = own;
    for (let times = uses.get(name); times !== undefined; times = uses.get(name)) {
      uses.set(name, times + 1);
      name = `${name}_${String(times + 1)}`;
    }
    uses.set(name, 0);
    if (own !== cell) notes.push({ column: name, note: 'the header has no name for it' });
    else if (name !== own)
      notes.push({ column: name, note: `the header calls it ${JSON.stringify(own)}, as one before it` });
    return name;
  });
  return { names, notes, doubt };
}

/** A file whose lines end in CR alone would be one line of names. */
function requireLineFeeds(
  head: Uint8Array,
  { rowCount, rowCells, starts, ends, flags }: Tokenizer,
  path: string,
): void {
  if (head.includes(LF) || !head.includes(CR)) return;
  const cells = rowCount === 0 ? 0 : (rowCells[1] as number);
  const within = (cell: number): boolean =>
    flags[cell] === PLAIN && head.subarray(starts[cell], ends[cell]).includes(CR);
  if (rowCount === 0 || Array.from({ length: cells }, (_, cell) => cell).some(within))
    throw new ArgumentError('ERR_VALUE', path, 'lines that end in LF or CRLF', 'CR alone');
}
