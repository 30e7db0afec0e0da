// What conversions read from: a .cna file, opened for the time of the conversion, or a lazy table of any format, which
// stays open.
import { SOURCE_OPTIONS, option, pickOptions } from '@colkit/io';
import type { Openable, OptionSet } from '@colkit/io';
import { Table } from '@colkit/table';
import { open } from 'columna';
import type { AnyTable, OpenOptions, ReadLimits } from 'columna';

export const OPEN_OPTIONS: OptionSet<OpenOptions> = {
  ...SOURCE_OPTIONS,
  verifyCrc: option.flag,
  limits: option.inner<Partial<ReadLimits>>({
    maxMetadataBytes: option.count('bytes'),
    maxColumns: option.count('columns'),
    maxRecords: option.count('row groups'),
    maxPageBytes: option.count('bytes'),
    maxDecodedBytes: option.count('bytes'),
  }),
};

export interface FromTableOptions extends OpenOptions {
  /** Which columns, in which order; default: all. */
  readonly columns?: readonly string[];
}

export const FROM_TABLE_OPTIONS: OptionSet<FromTableOptions> = { ...OPEN_OPTIONS, columns: option.names };

/** @throws as `open`; UnknownColumnError. */
export async function withTable<T>(
  source: Openable | AnyTable,
  { columns, ...options }: FromTableOptions,
  use: (table: Table) => Promise<T>,
): Promise<T> {
  const chosen = (table: Table): Table => (columns === undefined ? table : table.select(...columns));
  if (source instanceof Table) return use(chosen(new Table(source.view)));
  const table = await open(source as Openable, pickOptions(OPEN_OPTIONS, options));
  try {
    return await use(chosen(table));
  } finally {
    table.close();
  }
}
