// Fields -> columns as predicates name them; a bound node -> those that it reads: fewer than its text names, where
// constants decided.
import { parseDType } from '@colkit/io';
import type { Field } from '../field.ts';
import type { BoundNode, BoundValue, ColumnRef } from './bound-predicate.ts';

/** Their numbers are positions. */
export function columnRefsOf(fields: readonly Field[]): readonly ColumnRef[] {
  return fields.map(({ name, dtype, nullable }, number) => ({ number, name, info: parseDType(dtype), nullable }));
}

/** The columns that a node reads. */
export function columnsOf(node: BoundNode): ReadonlySet<ColumnRef> {
  const found = new Set<ColumnRef>();
  const inNode = (each: BoundNode): void => {
    switch (each.kind) {
      case 'constant':
        return;
      case 'and':
      case 'or': {
        each.terms.forEach(inNode);
        return;
      }
      case 'not': {
        inNode(each.term);
        return;
      }
      case 'compareValues':
        inValue(each.left);
        {
          inValue(each.right);
          return;
        }
      case 'inValues':
      case 'isNullValue': {
        inValue(each.value);
        return;
      }
      case 'compare':
      case 'between':
      case 'in':
      case 'startsWith':
      case 'like':
      case 'isNull':
        found.add(each.column);
    }
  };
  const inValue = (value: BoundValue): void => {
    switch (value.kind) {
      case 'literal':
        return;
      case 'column':
        found.add(value.column);
        return;
      case 'arithmetic':
        inValue(value.left);
        {
          inValue(value.right);
          return;
        }
      case 'call':
        value.args.forEach(inValue);
        return;
      case 'truth':
        inNode(value.whenTrue);
        {
          inNode(value.whenFalse);
          return;
        }
    }
  };
  inNode(node);
  return found;
}
