// A predicate (built or text), a schema and parameters -> a bound predicate, or a QueryError with the position.
// Everything is checked here, before any data is read.
import { ArgumentError, describeValue, isByName, parseDType } from '@colkit/io';
import type { Field } from '../../source.ts';
import type { BoundPredicate, ColumnRef } from '../bound-predicate.ts';
import { columnsOf } from '../columns-of.ts';
import type { QueryParams } from '../text/query-params.ts';
import { Expression } from '../text/expression.ts';
import { Scope } from './scope.ts';
import { parsePredicate } from '../text/parse.ts';
import { printPredicate } from '../text/print.ts';

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
  return bindToColumns(
    predicate,
    fields.map(({ name, dtype, nullable }, number) => ({ number, name, info: parseDType(dtype), nullable })),
    params,
  );
}

/** As `bindPredicate`, for columns that have numbers already. */
export function bindToColumns(
  predicate: Predicate,
  columns: readonly ColumnRef[],
  params: QueryParams = {},
): BoundPredicate {
  if (typeof predicate !== 'string' && !((predicate as unknown) instanceof Expression)) {
    throw new ArgumentError(
      'ERR_ARGUMENT',
      'predicate',
      "an expression such as col('price').gt(10), or text such as 'price > 10'",
      describeValue(predicate),
    );
  }
  const given: unknown = params;
  if (!isByName(given))
    throw new ArgumentError('ERR_ARGUMENT', 'params', 'an object or a Map of parameters by name', describeValue(given));
  const tree = typeof predicate === 'string' ? parsePredicate(predicate) : predicate.syntax;
  const { text, positions } =
    typeof predicate === 'string' ? { text: predicate, positions: null } : printPredicate(tree);
  const binder = new Binder(new Scope(text, positions, columns, params));
  const root = binder.condition(tree, false);
  const refs = [...columnsOf(root)].sort((left, right) => left.number - right.number);
  return { columns: refs.map(({ number }) => number), refs, text, root };
}
