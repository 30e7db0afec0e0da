// A view of a table -> its rows on the terminal: a text table, or one JSON object a line.
import type { Table } from '@colkit/table';
import { rowJson } from './json.ts';
import type { Terminal } from './terminal.ts';

/** Columns of a text table; `--columns` chooses others. */
const MOST_COLUMNS = 24;

export async function printRows(view: Table, rowCount: number, isJson: boolean, terminal: Terminal): Promise<void> {
  if (isJson) {
    const names = view.columnNames;
    const fields = new Map(view.schema.map((field) => [field.name, field]));
    for await (const row of view.rows()) terminal.print(rowJson(names, names.map((name) => (row as Record<string, unknown>)[name]), fields));
    return;
  }
  terminal.print(await view.preview({ rows: Math.max(1, rowCount), columns: MOST_COLUMNS }));
}
