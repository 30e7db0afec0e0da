// The first or the last value of each group that is not null, in the order of the rows: states merge in the order of
// theirs.
import type { DTypeInfo } from '@colkit/io';
import type { ColumnStatistics } from '../query/proof/column-statistics.ts';
import { areNull } from './accumulator.ts';
import type { ValueAccumulator } from './accumulator.ts';
import { cellAt, isNullAt } from './column-values.ts';
import type { Cell, ColumnValues } from './column-values.ts';
import { BlockNumbers, groupAt } from './keys/block-groups.ts';
import type { BlockGroups } from './keys/block-groups.ts';
import { entriesOf, jsonValue, parseValue } from './state.ts';
import type { AggregateState } from './state.ts';

/** In place of a row: none is wanted, none was found. */
const NONE = -1;
const MISSING = -2;

export class Ends implements ValueAccumulator {
  readonly summary: 'first' | null;
  readonly fold = null;
  readonly #info: DTypeInfo;
  readonly #isLast: boolean;
  readonly #values: Cell[] = [];
  readonly #numbers = new BlockNumbers();

  constructor(info: DTypeInfo, wanted: 'first' | 'last') {
    this.#info = info;
    this.#isLast = wanted === 'last';
    this.summary = wanted === 'first' ? 'first' : null;
  }

  add(values: ColumnValues, rowCount: number, groups: Uint32Array | null, groupCount: number): void {
    this.#grow(groupCount);
    const block = this.#numbers.of(groups, rowCount, groupCount);
    const rows = this.#isLast ? lastRows(values, rowCount, block) : this.#firstRows(values, rowCount, block);
    for (const [at, row] of rows.entries())
      if (row >= 0) this.#values[groupAt(block.groupOf, at)] = cellAt(this.#info, values, row);
  }

  isMissing(groups: Int32Array): boolean {
    for (let index = 0; index < groups.length; index += 1) {
      const group = groups[index] as number;
      if (group !== -1 && (this.#values[group] ?? null) === null) return true;
    }
    return false;
  }

  /** Behind a first value no other matters. */
  know(statistics: ColumnStatistics): boolean {
    return areNull(statistics) || (!this.#isLast && (this.#values[0] ?? null) !== null);
  }

  merge(state: AggregateState, groupOf: Uint32Array, groupCount: number): void {
    this.#grow(groupCount);
    const values = entriesOf(state, 'values', groupOf.length);
    for (const [index, group] of groupOf.entries()) {
      const value = parseValue(values[index]);
      if (value !== null && (this.#isLast || this.#values[group] === null)) this.#values[group] = value;
    }
  }

  state(groupCount: number): AggregateState {
    return { values: Array.from({ length: groupCount }, (_, group) => jsonValue(this.result(group))) };
  }

  result(group: number): Cell {
    return this.#values[group] ?? null;
  }

  /** For each group that has no value yet the first row that has one; NONE and MISSING elsewhere. */
  #firstRows(values: ColumnValues, rowCount: number, { groups, count, groupOf }: BlockGroups): Int32Array {
    const rows = new Int32Array(count).fill(NONE);
    let missing = 0;
    for (let at = 0; at < count; at += 1) {
      if (this.#values[groupAt(groupOf, at)] !== null) continue;
      rows[at] = MISSING;
      missing += 1;
    }
    for (let row = 0; row < rowCount && missing > 0; row += 1) {
      const at = groups === null ? 0 : (groups[row] as number);
      if (rows[at] !== MISSING || isNullAt(values, row)) continue;
      rows[at] = row;
      missing -= 1;
    }
    return rows;
  }

  #grow(groupCount: number): void {
    while (this.#values.length < groupCount) this.#values.push(null);
  }
}

/** For each group its last row that has a value; NONE where it has none. */
function lastRows(values: ColumnValues, rowCount: number, { groups, count }: BlockGroups): Int32Array {
  const rows = new Int32Array(count).fill(NONE);
  let missing = count;
  for (let row = rowCount - 1; row >= 0 && missing > 0; row -= 1) {
    const at = groups === null ? 0 : (groups[row] as number);
    if (rows[at] !== NONE || isNullAt(values, row)) continue;
    rows[at] = row;
    missing -= 1;
  }
  return rows;
}
