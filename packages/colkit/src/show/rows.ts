// A view of a table -> its rows on the terminal: a text table, or one JSON object a line.
import { toISO } from '@colkit/table';
import type { Field, Table } from '@colkit/table';
import { toJson } from '../terminal/json.ts';
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

/** Rows as lines of JSON, in which moments are ISO 8601 text. Names keep their order, whatever they are. */
export async function* rowLines(view: Table): AsyncGenerator<string> {
  const { schema } = view;
  for await (const row of view.rows()) {
    const values = row as Readonly<Record<string, unknown>>;
    const cells = schema.map((field) => `${JSON.stringify(field.name)}:${toJson(jsonCell(values[field.name], field))}`);
    yield `{${cells.join(',')}}`;
  }
}

function jsonCell(value: unknown, { dtype }: Field): unknown {
  return typeof value === 'bigint' && dtype.startsWith('datetime64') ? toISO(value, dtype) : value;
}
