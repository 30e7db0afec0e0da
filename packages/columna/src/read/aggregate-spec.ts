// What can be asked of an aggregation, checked against the schema before any page is read.
import { ArgumentError, UnknownColumnError, UnsupportedError, describeValue, isByName } from '@colkit/io';
import type { ColumnType } from '../layout/column-type.ts';
import type { StoredFile } from './stored-file.ts';

/** 'count': rows. Otherwise an operation and the column that it is over; `{ count: column }`: its values that are not null. */
export type AggregateSpec =
  | 'count' | { readonly count: string } | { readonly sum: string } | { readonly min: string } | { readonly max: string } | { readonly mean: string };

/** By the name of the result. */
export type AggregateSpecs = Readonly<Record<string, AggregateSpec>>;

/** A sum of 64-bit integers is a bigint; so are 64-bit integers, dates (days) and datetimes (microseconds). */
export type AggregateValue = number | bigint | string | boolean | null;

/** One array a column: the group's values first (byte arrays where it is binary), then the aggregates. */
export type GroupedColumns = Readonly<Record<string, readonly (AggregateValue | Uint8Array)[]>>;

export type AggregateOperation = 'count' | 'sum' | 'min' | 'max' | 'mean';

export interface Aggregate {
  readonly name: string;
  readonly operation: AggregateOperation;
  /** Null: rows are counted. */
  readonly column: number | null;
}

const OPERATIONS: readonly string[] = ['count', 'sum', 'min', 'max', 'mean'] satisfies readonly AggregateOperation[];

/** @throws ArgumentError, UnknownColumnError, UnsupportedError ERR_DTYPE for what does not add up or has no order. */
export function parseAggregates(specs: AggregateSpecs, file: StoredFile): readonly Aggregate[] {
  const given: unknown = specs;
  if (!isByName(given) || given instanceof Map) throw new ArgumentError('ERR_ARGUMENT', 'aggregates', 'an object of aggregates by name', describeValue(given));
  return Object.entries(specs).map(([name, spec]) => {
    if (spec === 'count') return { name, operation: 'count', column: null };
    const asked: unknown = spec;
    const [entry, ...more] = typeof asked === 'object' && asked !== null ? (Object.entries(asked) as [string, unknown][]) : [];
    if (entry === undefined || more.length > 0 || !OPERATIONS.includes(entry[0]) || typeof entry[1] !== 'string') {
      throw new ArgumentError('ERR_ARGUMENT', `aggregates.${name}`, "'count' or an object of one of count, sum, min, max and mean with a column", describeSpec(asked));
    }
    const operation = entry[0] as AggregateOperation;
    const column = columnNumber(file, entry[1]);
    checkType(operation, file.column(column).type);
    return { name, operation, column };
  });
}

function describeSpec(asked: unknown): string {
  if (!isByName(asked)) return describeValue(asked);
  return `{ ${Object.entries(asked).map(([operation, column]) => `${operation}: ${describeValue(column)}`).join(', ')} }`;
}

/** @throws UnknownColumnError. */
export function columnNumber(file: StoredFile, name: string): number {
  const column = file.columns.findIndex((each) => each.name === name);
  if (column === -1) throw new UnknownColumnError(name, file.columns.map((each) => each.name));
  return column;
}

function checkType(operation: AggregateOperation, type: ColumnType): void {
  const adds = type.domain !== 'strings' && type.name !== 'date' && type.name !== 'datetime';
  if ((operation === 'sum' || operation === 'mean') && !adds) {
    throw new UnsupportedError('ERR_DTYPE', type.dtype, `${operation}: ${type.dtype} values do not add up; sums are of integers, floats and booleans`);
  }
  if ((operation === 'min' || operation === 'max') && type.name === 'binary') throw new UnsupportedError('ERR_DTYPE', type.dtype, `${operation}: binary values have no order`);
}
