// A table -> the columns of it that were asked for.
import type { Table } from '@colkit/table';
import { chosenNames } from '../terminal/verb.ts';

/** @throws UsageError; UnknownColumnError. */
export function selected(table: Table, asked: string | undefined): Table {
  const names = chosenNames(asked, table.columnNames);
  return names === undefined ? table : table.select(...names);
}
