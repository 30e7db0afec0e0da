// What people ask of a table: which rows match, and what they add up to by the values of a column.
import type { AggregateSpec, Table } from '@colkit/table';
import { MOST_GROUPS } from '../protocol.ts';
import type { Cell, FilterAnswer, GroupAnswer, GroupQuestion, RowsPage, RowsQuestion } from '../protocol.ts';

/** Of a cell: nobody reads more in a row of a table. */
const MOST_LETTERS = 500;
/** No column has this name. */
const VALUE = 'value of the group';

/** The rows that match, which are known from then on. */
export async function matching(
  table: Table,
  where: string,
  signal: AbortSignal,
): Promise<{ readonly found: Table; readonly answer: Omit<FilterAnswer, 'bytesRead' | 'requests' | 'milliseconds'> }> {
  if (where.trim() === '') return { found: table, answer: { matched: table.rowCount, explanation: '' } };
  const asked = table.where(where);
  const found = await asked.resolve({ signal });
  return { found, answer: { matched: found.rowCount, explanation: await asked.explain() } };
}

/** `isAll`: rows are numbered as they lie. */
export async function rowsOf(table: Table, question: RowsQuestion, isAll: boolean): Promise<RowsPage> {
  const { start, end, columns } = question;
  const page = table.slice(start, end).select(...table.columnNames.slice(columns.start, columns.end));
  const rows = await page.toRows({ json: true });
  return {
    start,
    rowNumbers: isAll ? null : Array.from(page.rowNumbers()),
    rows: rows.map((row) => page.columnNames.map((name) => shown(row[name] as Cell))),
  };
}

export function shown(cell: Cell): Cell {
  return typeof cell === 'string' && cell.length > MOST_LETTERS ? `${cell.slice(0, MOST_LETTERS)}…` : cell;
}

/** The groups with the largest values. @throws LimitError beyond 16,777,215 groups. */
export async function grouped(
  table: Table,
  { by, operation, of }: GroupQuestion,
  signal: AbortSignal,
): Promise<Omit<GroupAnswer, 'bytesRead' | 'requests' | 'milliseconds'>> {
  const spec: AggregateSpec = operation === 'count' ? 'count' : ({ [operation]: of } as AggregateSpec);
  const groups = await table.groupBy(by).agg({ [VALUE]: spec }, { signal });
  const ordered = groups.table.orderBy({ column: VALUE, descending: true }).head(MOST_GROUPS);
  const rows = await ordered.toRows({ json: true });
  const isNumber = /^(u?int|float|decimal)/.test(ordered.schema.find(({ name }) => name === VALUE)?.dtype ?? '');
  return {
    groupCount: groups.rowCount,
    groups: rows.map((row) => {
      const value = row[VALUE] as Cell;
      // Large integers and decimals are texts.
      const size = isNumber && value !== null ? Number(value) : NaN;
      return { key: shown(row[by] as Cell), value: shown(value), size: Number.isFinite(size) ? size : null };
    }),
  };
}
