// `where` as a step of a view in builds for browsers: what checks and evaluates predicates is loaded when the view is
// first read, and so the errors of a predicate come from there, before any data is read.
import type { Predicate } from '../query/bind/bind.ts';
import type { QueryParams } from '../query/text/query-params.ts';
import { columnRefs } from './column-refs.ts';
import { withStep } from './view.ts';
import type { View } from './view.ts';

export function whereView(view: View, predicate: Predicate, params?: QueryParams): View {
  return withStep(view, { kind: 'condition', predicate, params, columns: columnRefs(view.projection) });
}
