// A comparison of computed values against the ranges in which they lie: can no row match it (or its negation), must
// every row match it?
import type { CompareOperator, GeneralLeaf } from '../bound-predicate.ts';
import { columnsOf } from '../columns-of.ts';
import { COMPARE_SIGNS, printName } from '../text/print.ts';
import type { StatisticsOf } from './column-statistics.ts';
import { rangeOf } from './value-range.ts';
import type { ValueRange } from './value-range.ts';

const OPPOSITE = { eq: 'ne', ne: 'eq', lt: 'ge', ge: 'lt', le: 'gt', gt: 'le' } as const;

/** The reason why no row matches; null where one might. */
export function noComputedMatch(leaf: GeneralLeaf, negated: boolean, statisticsOf: StatisticsOf): string | null {
  const ranges = rangesOf(leaf, statisticsOf);
  if (ranges === null) return null;
  const { op, left, right } = ranges;
  if (!failsForAll(negated ? OPPOSITE[op] : op, left, right)) return null;
  // NaN matches `ne`, and every other comparison negated.
  if ((op === 'ne') !== negated && (left.mayBeNaN || right.mayBeNaN)) return null;
  const names = [...columnsOf(leaf)].map(({ name }) => printName(name)).join(', ');
  const sign = `${negated ? 'not ' : ''}${COMPARE_SIGNS[op]}`;
  return `${names}: no value in ${shown(left)} is ${sign} one in ${shown(right)}`;
}

/** Whether every row matches. */
export function everyComputedMatch(leaf: GeneralLeaf, negated: boolean, statisticsOf: StatisticsOf): boolean {
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
