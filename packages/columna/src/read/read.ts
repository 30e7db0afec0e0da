// read: columns of a file as arrays, in one call.
import { ArgumentError } from '@colkit/io';
import type { Openable } from '@colkit/io';
import { tableOf } from '@colkit/table';
import type { ColumnsOptions, ColumnsResult, Table, TableTypes } from '@colkit/table';
import { withFile, withFileSync } from './open.ts';
import type { OpenOptions } from './open.ts';
import { StoredTable } from './stored-table.ts';

export interface ReadOptions extends OpenOptions, Omit<ColumnsOptions, 'signal'> {
  /** Which columns, in which order; default: all. Only their chunks are read. */
  readonly columns?: readonly string[];
}

/**
 * Reads columns of a .cna file: a null-prototype object of arrays by name, copied. bigint arrays for 64-bit integers, dates and datetimes (days, microseconds), arrays with null for columns
 * that may hold nulls; see `ColumnsOptions` for the other forms. Nothing stays open.
 * @throws as `open`; UnknownColumnError.
 */
export async function read<const O extends ReadOptions = object>(source: Openable, options?: O): Promise<ColumnsResult<TableTypes, O>> {
  const given: ReadOptions = options ?? {};
  return withFile(source, given, async ({ file }) => (await selected(tableOf(new StoredTable(file)), given.columns).toColumns(columnsOptions(given))) as ColumnsResult<TableTypes, O>);
}

/** The Sync twin of `read`, for local files and bytes. */
export function readSync<const O extends ReadOptions = object>(source: Openable, options?: O): ColumnsResult<TableTypes, O> {
  const given: ReadOptions = options ?? {};
  return withFileSync(source, given, ({ file }) => selected(tableOf(new StoredTable(file)), given.columns).toColumnsSync(columnsOptions(given)) as ColumnsResult<TableTypes, O>);
}

/** @throws ArgumentError; UnknownColumnError. */
export function selected(table: Table, columns: readonly string[] | undefined): Table {
  if (columns === undefined) return table;
  const names: unknown = columns;
  if (!Array.isArray(names) || names.some((name) => typeof name !== 'string')) throw new ArgumentError('ERR_ARGUMENT', 'options.columns', 'an array of names', typeof names);
  return table.select(...columns);
}

/** What of the options the table layer decides on. */
export function columnsOptions({ int64, nulls, strings, workers, signal, transferable, out }: ReadOptions): ColumnsOptions {
  return {
    ...(int64 === undefined ? {} : { int64 }),
    ...(nulls === undefined ? {} : { nulls }),
    ...(strings === undefined ? {} : { strings }),
    ...(workers === undefined ? {} : { workers }),
    ...(signal === undefined ? {} : { signal }),
    ...(transferable === undefined ? {} : { transferable }),
    ...(out === undefined ? {} : { out }),
  };
}
