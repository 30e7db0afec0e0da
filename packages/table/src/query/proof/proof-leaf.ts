// One leaf against what is known of its column's values: can no row match it (or its negation), must every row match
// it?
import { assertNever } from '@colkit/io';
import type { DTypeInfo } from '@colkit/io';
import { likePrefix } from '../kernels/like.ts';
import type { ColumnLeaf, Literal } from '../bound-predicate.ts';
import type { StatisticsValue } from './column-statistics.ts';
import type { KnownValues } from './known-values.ts';
import { compareBytes, compareLiterals, utf8Of } from '../bind/literal-order.ts';
import { shownValue } from '../text/shown-value.ts';

/** The reason why no row matches; null where one might. */
export function noMatch(leaf: ColumnLeaf, negated: boolean, known: KnownValues): string | null {
  const { rowCount, nulls, nans } = known;
  if (rowCount === 0) return 'no rows';
  if (leaf.kind === 'isNull') {
    if (nulls === null) return null;
    return negated ? (nulls >= rowCount ? 'every row is null' : null) : nulls === 0 ? 'no row is null' : null;
  }
  if (nulls !== null && nulls >= rowCount) return 'every row is null';
  if (!negated && nulls !== null && nans !== null && nulls + nans >= rowCount) return 'every row is null or NaN';
  if (!negated) return outside(leaf, known);
  // NaN matches every negated comparison.
  return nans === 0 ? inside(leaf, known) : null;
}

/** Whether every row matches. */
export function everyMatch(leaf: ColumnLeaf, negated: boolean, known: KnownValues): boolean {
  const { rowCount, nulls, nans } = known;
  if (rowCount === 0) return true;
  if (nulls === null) return false;
  if (leaf.kind === 'isNull') return negated ? nulls === 0 : nulls >= rowCount;
  if (nulls !== 0) return false;
  if (!negated) return nans === 0 && inside(leaf, known) !== null;
  return (nans !== null && nans >= rowCount) || outside(leaf, known) !== null;
}

type ValueLeaf = Exclude<ColumnLeaf, { kind: 'isNull' }>;

/** Why every value that is neither null nor NaN fails the leaf; null where that is not certain. */
function outside(leaf: ValueLeaf, { min, max }: KnownValues): string | null {
  const { info } = leaf.column;
  switch (leaf.kind) {
    case 'compare':
      switch (leaf.op) {
        case 'eq':
          return below(info, max, leaf.value) ?? above(info, min, leaf.value);
        case 'lt':
          return atLeast(info, min, leaf.value);
        case 'le':
          return above(info, min, leaf.value);
        case 'gt':
          return atMost(info, max, leaf.value);
        case 'ge':
          return below(info, max, leaf.value);
        default:
          return assertNever(leaf.op);
      }
    case 'between':
      return below(info, max, leaf.low) ?? above(info, min, leaf.high);
    case 'in': {
      const value = firstFrom(min, leaf.values);
      return value === null || below(info, max, value) !== null
        ? `none of the ${String(leaf.values.length)} values lies in ${shownValue(info, min)} to ` +
            shownValue(info, max)
        : null;
    }
    case 'startsWith':
    case 'like': {
      const prefix = leaf.kind === 'like' ? likePrefix(leaf.pattern) : leaf.prefix;
      return prefix === '' ? null : (below(info, max, prefix) ?? afterPrefix(info, min, prefix));
    }
    default:
      return assertNever(leaf);
  }
}

/** Why every value that is neither null nor NaN satisfies the leaf; null where that is not certain. */
function inside(leaf: ValueLeaf, { min, max }: Pick<KnownValues, 'min' | 'max'>): string | null {
  const { info } = leaf.column;
  switch (leaf.kind) {
    case 'compare':
      switch (leaf.op) {
        // A single value, and it is that one: a bound that was cut is no less certain.
        case 'eq':
          return atLeast(info, min, leaf.value) !== null && atMost(info, max, leaf.value) !== null
            ? `every value is ${shownValue(info, min)}`
            : null;
        case 'lt':
          return below(info, max, leaf.value);
        case 'le':
          return atMost(info, max, leaf.value);
        case 'gt':
          return above(info, min, leaf.value);
        case 'ge':
          return atLeast(info, min, leaf.value);
        default:
          return assertNever(leaf.op);
      }
    case 'between': {
      const [low, high] = [atLeast(info, min, leaf.low), atMost(info, max, leaf.high)];
      return low !== null && high !== null ? `${low}, ${high}` : null;
    }
    case 'in': {
      const value = firstFrom(min, leaf.values);
      return value === null ? null : inside({ kind: 'compare', column: leaf.column, op: 'eq', value }, { min, max });
    }
    case 'like':
      return null;
    case 'startsWith':
      // All texts between two that begin with the prefix begin with it.
      return begins(min, leaf.prefix) && begins(max, leaf.prefix)
        ? `every value lies in ${shownValue(info, min)} to ${shownValue(info, max)}`
        : null;
    default:
      return assertNever(leaf);
  }
}

/**
 * The first value of an ascending list that is not below all values of the column, or range, found by halves: a list
 * of thousands is asked about each page. Null: all are below. What has no order is no value of the column, and may be
 * passed over.
 */
export function firstFrom(min: StatisticsValue | null, values: readonly Literal[]): Literal | null {
  let low = 0;
  let high = min === null ? 0 : values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((order(min as StatisticsValue, values[middle] as Literal) ?? 0) > 0) low = middle + 1;
    else high = middle;
  }
  return values[low] ?? null;
}

function below(info: DTypeInfo, max: StatisticsValue | null, value: Literal): string | null {
  return max !== null && (order(max, value) ?? 0) < 0
    ? `max ${shownValue(info, max)} < ${shownValue(info, value)}`
    : null;
}

function atMost(info: DTypeInfo, max: StatisticsValue | null, value: Literal): string | null {
  return max !== null && (order(max, value) ?? 1) <= 0
    ? `max ${shownValue(info, max)} <= ${shownValue(info, value)}`
    : null;
}

function above(info: DTypeInfo, min: StatisticsValue | null, value: Literal): string | null {
  return min !== null && (order(min, value) ?? 0) > 0
    ? `min ${shownValue(info, min)} > ${shownValue(info, value)}`
    : null;
}

function atLeast(info: DTypeInfo, min: StatisticsValue | null, value: Literal): string | null {
  return min !== null && (order(min, value) ?? -1) >= 0
    ? `min ${shownValue(info, min)} >= ${shownValue(info, value)}`
    : null;
}

/** Beyond a prefix lie the texts that are greater and do not begin with it. */
function afterPrefix(info: DTypeInfo, min: StatisticsValue | null, prefix: string): string | null {
  return min !== null && (order(min, prefix) ?? 0) > 0 && !begins(min, prefix)
    ? `min ${shownValue(info, min)} is beyond all that begins with ${shownValue(info, prefix)}`
    : null;
}

function begins(value: StatisticsValue | null, prefix: string): boolean {
  if (typeof value === 'string') return value.startsWith(prefix);
  if (!(value instanceof Uint8Array)) return false;
  const bytes = utf8Of(prefix);
  return bytes !== null && compareBytes(value.subarray(0, bytes.length), bytes) === 0;
}

function order(left: StatisticsValue, right: Literal): number | null {
  return compareLiterals(left, right);
}
