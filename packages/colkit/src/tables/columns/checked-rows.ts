// Columns whose values may be refused when they are read, read once before anything is written: an error names the row.
import { ArgumentError } from '@colkit/io';
import type { Table } from '@colkit/table';

const BATCH_ROWS = 65_536;

/** @throws ArgumentError ERR_VALUE naming file, row and column; what else reading throws. */
export async function checkRows(table: Table, names: readonly string[], path: string): Promise<void> {
  for (const name of new Set(names)) {
    const column = table.select(name);
    const rowCount = await column.count();
    for (let start = 0; start < rowCount; start += BATCH_ROWS) {
      const error = await faultOf(column.slice(start, start + BATCH_ROWS));
      if (error !== null) throw await atRow(error, column, name, path, start, Math.min(rowCount, start + BATCH_ROWS));
    }
  }
}

async function faultOf(rows: Table): Promise<ArgumentError | null> {
  try {
    const batches = rows.batches({ strings: 'dictionary' });
    while ((await batches.next()).done !== true);
    return null;
  } catch (error) {
    if (error instanceof ArgumentError && error.code === 'ERR_VALUE') return error;
    throw error;
  }
}

/** The first row that is refused on its own, found by halves. */
async function atRow(
  error: ArgumentError,
  column: Table,
  name: string,
  path: string,
  start: number,
  end: number,
): Promise<ArgumentError> {
  let [first, last, fault] = [start, end, error];
  while (last - first > 1) {
    const middle = (first + last) >>> 1;
    const before = await faultOf(column.slice(first, middle));
    if (before === null) first = middle;
    else [last, fault] = [middle, before];
  }
  if (last - first === 1) fault = (await faultOf(column.slice(first, last))) ?? fault;
  const where = `${path}: row ${String(first)}: column ${JSON.stringify(name)}`;
  return new ArgumentError('ERR_VALUE', where, fault.expected, fault.found);
}
