// A comparison of computed values against the ranges in which they lie: can no row match it (or its negation), must
// every row match it?
import type { CompareOperator, GeneralLeaf } from '../bound-predicate.ts';
import { compareLiterals } from '../bind/literal-order.ts';
import { columnsOf } from '../columns-of.ts';
import { COMPARE_SIGNS, printName } from '../text/print.ts';
import type { StatisticsOf } from './column-statistics.ts';
import { firstFrom } from './proof-leaf.ts';
import { rangeOf } from './value-range.ts';
import type { ValueRange } from './value-range.ts';

type ListLeaf = Extract<GeneralLeaf, { kind: 'inValues' }>;

const OPPOSITE = { eq: 'ne', ne: 'eq', lt: 'ge', ge: 'lt', le: 'gt', gt: 'le' } as const;

/** The reason why no row matches; null where one might. */
export function noComputedMatch(leaf: GeneralLeaf, negated: boolean, statisticsOf: StatisticsOf): string | null {
  if (leaf.kind === 'inValues') return noneListed(leaf, negated, statisticsOf);
  const ranges = rangesOf(leaf, statisticsOf);
  if (ranges === null) return null;
  const { op, left, right } = ranges;
  if (!failsForAll(negated ? OPPOSITE[op] : op, left, right)) return null;
  // NaN matches `ne`, and every other comparison negated.
  if ((op === 'ne') !== negated && (left.mayBeNaN || right.mayBeNaN)) return null;
  const sign = `${negated ? 'not ' : ''}${COMPARE_SIGNS[op]}`;
  return `${namesOf(leaf)}: no value in ${shown(left)} is ${sign} one in ${shown(right)}`;
}

function namesOf(leaf: GeneralLeaf): string {
  return [...columnsOf(leaf)].map(({ name }) => printName(name)).join(', ');
}

function noneListed(leaf: ListLeaf, negated: boolean, statisticsOf: StatisticsOf): string | null {
  const range = rangeOfListed(leaf, statisticsOf);
  if (range === null || (negated ? range.mayBeNaN || !isOneListed(leaf, range) : isSomeListed(leaf, range)))
    return null;
  return `${namesOf(leaf)}: ${negated ? 'every' : 'no'} value in ${shown(range)} is one of the list`;
}

function rangeOfListed({ value }: ListLeaf, statisticsOf: StatisticsOf): ValueRange | null {
  const range = rangeOf(value, statisticsOf);
  return range?.ticksOf === null ? range : null;
}

/** Whether a listed value lies in the range. */
function isSomeListed({ list }: ListLeaf, { low, high }: ValueRange): boolean {
  const first = firstFrom(low, list);
  return first !== null && (compareLiterals(first, high) ?? 0) <= 0;
}

/** Whether the range has one value, which is listed. */
function isOneListed(leaf: ListLeaf, range: ValueRange): boolean {
  return range.low >= range.high && isSomeListed(leaf, range);
}

/** Whether every row matches. */
export function everyComputedMatch(leaf: GeneralLeaf, negated: boolean, statisticsOf: StatisticsOf): boolean {
  if (leaf.kind === 'inValues') {
    const range = rangeOfListed(leaf, statisticsOf);
    if (range === null || range.mayBeNull) return false;
    return negated ? !isSomeListed(leaf, range) : !range.mayBeNaN && isOneListed(leaf, range);
  }
  const ranges = rangesOf(leaf, statisticsOf);
  if (ranges === null) return false;
  const { op, left, right } = ranges;
  if (left.mayBeNull || right.mayBeNull) return false;
  if ((op === 'ne') === negated && (left.mayBeNaN || right.mayBeNaN)) return false;
  return failsForAll(negated ? op : OPPOSITE[op], left, right);
}

interface Ranges {
  readonly op: CompareOperator;
  readonly left: ValueRange;
  readonly right: ValueRange;
}

function rangesOf(leaf: GeneralLeaf, statisticsOf: StatisticsOf): Ranges | null {
  if (leaf.kind !== 'compareValues') return null;
  const left = rangeOf(leaf.left, statisticsOf);
  const right = left === null ? null : rangeOf(leaf.right, statisticsOf);
  return left === null || right === null || left.ticksOf !== right.ticksOf ? null : { op: leaf.op, left, right };
}

/** Of values that are neither null nor NaN. */
function failsForAll(op: CompareOperator, left: ValueRange, right: ValueRange): boolean {
  switch (op) {
    case 'eq':
      return left.high < right.low || left.low > right.high;
    case 'ne':
      return left.low >= right.high && left.high <= right.low;
    case 'lt':
      return left.low >= right.high;
    case 'le':
      return left.low > right.high;
    case 'gt':
      return left.high <= right.low;
    case 'ge':
      return left.high < right.low;
  }
}

function shown({ low, high }: ValueRange): string {
  return low === high ? String(low) : `${String(low)} to ${String(high)}`;
}
