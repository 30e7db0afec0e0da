// A view of a table -> its rows on the terminal: a text table, or one JSON object a line.
import { toJson } from '@colkit/io/command';
import type { Terminal } from '@colkit/io/command';
import { toISO } from '@colkit/table';
import type { Field, Table } from '@colkit/table';

/** Columns of a text table; `--columns` chooses others. */
const MOST_COLUMNS = 24;

export async function printRows(view: Table, rowCount: number, isJson: boolean, terminal: Terminal): Promise<void> {
  if (isJson) {
    const names = view.columnNames;
    const fields = new Map(view.schema.map((field) => [field.name, field]));
    for await (const row of view.rows()) terminal.print(rowJson(names, names.map((name) => (row as Record<string, unknown>)[name]), fields));
    return;
  }
  const text = await view.preview({ rows: Math.max(1, rowCount), columns: MOST_COLUMNS });
  for (const line of text.split('\n')) terminal.print(line);
}

/** A row in which times are ISO 8601 text, as one line. Names keep their order, whatever they are. */
function rowJson(names: readonly string[], values: readonly unknown[], fields: ReadonlyMap<string, Field>): string {
  const cells = names.map((name, i) => {
    const value = values[i];
    const dtype = fields.get(name)?.dtype;
    const shown = typeof value === 'bigint' && dtype?.startsWith('datetime64') === true ? toISO(value, dtype) : value;
    return `${JSON.stringify(name)}:${toJson(shown)}`;
  });
  return `{${cells.join(',')}}`;
}
