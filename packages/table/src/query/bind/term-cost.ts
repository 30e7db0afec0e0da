// The order in which terms are looked at: by what a row costs against how many rows are likely to be decided. Rough
// figures, in nanoseconds a row, measured on batches of 65,536.
import { assertNever, dtypeFacts } from '@colkit/io';
import type { BoundNode, BoundValue, ColumnLeaf, ColumnRef, Literal } from '../bound-predicate.ts';

/** Of a value in a list. */
const LOOKUP_COST = 10;

interface Estimate {
  /** Nanoseconds a row, the reading of the column included. */
  readonly cost: number;
  /** Which part of the rows is likely to match. */
  readonly share: number;
}

/**
 * Terms of an `and`: those that rule out most for the least first. Of an `or`: those that let in most for the least.
 */
export function orderTerms(terms: readonly BoundNode[], kind: 'and' | 'or'): readonly BoundNode[] {
  const ranked = terms.map((term) => {
    const { cost, share } = estimate(term);
    return { term, rank: cost / Math.max(0.01, kind === 'and' ? 1 - share : share) };
  });
  return ranked.sort((left, right) => left.rank - right.rank).map(({ term }) => term);
}

function estimate(node: BoundNode): Estimate {
  switch (node.kind) {
    case 'constant':
      return { cost: 0, share: node.matches ? 1 : 0 };
    case 'and':
    case 'or': {
      const parts = node.terms.map(estimate);
      const cost = parts.reduce((sum, part) => sum + part.cost, 0);
      const passed = parts.reduce((product, { share }) => product * (node.kind === 'and' ? share : 1 - share), 1);
      return { cost, share: node.kind === 'and' ? passed : 1 - passed };
    }
    case 'not': {
      const { cost, share } = estimate(node.term);
      return { cost, share: 1 - share };
    }
    case 'compareValues':
      return { cost: valueCost(node.left) + valueCost(node.right), share: node.op === 'eq' ? 0.1 : 0.4 };
    case 'inValues':
      return { cost: valueCost(node.value) + LOOKUP_COST, share: listShare(node.list) };
    case 'isNullValue':
      return { cost: valueCost(node.value), share: 0.1 };
    case 'compare':
    case 'between':
    case 'in':
    case 'startsWith':
    case 'like':
    case 'isNull':
      return { cost: leafCost(node), share: leafShare(node) };
    default:
      return assertNever(node);
  }
}

function leafShare(leaf: ColumnLeaf): number {
  switch (leaf.kind) {
    case 'compare':
      return leaf.op === 'eq' ? (typeof leaf.value === 'boolean' ? 0.5 : 0.1) : 0.4;
    case 'between':
      return 0.25;
    case 'in':
      return listShare(leaf.values);
    case 'startsWith':
    case 'like':
    case 'isNull':
      return 0.1;
  }
}

function listShare({ length }: readonly Literal[]): number {
  return Math.min(0.5, 0.1 * length);
}

function leafCost(leaf: ColumnLeaf): number {
  const read = readCost(leaf.column);
  if (leaf.kind === 'isNull') return read;
  if (leaf.kind === 'in') return read + LOOKUP_COST;
  if (leaf.kind === 'like') return read + 60;
  return read + (isNumberLike(leaf.column) ? 1 : 20);
}

function readCost({ info }: ColumnRef): number {
  return info.itemBytes === 0 ? 30 : info.itemBytes / 8;
}

function isNumberLike({ info }: ColumnRef): boolean {
  return dtypeFacts(info).hasArray;
}

function valueCost(value: BoundValue): number {
  switch (value.kind) {
    case 'literal':
      return 0;
    case 'column':
      return readCost(value.column) + (isNumberLike(value.column) ? 3 : 25);
    case 'arithmetic':
      return valueCost(value.left) + valueCost(value.right) + (value.type === 'int' ? 10 : 3);
    case 'call':
      return value.args.reduce((sum, each) => sum + valueCost(each), 20);
    case 'truth':
      return estimate(value.whenTrue).cost + estimate(value.whenFalse).cost;
  }
}
