// What conversions read from: a .cna file, opened for the time of the conversion, or a lazy table of any format, which
// stays open.
import { option, pickOptions } from '@colkit/io';
import type { Openable, OptionSet } from '@colkit/io';
import { Table } from '@colkit/table';
import { OPEN_OPTIONS, open } from '../read/open.ts';
import type { OpenOptions } from '../read/open.ts';
import { selected } from '../read/read.ts';
import type { AnyTable } from '../write/batch-input.ts';

export interface FromTableOptions extends OpenOptions {
  /** Which columns, in which order; default: all. */
  readonly columns?: readonly string[];
}

export const FROM_TABLE_OPTIONS: OptionSet<FromTableOptions> = { ...OPEN_OPTIONS, columns: option.names };

/** @throws as `open`; UnknownColumnError. */
export async function withTable<T>(
  source: Openable | AnyTable,
  options: FromTableOptions,
  use: (table: Table) => Promise<T>,
): Promise<T> {
  if (source instanceof Table) return use(selected(new Table(source.view), options.columns));
  const table = await open(source as Openable, pickOptions(OPEN_OPTIONS, options));
  try {
    return await use(selected(table, options.columns));
  } finally {
    table.close();
  }
}
