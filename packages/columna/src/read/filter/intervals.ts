// A comparison with constants -> closed intervals of values: the form in which encoded data are looked through, since
// base + step * u and m / 10^k carry intervals over to u and m.
import { MOST_EXACT, assertNever } from '@colkit/io';
import type { ColumnLeaf, Literal } from '@colkit/table';
import { decimalQuotient } from '../../columns/decimal.ts';
import type { ColumnType } from '../../layout/column-type.ts';

/** Integers lo <= x <= hi. */
export interface IntegerInterval {
  readonly lo: bigint;
  readonly hi: bigint;
}

/** Doubles lo <= x <= hi: NaN is in none, and the two zeros are one value. */
export interface FloatInterval {
  readonly lo: number;
  readonly hi: number;
}

/** What values of a type can be. */
export function rangeOf({ isBool, itemBytes, signed }: ColumnType): IntegerInterval {
  if (isBool) return { lo: 0n, hi: 1n };
  const bits = BigInt(8 * itemBytes);
  return signed ? { lo: -(2n ** (bits - 1n)), hi: 2n ** (bits - 1n) - 1n } : { lo: 0n, hi: 2n ** bits - 1n };
}

export type Intervals =
  | { readonly kind: 'integers'; readonly list: readonly IntegerInterval[] }
  | { readonly kind: 'floats'; readonly list: readonly FloatInterval[] };

export type ComparingLeaf = Extract<ColumnLeaf, { kind: 'compare' | 'between' | 'in' }>;

const LEAST_INT64 = -(2n ** 63n);
const MOST = 2n ** 64n;

/** The values of a fixed-width column for which a leaf is true: none of the intervals is empty. */
export function intervalsOf(leaf: ComparingLeaf, type: ColumnType): Intervals {
  return type.domain === 'integers'
    ? { kind: 'integers', list: integerIntervals(leaf, type) }
    : { kind: 'floats', list: floatIntervals(leaf) };
}

function integerIntervals(leaf: ComparingLeaf, type: ColumnType): IntegerInterval[] {
  // NaT, the least integer of a moment, is in no comparison.
  const least = type.isMoment ? LEAST_INT64 + 1n : -MOST;
  const within = (lo: bigint, hi: bigint): IntegerInterval[] =>
    lo > hi || hi < least ? [] : [{ lo: lo < least ? least : lo, hi }];
  switch (leaf.kind) {
    case 'between':
      return within(integer(leaf.low), integer(leaf.high));
    case 'in':
      return leaf.values.flatMap((value) => within(integer(value), integer(value)));
    case 'compare': {
      const value = integer(leaf.value);
      switch (leaf.op) {
        case 'eq':
          return within(value, value);
        case 'lt':
          return within(-MOST, value - 1n);
        case 'le':
          return within(-MOST, value);
        case 'gt':
          return within(value + 1n, MOST);
        case 'ge':
          return within(value, MOST);
        default:
          return assertNever(leaf.op);
      }
    }
    default:
      return assertNever(leaf);
  }
}

function integer(literal: Literal): bigint {
  return typeof literal === 'bigint' ? literal : BigInt(Number(literal));
}

function floatIntervals(leaf: ComparingLeaf): FloatInterval[] {
  const within = (lo: number, hi: number): FloatInterval[] => (lo <= hi ? [{ lo, hi }] : []);
  switch (leaf.kind) {
    case 'between':
      return within(Number(leaf.low), Number(leaf.high));
    case 'in':
      return leaf.values.flatMap((value) => within(Number(value), Number(value)));
    case 'compare': {
      const value = Number(leaf.value);
      switch (leaf.op) {
        case 'eq':
          return within(value, value);
        case 'lt':
          return value === -Infinity ? [] : within(-Infinity, neighbour(value, -1));
        case 'le':
          return within(-Infinity, value);
        case 'gt':
          return value === Infinity ? [] : within(neighbour(value, 1), Infinity);
        case 'ge':
          return within(value, Infinity);
        default:
          return assertNever(leaf.op);
      }
    }
    default:
      return assertNever(leaf);
  }
}

/** The next double in a direction; that of a zero has the other sign or none. */
function neighbour(value: number, direction: 1 | -1): number {
  if (value === 0) return direction * Number.MIN_VALUE;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const away = value > 0 === direction > 0;
  view.setBigInt64(0, view.getBigInt64(0) + (away ? 1n : -1n));
  return view.getFloat64(0);
}

/**
 * The integers m for which m / 10^exponent (rounded to float32 where the column is) lies in an interval; null for none.
 * Quotients never fall while m grows.
 */
export function decimalInterval(
  { lo, hi }: FloatInterval,
  exponent: number,
  isSingle: boolean,
): IntegerInterval | null {
  const quotient = (m: number) => (isSingle ? Math.fround(decimalQuotient(m, exponent)) : decimalQuotient(m, exponent));
  const first = firstWhere((m) => quotient(m) >= lo);
  const beyond = firstWhere((m) => quotient(m) > hi);
  return first < beyond ? { lo: BigInt(first), hi: BigInt(beyond) - 1n } : null;
}

/** The first integer within ±2^53 that a monotonous test holds for; one beyond where there is none. */
function firstWhere(test: (m: number) => boolean): number {
  let low = -MOST_EXACT;
  let high = MOST_EXACT;
  if (!test(high)) return high + 2;
  while (low < high) {
    const middle = low + Math.floor((high - low) / 2);
    if (test(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
