// A table -> the same with the columns, the names and the types that the command line says.
import type { DType } from '@colkit/io';
import type { Table } from '@colkit/table';
import { edit } from 'colstore';
import { UsageError, list, uniquePairs } from '../terminal/verb.ts';
import { selected } from './selected.ts';

export interface ShapeOptions {
  readonly columns?: string;
  readonly rename?: readonly string[];
  readonly dtype?: readonly string[];
}

export const SHAPE_OPTIONS = [
  list('--rename <OLD=NEW>', 'another name for a column; may be repeated'),
  list('--dtype <COLUMN=DTYPE>', 'another type for a column, by its old name; may be repeated'),
];

/** Reads nothing. @throws UsageError, UnknownColumnError; QueryError for a type that values cannot be brought into. */
export function reshaped(table: Table, shape: ShapeOptions): Table {
  const chosen = selected(table, shape.columns);
  if (shape.rename === undefined && shape.dtype === undefined) return chosen;
  return edit(chosen).cast(castTypes(shape)).rename(newNames(shape)).table;
}

/** By the old names. @throws UsageError. */
export function castTypes({ dtype = [] }: ShapeOptions): ReadonlyMap<string, DType> {
  return uniquePairs('dtype', 'COLUMN=DTYPE', dtype) as ReadonlyMap<string, DType>;
}

/** By the old ones. @throws UsageError. */
export function newNames({ rename = [] }: ShapeOptions): ReadonlyMap<string, string> {
  const names = uniquePairs('rename', 'OLD=NEW', rename);
  const after = [...names.values()];
  const twice = after.find((name, number) => after.indexOf(name) !== number);
  if (twice === undefined) return names;
  throw new UsageError(`--rename: expected a name for each column but found ${JSON.stringify(twice)} twice`);
}
