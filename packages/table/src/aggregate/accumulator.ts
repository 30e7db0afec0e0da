// One aggregate of one column for every group, block by block, and what it can be asked. All kinds of it are one for
// who reads, merges and sends: see aggregation.ts.
import type { Cell, ColumnValues } from './column-values.ts';
import type { AggregateState } from './state.ts';

export interface Accumulator {
  /**
   * Takes the next rows in order.
   * @param groups for every row its group, below `groupCount`; null: all rows are of group 0. Groups grow in number.
   */
  add(values: ColumnValues, rowCount: number, groups: Uint32Array | null, groupCount: number): void;
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
