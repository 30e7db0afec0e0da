// Sums of floats, exact and rounded once: they are the same in whatever order, blocks and threads the rows were added.
// Every sum is two doubles, and what neither of them holds is a whole number beside them, which few sums ever need.
import type { ColumnStatistics } from '../query/proof/column-statistics.ts';
import { areNull } from './accumulator.ts';
import type { Accumulator } from './accumulator.ts';
import { grown } from './column-values.ts';
import type { ColumnValues } from './column-values.ts';
import { doubleOf, fixedOf } from './fixed-point.ts';
import { EXACT_SUM, foldRows } from './groups/fold-rows.ts';
import { countsOf, entriesOf, jsonNumbers, numbersOf, parseBigInt } from './state.ts';
import type { AggregateState } from './state.ts';

/** Rows that are added in one go. */
const BLOCK_BITS = 10;
const BLOCK_ROWS = 2 ** BLOCK_BITS;
/** Rows that are added here behind one that the addon could not add. */
const ROWS_BEHIND = 128;

/** How far apart the exponents of a block may be, and the largest that it may have. */
const SPREAD = 33;
const MOST_EXPONENT = 1000;
const LEAST_EXPONENT = -900;

export class FloatTotals implements Accumulator {
  readonly summary = 'sum';
  readonly fold = 'sum';
  #counts = new Float64Array(1);
  /** What the sum is nearly; and what is missing, as long as a double holds it. */
  #sums = new Float64Array(1);
  #lost = new Float64Array(1);
  /** What neither holds, by group, in units of 2^-1074. */
  readonly #beyond = new Map<number, bigint>();
  /** Sums of what is not finite, by group. */
  readonly #special = new Map<number, number>();
  /** Above the largest of the last block, by a power of two; 0: not known. */
  #bound = 0;
  readonly #parts = new Float64Array(2);

  add(values: ColumnValues, rowCount: number, groups: Uint32Array | null, groupCount: number): void {
    if (values.kind !== 'numbers') return;
    this.#grow(groupCount);
    const { numbers, validity } = values;
    if (groups === null && validity === null) this.#addAll(numbers, rowCount);
    else if (groups === null) this.#addRows(numbers, validity, 0, rowCount, null);
    else {
      const states = [this.#counts, this.#sums, this.#lost] as const;
      for (let row = 0; row < rowCount; ) {
        const done = foldRows(EXACT_SUM, 0, { groups, values: numbers, validity }, row, rowCount, states);
        row = Math.min(done + ROWS_BEHIND, rowCount);
        this.#addRows(numbers, validity, done, row, groups);
      }
    }
  }

  addSummary(group: number, count: number, sum: number | bigint | string): void {
    this.#grow(group + 1);
    this.#counts[group] = (this.#counts[group] as number) + count;
    this.#addOne(group, Number(sum));
  }

  /** Takes the exact sum of values, as `fixedOf` has it, and that of those that are not finite. */
  addExact(group: number, count: number, fixed: bigint, special: number): void {
    this.#grow(group + 1);
    this.#counts[group] = (this.#counts[group] as number) + count;
    const rest = putDoubles(fixed, (_, value) => this.#addOne(group, value));
    if (rest !== 0n) this.#addFixed(group, rest);
    if (special !== 0) this.#addOne(group, special);
  }

  /** Floats have to be added one by one. */
  know(statistics: ColumnStatistics): boolean {
    return areNull(statistics);
  }

  merge(state: AggregateState, groupOf: Uint32Array, groupCount: number): void {
    this.#grow(groupCount);
    const counts = countsOf(state, 'counts', groupOf.length);
    const sums = numbersOf(state, 'sums', groupOf.length);
    const losts = numbersOf(state, 'lost', groupOf.length);
    const beyond = 'beyond' in state ? entriesOf(state, 'beyond', groupOf.length).map(parseBigInt) : [];
    for (const [index, group] of groupOf.entries()) {
      this.#counts[group] = (this.#counts[group] as number) + (counts[index] as number);
      this.#addOne(group, sums[index] as number);
      this.#addOne(group, losts[index] as number);
      const more = beyond[index] ?? 0n;
      if (more !== 0n) this.#addFixed(group, more);
    }
  }

  state(groupCount: number): AggregateState {
    this.#grow(groupCount);
    const sums = new Float64Array(groupCount);
    const lost = new Float64Array(groupCount);
    const beyond = new Map<number, bigint>();
    for (let group = 0; group < groupCount; group += 1) {
      const special = this.#special.get(group);
      if (special !== undefined) sums[group] = special;
      else this.#split(group, sums, lost, beyond);
    }
    const counts = jsonNumbers(this.#counts, groupCount);
    const state = { counts, sums: jsonNumbers(sums, groupCount), lost: jsonNumbers(lost, groupCount) };
    if (beyond.size === 0) return state;
    return { ...state, beyond: Array.from({ length: groupCount }, (_, group) => String(beyond.get(group) ?? 0n)) };
  }

  /** The same sum is the same two doubles and the same rest, however it came about. */
  #split(group: number, sums: Float64Array, lost: Float64Array, beyond: Map<number, bigint>): void {
    const [one, other] = [this.#sums[group] as number, this.#lost[group] as number];
    const more = this.#beyond.get(group) ?? 0n;
    const sum = one + other;
    if (more === 0n && sum - sum === 0) {
      sums[group] = sum + 0;
      lost[group] = errorOf(one, other, sum) + 0;
      return;
    }
    const rest = putDoubles(fixedOf(one) + fixedOf(other) + more, (part, value) => {
      (part === 0 ? sums : lost)[group] = value;
    });
    if (rest !== 0n) beyond.set(group, rest);
  }

  sum(group: number): number {
    const special = this.#special.get(group);
    if (special !== undefined) return special;
    const [sum, lost, beyond] = [this.#sums[group] ?? 0, this.#lost[group] ?? 0, this.#beyond.get(group)];
    // Of two doubles the sum is rounded once anyway. 0 is never negative.
    return beyond === undefined ? sum + lost + 0 : doubleOf(this.#fixed(group));
  }

  mean(group: number): number {
    const count = this.#counts[group] ?? 0;
    if (count === 0) return Number.NaN;
    const sum = this.sum(group);
    if (sum - sum === 0 || this.#special.has(group)) return sum / count;
    // The sum is too large for a double, and the mean is not.
    return doubleOf(this.#fixed(group) / BigInt(count));
  }

  /** The sum in units of 2^-1074. */
  #fixed(group: number): bigint {
    const [sum, lost] = [this.#sums[group] ?? 0, this.#lost[group] ?? 0];
    return fixedOf(sum) + fixedOf(lost) + (this.#beyond.get(group) ?? 0n);
  }

  #addAll(numbers: Float64Array, rowCount: number): void {
    this.#counts[0] = (this.#counts[0] as number) + rowCount;
    for (let start = 0; start < rowCount; start += BLOCK_ROWS) {
      const end = Math.min(rowCount, start + BLOCK_ROWS);
      if (!addBlock(numbers, start, end, this.#bound, this.#parts)) {
        this.#bound = boundOf(numbers, start, end);
        if (!addBlock(numbers, start, end, this.#bound, this.#parts)) {
          for (let row = start; row < end; row += 1) this.#addOne(0, numbers[row] as number);
          continue;
        }
      }
      this.#addOne(0, this.#parts[0] as number);
      this.#addOne(0, this.#parts[1] as number);
    }
  }

  #addRows(
    numbers: Float64Array,
    validity: Uint8Array | null,
    start: number,
    end: number,
    groups: Uint32Array | null,
  ): void {
    const counts = this.#counts;
    const sums = this.#sums;
    const losts = this.#lost;
    for (let row = start; row < end; row += 1) {
      if (validity !== null && (((validity[row >>> 3] as number) >> (row & 7)) & 1) === 0) continue;
      const group = groups === null ? 0 : (groups[row] as number);
      const value = numbers[row] as number;
      counts[group] = (counts[group] as number) + 1;
      const sum = sums[group] as number;
      const next = sum + value;
      const taken = next - sum;
      const error = sum - (next - taken) + (value - taken);
      const lost = losts[group] as number;
      const less = lost + error;
      // What an addition of doubles misses is what it differs by, both ways.
      const missed = less - lost;
      if (error === missed && lost === less - missed) {
        sums[group] = next;
        losts[group] = less;
      } else this.#addOne(group, value);
    }
  }

  /** Any number: keeps the sum exact, whatever it takes. */
  #addOne(group: number, value: number): void {
    if (value - value !== 0) {
      this.#special.set(group, (this.#special.get(group) ?? 0) + value);
      return;
    }
    const [sum, lost] = [this.#sums[group] as number, this.#lost[group] as number];
    const next = sum + value;
    if (next - next !== 0) {
      // Too large for a double on its way.
      this.#addFixed(group, fixedOf(sum) + fixedOf(value));
      this.#sums[group] = 0;
      return;
    }
    const error = errorOf(sum, value, next);
    const less = lost + error;
    const rest = errorOf(lost, error, less);
    // As near to the sum as a double can be: so the other one has room.
    const near = next + less;
    if (rest !== 0) this.#addFixed(group, fixedOf(rest));
    if (near - near !== 0) {
      this.#addFixed(group, fixedOf(next) + fixedOf(less));
      this.#sums[group] = this.#lost[group] = 0;
      return;
    }
    this.#sums[group] = near;
    this.#lost[group] = errorOf(next, less, near);
  }

  #addFixed(group: number, fixed: bigint): void {
    this.#beyond.set(group, (this.#beyond.get(group) ?? 0n) + fixed);
  }

  #grow(groupCount: number): void {
    this.#counts = grown(this.#counts, groupCount);
    this.#sums = grown(this.#sums, groupCount);
    this.#lost = grown(this.#lost, groupCount);
  }
}

/**
 * A sum as at most two doubles, as long as these are finite: they are nearly always enough.
 * @returns What they do not hold.
 */
function putDoubles(fixed: bigint, put: (part: number, value: number) => void): bigint {
  let rest = fixed;
  for (let part = 0; part < 2 && rest !== 0n; part += 1) {
    const near = doubleOf(rest);
    if (near - near !== 0) break;
    rest -= fixedOf(near);
    put(part, near);
  }
  return rest;
}

/** What a + b misses, exactly, given its rounded sum. */
function errorOf(a: number, b: number, sum: number): number {
  const taken = sum - a;
  return a - (sum - taken) + (b - taken);
}

/** A power of two above all magnitudes of a block; 0 where it cannot be added in one go. */
function boundOf(numbers: Float64Array, start: number, end: number): number {
  let most = 0;
  for (let row = start; row < end; row += 1) {
    const size = Math.abs(numbers[row] as number);
    if (size > most) most = size;
  }
  if (most === 0) return 1;
  const exponent = Math.floor(Math.log2(most)) + 1;
  return exponent > MOST_EXPONENT || exponent < LEAST_EXPONENT ? 0 : 2 ** (exponent + 1);
}

/**
 * The sum of a block as two doubles. Each number is cut in two at a bit that is the same for all: the upper parts are
 * multiples of one power of two and add up exactly, and so do the lower ones as long as no number is too small. No
 * addition waits for a correction.
 * @returns false where a number is beyond the bound, or too small beside it: then nothing is known.
 */
function addBlock(numbers: Float64Array, start: number, end: number, bound: number, parts: Float64Array): boolean {
  if (bound === 0) return false;
  const least = bound * 2 ** -SPREAD;
  const cut = 1.5 * bound * 2 ** BLOCK_BITS;
  let upper = 0;
  let upperOdd = 0;
  let lower = 0;
  let lowerOdd = 0;
  let row = start;
  for (; row + 1 < end; row += 2) {
    const value = numbers[row] as number;
    const odd = numbers[row + 1] as number;
    const size = Math.abs(value);
    const oddSize = Math.abs(odd);
    if (size > bound || oddSize > bound) return false;
    if (size < least && size !== 0) return false;
    if (oddSize < least && oddSize !== 0) return false;
    const part = cut + value - cut;
    upper += part;
    lower += value - part;
    const oddPart = cut + odd - cut;
    upperOdd += oddPart;
    lowerOdd += odd - oddPart;
  }
  if (row < end) {
    const value = numbers[row] as number;
    const size = Math.abs(value);
    if (size > bound || (size < least && size !== 0)) return false;
    const part = cut + value - cut;
    upper += part;
    lower += value - part;
  }
  parts[0] = upper + upperOdd;
  parts[1] = lower + lowerOdd;
  // NaN is in no comparison, and makes the sum NaN.
  return upper - upper === 0 && upperOdd - upperOdd === 0;
}
