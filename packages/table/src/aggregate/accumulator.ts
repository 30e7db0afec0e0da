// One aggregate of one column for every group, block by block, and what it can be asked. All kinds of it are one for
// who reads, merges and sends: see aggregation.ts.
import type { Cell, ColumnValues } from './column-values.ts';
import type { ColumnStatistics, StatisticsValue } from '../query/proof/column-statistics.ts';
import type { AggregateState } from './state.ts';

/**
 * What is enough to know of values none of which is null: how many, their sum, the least or the most of them, which
 * there are, their mean and how far they are from it, or (`first`) nothing, where each group has a value already.
 */
export type Summary = 'count' | 'sum' | 'min' | 'max' | 'distinct' | 'moments' | 'first';

export interface Accumulator {
  /** What of values is enough for it, see the methods `add…`; null: it takes nothing but values. */
  readonly summary: Summary | null;
  /** The same of whoever finds it among stored values of any type, texts included. */
  readonly fold: Summary | null;
  /**
   * Takes the next rows in order.
   * @param groups for every row its group, below `groupCount`; null: all rows are of group 0. Groups grow in number.
   */
  add(values: ColumnValues, rowCount: number, groups: Uint32Array | null, groupCount: number): void;
  /**
   * Takes values that somebody else has looked at.
   * @param count how many, at least one. @param value what `summary` or `fold` asks for: a sum is exact; an extreme is
   * NaN or NaT where nothing else was found.
   */
  addSummary?(group: number, count: number, value: number | bigint | string): void;
  /** Takes a value that somebody else has met in a group, once or several times. */
  addDistinct?(group: number, value: Cell): void;
  /** Whether one of some groups has no value yet, of those whose `summary` is `first`; -1 is none. */
  isMissing?(groups: Int32Array): boolean;
  /**
   * Takes values that somebody else has looked at.
   * @param count how many, at least one. @param origin a value near them, from which `mean` is counted.
   * @param squares the sum of the squared distances from the mean.
   */
  addMoments?(group: number, count: number, origin: number, mean: number, squares: number): void;
  /**
   * Takes the sum of floats.
   * @param fixed exact, in units of 2^-1074. @param special the sum of those that are not finite; 0 where all are.
   */
  addExact?(group: number, count: number, fixed: bigint, special: number): void;
  /**
   * Takes the next rows by their statistics, all of group 0.
   * @param isWhole whether the statistics are of just these rows, and not of more.
   * @returns false where values must be looked at: then nothing was taken.
   */
  know(statistics: ColumnStatistics, isWhole: boolean): boolean;
  /**
   * Takes what another of its kind gathered from the rows behind those of this one.
   * @param groupOf for each group of the state the own one.
   * @throws ArgumentError ERR_ARGUMENT for a state of another kind.
   */
  merge(state: AggregateState, groupOf: Uint32Array, groupCount: number): void;
  /** What it has gathered, as plain data; an entry for each of `groupCount` groups. */
  state(groupCount: number): AggregateState;
}

/** An accumulator whose answer is one value a group. */
export interface ValueAccumulator extends Accumulator {
  result(group: number): Cell;
}

/** Whether rows are all null, as their statistics say: that changes nothing for whoever passes nulls over. */
export function areNull({ rowCount, nullCount }: ColumnStatistics): boolean {
  return nullCount === rowCount;
}

/** The bound that decides; null where it is not known. NaN and NaT beside it change nothing. */
export function boundOf(
  { min, max, minExact, maxExact, nullCount, nanCount }: ColumnStatistics,
  isMax: boolean,
): { readonly value: StatisticsValue; readonly isExact: boolean } | null {
  const value = isMax ? max : min;
  if (value === null) return null;
  return { value, isExact: (isMax ? maxExact : minExact) && nullCount !== null && nanCount !== null };
}
