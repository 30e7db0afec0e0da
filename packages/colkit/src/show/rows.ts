// A view of a table -> its rows on the terminal: a text table, or one JSON object a line.
import type { Table } from '@colkit/table';
import type { Terminal } from '../terminal/terminal.ts';

/** Columns of a text table; `--columns` chooses others. */
const MOST_COLUMNS = 24;

export async function printRows(view: Table, rowCount: number, isJson: boolean, terminal: Terminal): Promise<void> {
  if (isJson) {
    for await (const line of rowLines(view)) terminal.print(line);
    return;
  }
  const shown = await view.preview({ rows: Math.max(1, rowCount), columns: MOST_COLUMNS });
  for (const line of shown.split('\n')) terminal.print(line);
}

/** Rows as lines of JSON: see `JsonOptions`. Names keep their order, whatever they are. */
export async function* rowLines(view: Table): AsyncGenerator<string> {
  const names = view.columnNames.map((name) => [name, JSON.stringify(name)] as const);
  for await (const row of view.rows({ json: true })) {
    const values = row as Readonly<Record<string, unknown>>;
    yield `{${names.map(([name, key]) => `${key}:${JSON.stringify(values[name])}`).join(',')}}`;
  }
}
