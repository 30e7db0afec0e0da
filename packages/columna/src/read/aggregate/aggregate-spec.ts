// What can be asked of an aggregation, checked against the schema before any page is read.
import { UnknownColumnError, parseDType } from '@colkit/io';
import { parseAggregates as parseSpecs } from '@colkit/table';
import type { StoredFile } from '../file/stored-file.ts';

/**
 * 'count': rows. Otherwise an operation and the column that it is over; `{ count: column }`: its values that are not
 * null.
 */
export type AggregateSpec =
  | 'count'
  | { readonly count: string }
  | { readonly sum: string }
  | { readonly min: string }
  | { readonly max: string }
  | { readonly mean: string };

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

const OPERATIONS: readonly AggregateOperation[] = ['count', 'sum', 'min', 'max', 'mean'];

/** @throws ArgumentError, UnknownColumnError, UnsupportedError ERR_DTYPE for what does not add up or has no order. */
export function parseAggregates(specs: AggregateSpecs, file: StoredFile): readonly Aggregate[] {
  const columns = file.columns.map(({ name, type }, number) => ({ name, number, info: parseDType(type.dtype) }));
  // No other operations are let through.
  return parseSpecs(specs, columns, OPERATIONS).map(({ name, operation, column }) => {
    return { name, operation: operation as AggregateOperation, column: column?.number ?? null };
  });
}

/** @throws UnknownColumnError. */
export function columnNumber(file: StoredFile, name: string): number {
  const column = file.columns.findIndex((each) => each.name === name);
  if (column === -1)
    throw new UnknownColumnError(
      name,
      file.columns.map((each) => each.name),
    );
  return column;
}
