// What can be asked of an aggregation, `{ n: 'count', total: { sum: 'amount' } }`, checked against the columns before
// anything is read.
import {
  ArgumentError,
  UnknownColumnError,
  UnsupportedError,
  describeValue,
  dtypeFacts,
  isByName,
  isMap,
  nearestName,
} from '@colkit/io';
import type { DType, DTypeInfo } from '@colkit/io';
import type { SumOf, TableTypes, ValueOf } from '../schema.ts';

import { checkGrouped, noOrder } from './value-checks.ts';

/**
 * 'count': rows. Otherwise an operation and the column that it is over: `count` (values that are not null), `sum`,
 * `min`, `max`, `mean`, `std` and `var` (of a sample: n - 1), `countDistinct` (nulls are none), `first` and `last` (in
 * the order of the rows, nulls passed over).
 */
export type AggregateSpec<Name extends string = string> =
  | 'count'
  | { readonly count: Name }
  | { readonly sum: Name }
  | { readonly min: Name }
  | { readonly max: Name }
  | { readonly mean: Name }
  | { readonly std: Name }
  | { readonly var: Name }
  | { readonly countDistinct: Name }
  | { readonly first: Name }
  | { readonly last: Name };

/** By the name of the result. */
export type AggregateSpecs<Name extends string = string> = Readonly<Record<string, AggregateSpec<Name>>>;

export type AggregateOperation =
  | 'count'
  | 'sum'
  | 'min'
  | 'max'
  | 'mean'
  | 'std'
  | 'var'
  | 'countDistinct'
  | 'first'
  | 'last';

const AGGREGATE_OPERATIONS: readonly AggregateOperation[] = [
  'count',
  'sum',
  'min',
  'max',
  'mean',
  'std',
  'var',
  'countDistinct',
  'first',
  'last',
];

/** What one aggregate gives. */
export type AggregateOf<S extends TableTypes, A> = A extends
  | 'count'
  | { readonly count: string }
  | { readonly countDistinct: string }
  ? number
  : A extends { readonly mean: string } | { readonly std: string } | { readonly var: string }
    ? number
    : A extends { readonly sum: infer Name }
      ? Name extends keyof S
        ? SumOf<S[Name]['dtype']>
        : never
      : A extends
            | { readonly min: infer Name }
            | { readonly max: infer Name }
            | { readonly first: infer Name }
            | { readonly last: infer Name }
        ? Name extends keyof S
          ? ValueOf<S[Name]['dtype']> | null
          : never
        : never;

/** What a set of aggregates gives, by name. */
export type AggregatesOf<S extends TableTypes, A> = { readonly [Name in keyof A]: AggregateOf<S, A[Name]> };

/** One aggregate that was checked. */
export interface Aggregate<C extends AggregatedColumn = AggregatedColumn> {
  readonly name: string;
  readonly operation: AggregateOperation;
  /** Null: rows are counted. */
  readonly column: C | null;
}

/** What is known of a column. */
export interface AggregatedColumn {
  readonly name: string;
  readonly info: DTypeInfo;
}

/**
 * @throws ArgumentError naming the nearest operation; UnknownColumnError; UnsupportedError ERR_DTYPE for what does not
 * add up or has no order.
 */
export function parseAggregates<C extends AggregatedColumn>(
  specs: AggregateSpecs,
  columns: readonly C[],
): readonly Aggregate<C>[] {
  const given: unknown = specs;
  if (!isByName(given) || isMap(given)) {
    throw new ArgumentError('ERR_ARGUMENT', 'aggregates', 'an object of aggregates by name', describeValue(given));
  }
  const byName = new Map(columns.map((column) => [column.name, column]));
  return Object.entries(given).map(([name, spec]) => {
    if (spec === 'count') return { name, operation: 'count', column: null };
    const { operation, column: asked } = parseOne(name, spec);
    const column = byName.get(asked);
    if (column === undefined)
      throw new UnknownColumnError(
        asked,
        columns.map((each) => each.name),
      );
    checkType(operation, column.info);
    return { name, operation, column };
  });
}

/** An operation and the name of its column. */
function parseOne(name: string, spec: unknown): { readonly operation: AggregateOperation; readonly column: string } {
  const argument = `aggregates.${name}`;
  const expected = `'count' or an object of one of ${listText(AGGREGATE_OPERATIONS)} with a column`;
  if (typeof spec !== 'object' || spec === null || Array.isArray(spec))
    throw misread(argument, expected, describeValue(spec), spec, (operation) =>
      operation === 'count' ? JSON.stringify(operation) : `{ ${operation}: 'a column' }`,
    );
  const [entry, ...more] = Object.entries(spec) as [string, unknown][];
  if (entry === undefined || more.length > 0) throw new ArgumentError('ERR_ARGUMENT', argument, expected, shown(spec));
  const operation = AGGREGATE_OPERATIONS.find((each) => each === entry[0]);
  if (operation === undefined) throw misread(argument, expected, shown(spec), entry[0], (name) => JSON.stringify(name));
  if (typeof entry[1] !== 'string') throw new ArgumentError('ERR_ARGUMENT', argument, expected, shown(spec));
  return { operation, column: entry[1] };
}

/** @param hintOf what is written for an operation that may be meant. */
function misread(
  argument: string,
  expected: string,
  found: string,
  word: unknown,
  hintOf: (operation: string) => string,
): ArgumentError {
  const nearest = typeof word === 'string' ? nearestName(word, AGGREGATE_OPERATIONS) : null;
  const hint = nearest === null ? '' : `; did you mean ${hintOf(nearest)}?`;
  return new ArgumentError(
    'ERR_ARGUMENT',
    argument,
    expected,
    found,
    `${argument}: expected ${expected} but found ${found}${hint}`,
  );
}

function listText(operations: readonly AggregateOperation[]): string {
  return `${operations.slice(0, -1).join(', ')} and ${operations.at(-1) ?? ''}`;
}

function shown(spec: object): string {
  if (!isByName(spec)) return describeValue(spec);
  return `{ ${Object.entries(spec)
    .map(([name, value]) => `${name}: ${describeValue(value)}`)
    .join(', ')} }`.replace('{  }', '{}');
}

function checkType(operation: AggregateOperation, info: DTypeInfo): void {
  switch (operation) {
    case 'sum':
    case 'mean':
    case 'std':
    case 'var': {
      if (!dtypeFacts(info).adds) throw doesNotAdd(info.name, operation);
      return;
    }
    case 'min':
    case 'max':
      if (!dtypeFacts(info).orders) throw noOrder(info, operation);
      return;
    case 'countDistinct':
      checkGrouped(info, operation);
      return;
    case 'count':
    case 'first':
    case 'last':
  }
}

function doesNotAdd(name: DType, operation: string): UnsupportedError {
  return new UnsupportedError(
    'ERR_DTYPE',
    name,
    `${operation}: ${name} values do not add up; sums are of integers, floats and booleans`,
  );
}
