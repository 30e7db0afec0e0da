// What people ask of a table: which rows match, and what they add up to by the values of a column.
import type { AggregateSpec, Table } from '@colkit/table';
import { MOST_GROUPS } from '../protocol.ts';
import type { Cell, FilterAnswer, GroupAnswer, GroupQuestion, RowsPage } from '../protocol.ts';

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

export async function rowsOf(table: Table, start: number, end: number, isAll: boolean): Promise<RowsPage> {
  const page = table.slice(start, end);
  const rows = await page.toRows({ json: true });
  return {
    start,
    rowNumbers: isAll ? null : Array.from(page.rowNumbers()),
    rows: rows.map((row) => page.columnNames.map((name) => row[name] as Cell)),
  };
}

/** The groups with the largest values. @throws LimitError beyond 65,536 groups. */
export async function grouped(
  table: Table,
  { by, operation, of }: GroupQuestion,
  signal: AbortSignal,
): Promise<Omit<GroupAnswer, 'bytesRead' | 'requests' | 'milliseconds'>> {
  const spec: AggregateSpec = operation === 'count' ? 'count' : ({ [operation]: of } as AggregateSpec);
  const groups = await table.groupBy(by).agg({ [VALUE]: spec }, { signal });
  const ordered = groups.table.orderBy({ column: VALUE, descending: true }).head(MOST_GROUPS);
  const rows = await ordered.toRows({ json: true });
  return {
    groupCount: groups.rowCount,
    groups: rows.map((row) => ({ key: String(row[by]), value: Number(row[VALUE]) })),
  };
}
