// Two bound predicates over the same source -> the one that both must be true for.
import type { BoundPredicate, ColumnRef } from './bound-predicate.ts';
import { columnsOf } from './columns-of.ts';
import { andNode } from './bind/normal-form.ts';

export function andPredicates(left: BoundPredicate, right: BoundPredicate): BoundPredicate {
  const root = andNode([left.root, right.root]);
  // Each was bound with references of its own to the same columns.
  const byNumber = new Map<number, ColumnRef>([...columnsOf(root)].map((column) => [column.number, column]));
  const refs = [...byNumber.values()].sort((one, other) => one.number - other.number);
  return { columns: refs.map(({ number }) => number), refs, text: `(${left.text}) and (${right.text})`, root };
}
