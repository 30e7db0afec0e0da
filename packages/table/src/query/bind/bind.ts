// A predicate (built or text), a schema and parameters -> a bound predicate, or a QueryError with the position.
// Everything is checked here, before any data is read.
import { ArgumentError, describeValue, isByName } from '@colkit/io';
import type { Field } from '../../field.ts';
import type { BoundPredicate, BoundValue, ColumnRef } from '../bound-predicate.ts';
import { describeNoExpression } from '../../values/other-copies.ts';
import { columnRefsOf, columnsOf } from '../columns-of.ts';
import type { QueryParams } from '../text/query-params.ts';
import { Expression, isPlainValue } from '../text/expression.ts';
import { Scope } from './scope.ts';
import { parsePredicate } from '../text/parse.ts';
import { printPredicate } from '../text/print.ts';
import { node } from '../text/syntax.ts';
import type { Syntax } from '../text/syntax.ts';
import { Binder } from './binder.ts';

/** What where() takes: an expression, or its text form. */
export type Predicate = Expression<boolean> | string;

/**
 * Parses, resolves and type-checks a predicate. Column numbers are positions in `fields`.
 * @throws QueryError ERR_QUERY_SYNTAX, ERR_QUERY_TYPE (also for an unknown column or parameter) with the position; an
 * expression is printed first, and the position is in that text.
 */
export function bindPredicate(
  predicate: Predicate,
  fields: readonly Field[],
  params: QueryParams = {},
): BoundPredicate {
  return bindToColumns(predicate, columnRefsOf(fields), params);
}

/** As `bindPredicate`, for columns that have numbers already. */
export function bindToColumns(
  predicate: Predicate,
  columns: readonly ColumnRef[],
  params: QueryParams = {},
): BoundPredicate {
  checkPredicate(predicate, params);
  return typeof predicate === 'string'
    ? bindSyntax(parsePredicate(predicate), predicate, columns, params)
    : bindSyntax(predicate.syntax, null, columns, params);
}

/** @throws ArgumentError for what is neither an expression nor text, or no parameters. */
export function checkPredicate(predicate: Predicate, params: QueryParams): void {
  if (typeof predicate !== 'string' && !((predicate as unknown) instanceof Expression)) {
    throw new ArgumentError(
      'ERR_ARGUMENT',
      'predicate',
      "an expression such as col('price').gt(10), or text such as 'price > 10'",
      describeNoExpression(predicate),
    );
  }
  checkParams(params);
}

function checkParams(params: QueryParams): void {
  const given: unknown = params;
  if (!isByName(given))
    throw new ArgumentError('ERR_ARGUMENT', 'params', 'an object or a Map of parameters by name', describeValue(given));
}

/** A value of some columns: an expression, its text form, or a constant. @throws as `bindPredicate`. */
export function bindValue(
  value: unknown,
  columns: ReadonlyMap<string, ColumnRef>,
  params: QueryParams = {},
): BoundValue {
  checkParams(params);
  const text = typeof value === 'string' ? value : null;
  const tree = text === null ? syntaxOf(value) : parsePredicate(text);
  const printed = text === null ? printPredicate(tree) : { text, positions: null };
  return new Binder(new Scope(printed.text, printed.positions, columns, params)).value(tree);
}

function syntaxOf(value: unknown): Syntax {
  if (value instanceof Expression) return value.syntax;
  // The values of a column, more likely than one constant for all rows.
  if (value instanceof Uint8Array)
    throw new ArgumentError(
      'ERR_ARGUMENT',
      'value',
      "an expression, its text form, or a constant (bytes: `x'00ff'`); apply() computes values row by row",
      describeValue(value),
    );
  if (isPlainValue(value) && typeof value !== 'string' && !(value instanceof Date))
    return node({ kind: 'value', value });
  throw new ArgumentError(
    'ERR_ARGUMENT',
    'value',
    "an expression such as col('price').mul(col('qty')), its text form 'price * qty', or a constant (a text: `'it'`)",
    describeNoExpression(value),
  );
}

/** @param given what the tree was parsed from; null: an expression, which is printed. */
export function bindSyntax(
  tree: Syntax,
  given: string | null,
  columns: readonly ColumnRef[],
  params: QueryParams,
): BoundPredicate {
  const { text, positions } = given === null ? printPredicate(tree) : { text: given, positions: null };
  const binder = new Binder(new Scope(text, positions, columns, params));
  const root = binder.condition(tree, false);
  const refs = [...columnsOf(root)].sort((left, right) => left.number - right.number);
  return { columns: refs.map(({ number }) => number), refs, text, root };
}
