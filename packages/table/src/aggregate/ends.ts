// The first or the last value of each group that is not null, in the order of the rows: states merge in the order of
// theirs. Values are kept as their source has them, and become those of the answer when it is asked for.
import type { DTypeInfo } from '@colkit/io';
import type { ColumnStatistics } from '../query/proof/column-statistics.ts';
import { areNull } from './accumulator.ts';
import type { ValueAccumulator } from './accumulator.ts';
import { cellAt, grown, isNullAt } from './column-values.ts';
import type { Cell, ColumnValues } from './column-values.ts';
import { BlockNumbers, groupAt } from './groups/block-groups.ts';
import type { BlockGroups } from './groups/block-groups.ts';
import { GroupTexts } from './groups/group-texts.ts';
import { entriesOf, jsonValue, parseValue } from './state.ts';
import type { AggregateState } from './state.ts';

/** In place of a row: none is wanted, none was found. */
const NONE = -1;
const MISSING = -2;

/** What is kept of a group. */
const NOTHING = 0;
const NUMBER = 1;
const WORDS = 2;
const TEXT = 3;
const CELL = 4;

export class Ends implements ValueAccumulator {
  readonly summary: 'first' | null;
  readonly fold = null;
  readonly #info: DTypeInfo;
  readonly #isLast: boolean;
  readonly #blocks = new BlockNumbers();
  #kept = new Float64Array(1);
  #numbers = new Float64Array(1);
  /** Two a group: unsigned words. */
  #words = new Float64Array(1);
  readonly #texts = new GroupTexts();
  readonly #cells: Cell[] = [];

  constructor(info: DTypeInfo, wanted: 'first' | 'last') {
    this.#info = info;
    this.#isLast = wanted === 'last';
    this.summary = wanted === 'first' ? 'first' : null;
  }

  add(values: ColumnValues, rowCount: number, groups: Uint32Array | null, groupCount: number): void {
    this.#kept = grown(this.#kept, groupCount);
    const block = this.#blocks.of(groups, rowCount, groupCount);
    const rows = this.#isLast ? lastRows(values, rowCount, block) : this.#firstRows(values, rowCount, block);
    for (let at = 0; at < rows.length; at += 1) {
      const row = rows[at] as number;
      if (row >= 0) this.#keep(groupAt(block.groupOf, at), values, row, groupCount);
    }
  }

  isMissing(groups: Int32Array): boolean {
    for (let index = 0; index < groups.length; index += 1) {
      const group = groups[index] as number;
      if (group !== -1 && (this.#kept[group] ?? NOTHING) === NOTHING) return true;
    }
    return false;
  }

  /** Behind a first value no other matters. */
  know(statistics: ColumnStatistics): boolean {
    return areNull(statistics) || (!this.#isLast && this.#kept[0] !== NOTHING);
  }

  merge(state: AggregateState, groupOf: Uint32Array, groupCount: number): void {
    this.#kept = grown(this.#kept, groupCount);
    const values = entriesOf(state, 'values', groupOf.length);
    for (const [index, group] of groupOf.entries()) {
      const value = parseValue(values[index]);
      if (value !== null && (this.#isLast || this.#kept[group] === NOTHING)) this.#keepCell(group, value);
    }
  }

  state(groupCount: number): AggregateState {
    return { values: Array.from({ length: groupCount }, (_, group) => jsonValue(this.result(group))) };
  }

  result(group: number): Cell {
    switch (this.#kept[group] ?? NOTHING) {
      case NUMBER:
        return cellAt(this.#info, { kind: 'numbers', numbers: this.#numbers, stored: null, validity: null }, group);
      case WORDS: {
        const words = Uint32Array.from(this.#words.subarray(2 * group, 2 * group + 2));
        return cellAt(this.#info, { kind: 'words', words, validity: null }, 0);
      }
      case TEXT:
        return this.#texts.textOf(group);
      default:
        return this.#cells[group] ?? null;
    }
  }

  #keep(group: number, values: ColumnValues, row: number, groupCount: number): void {
    switch (values.kind) {
      case 'numbers':
        if (this.#numbers.length < groupCount) this.#numbers = grown(this.#numbers, groupCount);
        this.#numbers[group] = values.numbers[row] as number;
        this.#kept[group] = NUMBER;
        break;
      case 'words':
        if (this.#words.length < 2 * groupCount) this.#words = grown(this.#words, 2 * groupCount);
        this.#words[2 * group] = values.words[2 * row] as number;
        this.#words[2 * group + 1] = values.words[2 * row + 1] as number;
        this.#kept[group] = WORDS;
        break;
      case 'utf8':
        this.#texts.grow(groupCount);
        this.#texts.set(group, values.texts, values.codes === null ? row : (values.codes[row] as number));
        this.#kept[group] = TEXT;
        break;
      default:
        this.#keepCell(group, cellAt(this.#info, values, row));
    }
  }

  #keepCell(group: number, cell: Cell): void {
    while (this.#cells.length <= group) this.#cells.push(null);
    this.#cells[group] = cell;
    this.#kept[group] = CELL;
  }

  /** For each group that has no value yet the first row that has one; NONE and MISSING elsewhere. */
  #firstRows(values: ColumnValues, rowCount: number, { groups, count, groupOf }: BlockGroups): Int32Array {
    const rows = new Int32Array(count).fill(NONE);
    let missing = 0;
    for (let at = 0; at < count; at += 1) {
      if (this.#kept[groupAt(groupOf, at)] !== NOTHING) continue;
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
