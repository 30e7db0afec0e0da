// What a user hands to a streaming writer as one record -> input columns that fit the file.
import { isMap } from '@colkit/io';
import { Column, Table, toInputColumns } from '@colkit/table';
import type { InputColumns, TableInput } from '@colkit/table';
import type { StoredColumn } from '../layout/manifest.ts';
import type { WriteInput } from '../write/write.ts';

/** @throws ArgumentError ERR_SCHEMA, ERR_VALUE; UnsupportedError ERR_DTYPE. */
export function recordInput(data: WriteInput, columns: readonly StoredColumn[] | null): InputColumns {
  const given = data instanceof Table ? new Table(data.view) : (data as TableInput);
  if (columns === null) return toInputColumns(given, { nulls: 'refuse' });
  const schema = columns.map(({ name, dtype }) => ({ name, dtype: dtype.name }));
  return toInputColumns(given, { nulls: 'refuse', schema });
}

/** Whether there is no column at all, and so no record. */
export function isNothing(data: WriteInput): boolean {
  const given: unknown = data;
  if (typeof given !== 'object' || given === null) return false;
  if (isMap(given)) return given.size === 0;
  if (Array.isArray(given)) return given.length === 0;
  const prototype: unknown = Object.getPrototypeOf(given);
  return (prototype === Object.prototype || prototype === null) && Object.keys(given).length === 0;
}

/** Whether predicates have to be looked at before it is known how many rows these are. */
export function hasPredicate(data: WriteInput): boolean {
  return columnsIn(data).some((each) => each.view.pending.length > 0);
}

/** Whether values have to be read from somewhere. */
export function isLazy(data: WriteInput): boolean {
  return columnsIn(data).length > 0 || isColumnsOfAWriter(data);
}

function columnsIn(data: WriteInput): readonly (Pick<Table, 'view'> | Pick<Column, 'view'>)[] {
  if (data instanceof Table) return [data];
  if (typeof data !== 'object' || (data as object | null) === null || ArrayBuffer.isView(data)) return [];
  if (isMap(data)) return [...(data.values() as Iterable<unknown>)].filter(isColumn);
  if (!Array.isArray(data)) return Object.values(data).filter(isColumn);
  return (data as readonly unknown[]).flatMap((pair) => (Array.isArray(pair) && isColumn(pair[1]) ? [pair[1]] : []));
}

const isColumn = (values: unknown): values is Column => values instanceof Column;

const isColumnsOfAWriter = (data: WriteInput): boolean =>
  'columns' in data && 'fields' in data && 'rowCount' in data && Array.isArray(data.columns);
