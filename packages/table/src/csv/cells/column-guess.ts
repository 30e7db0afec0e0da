// What is known of a column after some of its cells: which types all of them could have, whether one is null, and how
// wide they are.
import { parseDType } from '@colkit/io';
import type { DType, DTypeInfo } from '@colkit/io';
import type { Field } from '../../source.ts';
import { isNullWord, longestOf } from '../../text-input/cells/null-words.ts';
import { ANY, BOOL, DATE, DATETIME, FLOAT, INTEGER, UNSIGNED, classify } from '../../text-input/cells/classify.ts';
import { ESCAPED, PLAIN } from '../../text-input/cells/cell-flags.ts';
import type { Tokenizer } from './tokenizer.ts';

const MASKS: ReadonlyMap<DType, number> = new Map([
  ['bool', BOOL],
  ['int64', INTEGER],
  ['uint64', UNSIGNED],
  ['float64', FLOAT],
  ['datetime64[D]', DATE],
  ['datetime64[us]', DATETIME],
]);

/** What some cells of a column tell, as plain data. */
export interface ColumnFacts {
  /** The types that all of them could have. */
  readonly types: number;
  readonly hasValue: boolean;
  readonly hasNull: boolean;
  readonly longest: number;
}

export class ColumnGuess {
  readonly name: string;
  /** The type that the caller gave; null: to be found out. */
  readonly given: DTypeInfo | null;
  #types: number;
  #hasValue = false;
  hasNull = false;
  /** Bytes of the longest cell. */
  #longest = 0;

  /** `types`: those that are asked about. */
  constructor(name: string, given: DTypeInfo | null, types = ANY) {
    this.name = name;
    this.given = given;
    this.#types = types;
  }

  get types(): number {
    return this.#types;
  }

  get hasValue(): boolean {
    return this.#hasValue;
  }

  facts(): ColumnFacts {
    return { types: this.#types, hasValue: this.#hasValue, hasNull: this.hasNull, longest: this.#longest };
  }

  /** Whether no cell so far is in the way of that type. */
  isPossible(dtype: DType): boolean {
    return this.given !== null || dtype === 'string' || (this.#types & (MASKS.get(dtype) ?? 0)) !== 0;
  }

  /** Adds what other cells of the column tell. */
  merge({ types, hasValue, hasNull, longest }: ColumnFacts): void {
    if (hasValue) this.#types &= types;
    this.#hasValue ||= hasValue;
    this.hasNull ||= hasNull;
    this.#longest = Math.max(this.#longest, longest);
  }

  /** Looks at one cell of each of the rows that `accepted` marks (null: all). */
  look(
    bytes: Uint8Array,
    { starts, ends, flags, rowCells, rowCount }: Tokenizer,
    cellOfRow: number,
    nullWords: readonly Uint8Array[],
    accepted: Uint8Array | null,
  ): void {
    let types = this.given === null ? this.#types : 0;
    const longestWord = longestOf(nullWords);
    if (types === 0 && accepted === null && longestWord <= 0) {
      this.#lookAtText(starts, ends, flags, rowCells, rowCount, cellOfRow, longestWord);
      return;
    }
    for (let row = 0; row < rowCount; row += 1) {
      if (accepted !== null && accepted[row] === 0) continue;
      const cell = (rowCells[row] as number) + cellOfRow;
      const start = starts[cell] as number;
      const end = ends[cell] as number;
      if (end - start <= longestWord && flags[cell] === PLAIN && isNullWord(bytes, start, end, nullWords)) {
        this.hasNull = true;
        continue;
      }
      this.#hasValue = true;
      if (end - start > this.#longest) this.#longest = end - start;
      if (types !== 0) types = start === end || flags[cell] === ESCAPED ? 0 : classify(bytes, start, end, types);
    }
    if (this.given === null) this.#types = types;
  }

  /** Nothing is asked but how long cells are, and whether one is empty (which is null where `longestWord` is 0). */
  #lookAtText(
    starts: Int32Array,
    ends: Int32Array,
    flags: Uint8Array,
    rowCells: Int32Array,
    rowCount: number,
    cellOfRow: number,
    longestWord: number,
  ): void {
    let longest = this.#longest;
    let nulls = 0;
    for (let row = 0; row < rowCount; row += 1) {
      const cell = (rowCells[row] as number) + cellOfRow;
      const length = (ends[cell] as number) - (starts[cell] as number);
      if (length > longest) longest = length;
      if (length === 0 && longestWord === 0 && flags[cell] === PLAIN) nulls += 1;
    }
    this.#longest = longest;
    if (nulls > 0) this.hasNull = true;
    if (nulls < rowCount) this.#hasValue = true;
  }

  /** The type that all cells have; text where they have none in common, or where there are none. */
  field(text: 'string' | 'fixed', ascii: boolean): Field {
    return { name: this.name, dtype: this.given?.name ?? this.#dtype(text, ascii), nullable: this.hasNull };
  }

  #dtype(text: 'string' | 'fixed', ascii: boolean): DType {
    const types = this.#hasValue ? this.#types : 0;
    if ((types & BOOL) !== 0) return 'bool';
    if ((types & INTEGER) !== 0) return 'int64';
    if ((types & UNSIGNED) !== 0) return 'uint64';
    if ((types & FLOAT) !== 0) return 'float64';
    if ((types & DATE) !== 0) return 'datetime64[D]';
    if ((types & DATETIME) !== 0) return 'datetime64[us]';
    if (text === 'string') return 'string';
    return parseDType(`${ascii ? 'S' : 'U'}${String(Math.max(1, this.#longest))}`).name;
  }
}
