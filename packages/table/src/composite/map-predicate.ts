// A predicate of one table -> the same of another, whose columns have other numbers, or one value in all rows.
import { assertNever } from '@colkit/io';
import { isColumnLeaf } from '../query/bound-predicate.ts';
import type { BoundNode, BoundPredicate, BoundValue, ColumnRef, GeneralLeaf } from '../query/bound-predicate.ts';
import { columnsOf } from '../query/columns-of.ts';
import { andNode, orNode, EVERYTHING, NOTHING } from '../query/bind/normal-form.ts';
import { provesAllMatch, provesNoMatch } from '../query/proof/proof.ts';
import type { ColumnStatistics, StatisticsOf } from '../query/proof/column-statistics.ts';
import type { ConstantColumn } from './part.ts';

/** What is there in place of a column: another, or what is known of all of its values. */
export type Replacement = ColumnRef | ColumnStatistics;

/** Null where a computed value of a column that has no other in its place decides. */
export function mapPredicate(
  { root, text }: BoundPredicate,
  replacementOf: (column: ColumnRef) => Replacement,
): BoundPredicate | null {
  const mapped = mapNode(root, replacementOf);
  if (mapped === null) return null;
  const refs = [...columnsOf(mapped)].sort((one, other) => one.number - other.number);
  return { columns: refs.map(({ number }) => number), refs, text, root: mapped };
}

/** What a constant says of rows that all have it. */
export function statisticsOfConstant({ value }: ConstantColumn, rowCount: number): ColumnStatistics {
  const nullCount = value === null ? rowCount : 0;
  return { rowCount, nullCount, nanCount: 0, min: value, max: value, minExact: true, maxExact: true };
}

function mapNode(node: BoundNode, replacementOf: (column: ColumnRef) => Replacement): BoundNode | null {
  switch (node.kind) {
    case 'constant':
      return node;
    case 'and':
    case 'or': {
      const terms: BoundNode[] = [];
      for (const term of node.terms) {
        const mapped = mapNode(term, replacementOf);
        if (mapped === null) return null;
        terms.push(mapped);
      }
      return node.kind === 'and' ? andNode(terms) : orNode(terms);
    }
    case 'not': {
      const { term } = node;
      if (!isColumnLeaf(term)) {
        const mapped = mapGeneral(term, replacementOf);
        return mapped === null ? null : { kind: 'not', term: mapped };
      }
      const column = replacementOf(term.column);
      return isColumn(column) ? { kind: 'not', term: { ...term, column } } : decided(node, term.column, column);
    }
    case 'compare':
    case 'between':
    case 'in':
    case 'startsWith':
    case 'like':
    case 'isNull': {
      const column = replacementOf(node.column);
      return isColumn(column) ? { ...node, column } : decided(node, node.column, column);
    }
    case 'compareValues':
    case 'inValues':
    case 'isNullValue':
      return mapGeneral(node, replacementOf);
    default:
      return assertNever(node);
  }
}

function mapGeneral(leaf: GeneralLeaf, replacementOf: (column: ColumnRef) => Replacement): GeneralLeaf | null {
  if (leaf.kind !== 'compareValues') {
    const value = mapValue(leaf.value, replacementOf);
    return value === null ? null : { ...leaf, value };
  }
  const [left, right] = [mapValue(leaf.left, replacementOf), mapValue(leaf.right, replacementOf)];
  return left === null || right === null ? null : { ...leaf, left, right };
}

function mapValue(value: BoundValue, replacementOf: (column: ColumnRef) => Replacement): BoundValue | null {
  switch (value.kind) {
    case 'literal':
      return value;
    case 'column': {
      const column = replacementOf(value.column);
      return isColumn(column) ? { ...value, column } : null;
    }
    case 'arithmetic': {
      const [left, right] = [mapValue(value.left, replacementOf), mapValue(value.right, replacementOf)];
      return left === null || right === null ? null : { ...value, left, right };
    }
    case 'call': {
      const args: BoundValue[] = [];
      for (const each of value.args) {
        const mapped = mapValue(each, replacementOf);
        if (mapped === null) return null;
        args.push(mapped);
      }
      return { ...value, args };
    }
    case 'truth': {
      const whenTrue = mapNode(value.whenTrue, replacementOf);
      const whenFalse = mapNode(value.whenFalse, replacementOf);
      return whenTrue === null || whenFalse === null ? null : { ...value, whenTrue, whenFalse };
    }
    default:
      return assertNever(value);
  }
}

/** Of a column that has one value: every row matches, or none does; null where that cannot be told. */
function decided(root: BoundNode, column: ColumnRef, statistics: ColumnStatistics): BoundNode | null {
  const predicate = { columns: [column.number], refs: [column], text: '', root };
  const statisticsOf: StatisticsOf = () => statistics;
  if (provesNoMatch(predicate, statisticsOf) !== null) return NOTHING;
  return provesAllMatch(predicate, statisticsOf) ? EVERYTHING : null;
}

function isColumn(replacement: Replacement): replacement is ColumnRef {
  return 'number' in replacement;
}
