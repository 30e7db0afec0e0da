// Conjunctions, disjunctions and negated leaves in their normal form: flat, constants folded, two bounds of a column
// joined to a range, equalities to a list, cheap and selective terms first.
import type { BoundNode, BoundValue, ColumnLeaf, ColumnRef, GeneralLeaf, Literal } from '../bound-predicate.ts';
import { hasNaN, valueTypeOf } from './bind-leaf.ts';
import type { LeafOutcome } from './bind-leaf.ts';
import { compareLiterals } from './literal-order.ts';
import { orderTerms } from './term-cost.ts';

export const NOTHING: BoundNode = Object.freeze({ kind: 'constant', matches: false });
export const EVERYTHING: BoundNode = Object.freeze({ kind: 'constant', matches: true });

const OPPOSITE = { lt: 'ge', le: 'gt', gt: 'le', ge: 'lt' } as const;

/** A leaf, or its negation: the rows that are not null and that it does not match. */
export function leafNode(column: ColumnRef, outcome: LeafOutcome, negated: boolean): BoundNode {
  if (outcome === 'none' || outcome === 'all') return (outcome === 'all') === negated ? NOTHING : presentNode(column);
  return negated ? negatedLeaf(outcome) : outcome;
}

/** The rows of a column that are not null. */
export function presentNode(column: ColumnRef): BoundNode {
  return column.nullable ? { kind: 'not', term: { kind: 'isNull', column } } : EVERYTHING;
}

function negatedLeaf(leaf: ColumnLeaf): BoundNode {
  // Without NaN, what is not below is above or equal.
  if (leaf.kind === 'compare' && leaf.op !== 'eq' && !hasNaN(valueTypeOf(leaf.column.info)))
    return { ...leaf, op: OPPOSITE[leaf.op] };
  if (leaf.kind === 'compare' && typeof leaf.value === 'boolean') return { ...leaf, value: !leaf.value };
  return { kind: 'not', term: leaf };
}

export function generalNode(leaf: GeneralLeaf, negated: boolean): BoundNode {
  return negated ? { kind: 'not', term: leaf } : leaf;
}

/** Equality with any of these values: distinct ones, sorted. */
export function listLeaf(column: ColumnRef, values: readonly Literal[]): LeafOutcome {
  const distinct = distinctLiterals(values);
  const [first] = distinct;
  if (first === undefined) return 'none';
  return distinct.length === 1
    ? { kind: 'compare', column, op: 'eq', value: first }
    : { kind: 'in', column, values: distinct };
}

function distinctLiterals(values: readonly Literal[]): readonly Literal[] {
  const sorted = [...values].sort((left, right) => compareLiterals(left, right) ?? 0);
  return sorted.filter((value, index) => index === 0 || compareLiterals(value, sorted[index - 1] as Literal) !== 0);
}

export function andNode(nodes: readonly BoundNode[]): BoundNode {
  const terms = joinBounds(
    joinComputed(
      nodes
        .flatMap((each) => (each.kind === 'and' ? each.terms : [each]))
        .filter((each) => each.kind !== 'constant' || !each.matches),
      true,
    ),
  );
  if (terms.some((each) => each.kind === 'constant')) return NOTHING;
  if (terms.length === 0) return EVERYTHING;
  return terms.length === 1 ? (terms[0] as BoundNode) : { kind: 'and', terms: orderTerms(terms, 'and') };
}

export function orNode(nodes: readonly BoundNode[]): BoundNode {
  const terms = joinEqualities(
    joinComputed(
      nodes
        .flatMap((each) => (each.kind === 'or' ? each.terms : [each]))
        .filter((each) => each.kind !== 'constant' || each.matches),
      false,
    ),
  );
  if (terms.some((each) => each.kind === 'constant')) return EVERYTHING;
  if (terms.length === 0) return NOTHING;
  return terms.length === 1 ? (terms[0] as BoundNode) : { kind: 'or', terms: orderTerms(terms, 'or') };
}

type Compare = Extract<ColumnLeaf, { kind: 'compare' }>;

/** a >= 1 and a <= 5 -> a between 1 and 5. */
function joinBounds(terms: readonly BoundNode[]): readonly BoundNode[] {
  const lows = new Map<ColumnRef, Compare>();
  const highs = new Map<ColumnRef, Compare>();
  for (const term of terms) {
    if (term.kind !== 'compare') continue;
    if (term.op === 'ge' && !lows.has(term.column)) lows.set(term.column, term);
    if (term.op === 'le' && !highs.has(term.column)) highs.set(term.column, term);
  }
  return terms.flatMap((term): BoundNode[] => {
    if (term.kind !== 'compare') return [term];
    const [low, high] = [lows.get(term.column), highs.get(term.column)];
    if (low === undefined || high === undefined || (term !== low && term !== high)) return [term];
    if (term === high) return [];
    const order = compareLiterals(low.value, high.value) ?? 0;
    return [
      order > 0
        ? NOTHING
        : order === 0
          ? { ...low, op: 'eq' }
          : { kind: 'between', column: low.column, low: low.value, high: high.value },
    ];
  });
}

/** a == 1 or a in (2, 3) -> a in (1, 2, 3). */
function joinEqualities(terms: readonly BoundNode[]): readonly BoundNode[] {
  const lists = new Map<ColumnRef, Literal[]>();
  const others: BoundNode[] = [];
  for (const term of terms) {
    if (term.kind !== 'in' && !(term.kind === 'compare' && term.op === 'eq')) {
      others.push(term);
      continue;
    }
    const list = lists.get(term.column) ?? [];
    lists.set(term.column, list);
    if (term.kind === 'in') for (const value of term.values) list.push(value);
    else list.push(term.value);
  }
  for (const [column, values] of lists) others.push(leafNode(column, listLeaf(column, values), false));
  return others;
}

type ComputedEquality = Extract<GeneralLeaf, { kind: 'compareValues' | 'inValues' }>;

/**
 * The same for what is computed, which is computed once then: n % 7 in (1, 2), and negated, n % 7 not in (1, 2). The
 * value is one of the tree, not one that is written alike.
 */
function joinComputed(terms: readonly BoundNode[], negated: boolean): readonly BoundNode[] {
  const lists = new Map<BoundValue, { readonly first: ComputedEquality; readonly literals: Literal[] }>();
  const others: BoundNode[] = [];
  for (const term of terms) {
    const leaf = negated ? (term.kind === 'not' ? term.term : null) : term;
    const literals = leaf === null ? null : equalTo(leaf);
    if (literals === null) {
      others.push(term);
      continue;
    }
    const equality = leaf as ComputedEquality;
    const value = equality.kind === 'inValues' ? equality.value : equality.left;
    const joined = lists.get(value) ?? { first: equality, literals: [] };
    lists.set(value, joined);
    for (const literal of literals) joined.literals.push(literal);
  }
  for (const [value, { first, literals }] of lists) {
    const list = distinctLiterals(literals);
    others.push(generalNode(list.length === 1 ? first : { kind: 'inValues', value, list }, negated));
  }
  return others;
}

/** What a computed value is equal to; null for any other node. NaN is equal to nothing, and stays beside the list. */
function equalTo(node: BoundNode): readonly Literal[] | null {
  if (node.kind === 'inValues') return node.list;
  if (node.kind !== 'compareValues' || node.op !== 'eq' || node.right.kind !== 'literal') return null;
  const { value } = node.right;
  return value === null || Number.isNaN(value) ? null : [value];
}
