// Decoded but not yet materialised values -> which of them a leaf is true for. Small unsigned numbers are compared as
// they are packed: one subtraction and one comparison a value.
import { assertNever, isExactBigInt } from '@colkit/io';
import { listOf, markListed } from '@colkit/table';
import { emit, itemTarget } from '../../columns/emit.ts';
import { arrayOver } from '../../layout/column-type.ts';
import type { ColumnType } from '../../layout/column-type.ts';
import type { Decimal, Narrow, Patched, Safe, Vector, Wide } from '../../columns/vector.ts';
import { decimalInterval, intervalsOf, rangeOf } from './intervals.ts';
import type { ComparingLeaf, FloatInterval, IntegerInterval, Intervals } from './intervals.ts';

/** With more values than this, `in` is looked up rather than compared one by one. */
const MOST_POINTS = 16;

/** What marks the values for which a leaf is true, in a mask of zeros. */
export function marksOf(leaf: ComparingLeaf, type: ColumnType): (vector: Vector, mask: Uint8Array) => void {
  if (leaf.kind === 'in' && leaf.values.length > MOST_POINTS) {
    const list = listOf(leaf);
    return (vector, mask) => {
      const bytes = new Uint8Array(vector.count * type.itemBytes);
      emit(vector, itemTarget(type, bytes), 0);
      markListed(list, arrayOver(type, bytes.buffer, 0, vector.count), mask);
    };
  }
  const intervals = intervalsOf(leaf, type);
  return (vector, mask) => markVector(vector, intervals, type, mask);
}

/**
 * Sets mask[i] to 1 where value i lies in one of the intervals; what is 1 already stays. `mask` has room for the
 * values.
 */
function markVector(vector: Vector, intervals: Intervals, type: ColumnType, mask: Uint8Array): void {
  if (intervals.list.length === 0) return;
  switch (vector.kind) {
    case 'patched': {
      markPatched(vector, intervals, type, mask);
      return;
    }
    case 'decimal': {
      if (intervals.kind === 'floats') markDecimal(vector, intervals.list, type, mask);
      return;
    }
    case 'narrow':
      if (intervals.kind === 'integers' && markNarrow(vector, intervals.list, rangeOf(type), mask)) return;
      markItems(vector, intervals, type, mask);
      return;
    case 'safe':
      if (intervals.kind === 'integers' && type.itemBytes === 8 && type.signed)
        for (const interval of intervals.list) markSafe(vector, interval, mask);
      else markItems(vector, intervals, type, mask);
      return;
    case 'wide':
      if (intervals.kind === 'integers' && type.itemBytes === 8)
        for (const interval of intervals.list) markWide(vector, interval, type.signed, mask);
      else markItems(vector, intervals, type, mask);
      return;
    default:
      assertNever(vector);
  }
}

const INT64: IntegerInterval = { lo: -(2n ** 63n), hi: 2n ** 63n - 1n };

/**
 * Base and step carry the intervals over to the packed numbers, unless values wrap around the type's range: then false,
 * and nothing is marked.
 */
function markNarrow(
  vector: Narrow,
  list: readonly IntegerInterval[],
  range: IntegerInterval,
  mask: Uint8Array,
): boolean {
  const { step, below, values, count } = vector;
  const base = baseWithin(vector, range);
  if (base === null) return false;
  for (const interval of list) {
    if (step === 0n) {
      if (base >= interval.lo && base <= interval.hi) mask.fill(1, 0, count);
      continue;
    }
    const { first, last: end } = numbersWithin(base, step, below, interval);
    if (first > end) continue;
    if (first === 0 && end === below - 1) mask.fill(1, 0, count);
    else markNumbers(values, count, first, end - first, mask);
  }
  return true;
}

/**
 * Numbers below `below` for which base + step * number lies in an interval: first to last, none where first is larger.
 */
function numbersWithin(
  base: bigint,
  step: bigint,
  below: number,
  { lo, hi }: IntegerInterval,
): { readonly first: number; readonly last: number } {
  const [from, to] =
    step > 0n
      ? [ceilDivide(lo - base, step), floorDivide(hi - base, step)]
      : [ceilDivide(hi - base, step), floorDivide(lo - base, step)];
  const most = BigInt(below - 1);
  return {
    first: Number(from < 0n ? 0n : from > most ? most + 1n : from),
    last: Number(to > most ? most : to < 0n ? -1n : to),
  };
}

/** Packed numbers of which those from `first` to `last` are looked for; none where first is larger. */
export interface PackedRange {
  readonly values: Uint32Array;
  readonly first: number;
  readonly last: number;
}

/**
 * Values in one interval as a range of the numbers that they are packed as; null where they are not packed so that
 * their order is the numbers'.
 */
export function packedRange(vector: Vector, intervals: Intervals, type: ColumnType): PackedRange | null {
  if (intervals.list.length !== 1) return null;
  if (vector.kind === 'decimal' && vector.integers.kind === 'narrow' && intervals.kind === 'floats') {
    const interval = decimalInterval(intervals.list[0] as FloatInterval, vector.exponent, type.domain === 'float32');
    return interval === null
      ? { values: vector.integers.values, first: 1, last: 0 }
      : narrowRange(vector.integers, interval, INT64);
  }
  return vector.kind === 'narrow' && intervals.kind === 'integers'
    ? narrowRange(vector, intervals.list[0] as IntegerInterval, rangeOf(type))
    : null;
}

function narrowRange(vector: Narrow, interval: IntegerInterval, range: IntegerInterval): PackedRange | null {
  const { step, below, values, count } = vector;
  const base = step === 0n ? null : baseWithin(vector, range);
  return base === null ? null : { values: values.subarray(0, count), ...numbersWithin(base, step, below, interval) };
}

/** The base as a value of the type; null where values wrap around the type's range. */
function baseWithin(vector: Narrow, range: IntegerInterval): bigint | null {
  const base = range.lo === 0n ? BigInt.asUintN(64, vector.base) : vector.base;
  const last = base + vector.step * BigInt(vector.below - 1);
  return base < range.lo || base > range.hi || last < range.lo || last > range.hi ? null : base;
}

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return quotient * b !== a && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

function ceilDivide(a: bigint, b: bigint): bigint {
  return -floorDivide(-a, b);
}

/** first <= values[i] <= first + distance, as one unsigned comparison. */
export function markNumbers(
  values: Uint32Array,
  count: number,
  first: number,
  distance: number,
  mask: Uint8Array,
): void {
  const [low, width] = [first | 0, distance >>> 0];
  for (let i = 0; i < count; i++) if (((values[i] as number) - low) >>> 0 <= width) mask[i] = 1;
}

function markSafe({ values, count }: Safe, { lo, hi }: IntegerInterval, mask: Uint8Array): void {
  // Beyond 2^53 a bound may round, but no value is there: `lo` above it is not to become 2^53.
  if ((lo > 0n && !isExactBigInt(lo)) || (hi < 0n && !isExactBigInt(hi))) return;
  const [low, high] = [Number(lo), Number(hi)];
  for (let i = 0; i < count; i++) if ((values[i] as number) >= low && (values[i] as number) <= high) mask[i] = 1;
}

/** 64-bit values by halves: the high one decides unless it is a bound's own. */
function markWide({ words, count }: Wide, interval: IntegerInterval, signed: boolean, mask: Uint8Array): void {
  const range = signed ? INT64 : { lo: 0n, hi: 2n ** 64n - 1n };
  const lo = interval.lo < range.lo ? range.lo : interval.lo;
  const hi = interval.hi > range.hi ? range.hi : interval.hi;
  if (lo > hi) return;
  // With the sign bit flipped, signed order is unsigned order.
  const flip = signed ? 0x80000000 : 0;
  const [lowHigh, lowLow] = [(Number(BigInt.asUintN(32, lo >> 32n)) ^ flip) >>> 0, Number(BigInt.asUintN(32, lo))];
  const [highHigh, highLow] = [(Number(BigInt.asUintN(32, hi >> 32n)) ^ flip) >>> 0, Number(BigInt.asUintN(32, hi))];
  for (let i = 0; i < count; i++) {
    const high = ((words[2 * i + 1] as number) ^ flip) >>> 0;
    const low = words[2 * i] as number;
    if (
      (high > lowHigh || (high === lowHigh && low >= lowLow)) &&
      (high < highHigh || (high === highHigh && low <= highLow))
    )
      mask[i] = 1;
  }
}

function markDecimal(
  { integers, exponent }: Decimal,
  list: readonly FloatInterval[],
  type: ColumnType,
  mask: Uint8Array,
): void {
  for (const interval of list) {
    const found = decimalInterval(interval, exponent, type.domain === 'float32');
    if (found === null) continue;
    if (integers.kind === 'safe') markSafe(integers, found, mask);
    // The decoder has checked that every integer is an exact double, so none wraps.
    else markNarrow(integers, [found], INT64, mask);
  }
}

/** The values below, then what replaces some of them. */
function markPatched(
  { values, positions, replacements }: Patched,
  intervals: Intervals,
  type: ColumnType,
  mask: Uint8Array,
): void {
  markVector(values, intervals, type, mask);
  const patches = new Uint8Array(positions.length);
  if (positions.length > 0) markItems(replacements, intervals, type, patches);
  for (let i = 0; i < positions.length; i++) mask[positions[i] as number] = patches[i] as number;
}

/** As items of the type: what is left where the packed form does not order as the values do. */
function markItems(vector: Vector, intervals: Intervals, type: ColumnType, mask: Uint8Array): void {
  const { count } = vector;
  const bytes = new Uint8Array(count * type.itemBytes);
  emit(vector, itemTarget(type, bytes), 0);
  const items = arrayOver(type, bytes.buffer, 0, count);
  if (items instanceof BigInt64Array || items instanceof BigUint64Array) {
    const words = new Uint32Array(bytes.buffer);
    if (intervals.kind === 'integers')
      for (const interval of intervals.list) markWide({ kind: 'wide', count, words }, interval, type.signed, mask);
    return;
  }
  for (const { lo, hi } of intervals.list) {
    const [low, high] = [Number(lo), Number(hi)];
    for (let i = 0; i < count; i++) if ((items[i] as number) >= low && (items[i] as number) <= high) mask[i] = 1;
  }
}
