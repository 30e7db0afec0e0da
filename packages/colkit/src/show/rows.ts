// A view of a table -> its rows on the terminal: a text table, or one JSON object a line.
import type { Table } from '@colkit/table';
import { jsonRows } from '@colkit/table/json';
import type { Terminal } from '../terminal/terminal.ts';

/** Columns of a text table; `--columns` chooses others. */
const MOST_COLUMNS = 24;

export async function printRows(view: Table, rowCount: number, isJson: boolean, terminal: Terminal): Promise<void> {
  if (isJson) {
    for await (const rows of jsonRows(view)) for (const row of rows) terminal.print(row);
    return;
  }
  const shown = await view.preview({ rows: Math.max(1, rowCount), columns: MOST_COLUMNS });
  for (const line of shown.split('\n')) terminal.print(line);
}
