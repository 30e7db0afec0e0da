// `where` as a step of a view: checked at once.
import { bindToColumns } from '../query/bind/bind.ts';
import type { Predicate } from '../query/bind/bind.ts';
import type { QueryParams } from '../query/text/query-params.ts';
import { columnRefs } from './column-refs.ts';
import type { View } from './view.ts';
import { withPredicate } from './with-predicate.ts';

/** @throws QueryError, at once. */
export function whereView(view: View, predicate: Predicate, params?: QueryParams): View {
  return withPredicate(view, bindToColumns(predicate, columnRefs(view.projection), params));
}
