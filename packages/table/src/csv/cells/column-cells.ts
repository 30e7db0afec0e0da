// The cells of one column of a block, wherever the rows that are taken lie: what the typed parsers go through.
import { isNullWord, longestOf } from './column-guess.ts';
import type { Slab } from '../../chunk/slab.ts';
import { PLAIN } from './tokenizer.ts';
import type { Tokenizer } from './tokenizer.ts';
import { setNull } from '../../validity.ts';

/** Cell i of the column is number `first + i * stride`. */
export interface ColumnCells {
  readonly bytes: Uint8Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly flags: Uint8Array;
  readonly first: number;
  readonly stride: number;
  readonly count: number;
  readonly nullWords: readonly Uint8Array[];
  /** Bytes of the longest null word: longer cells are not null. */
  readonly longestWord: number;
  /** Memory for the values. */
  readonly slab: Slab;
}

/** `accepted`: the rows that are taken, null for all, which then have `columns` cells each. No copy for all of them. */
export function columnCells(
  bytes: Uint8Array,
  tokenizer: Tokenizer,
  column: number,
  columns: number,
  accepted: Uint8Array | null,
  taken: number,
  nullWords: readonly Uint8Array[],
  slab: Slab,
): ColumnCells {
  const { starts, ends, flags, rowCells, rowCount } = tokenizer;
  const longestWord = longestOf(nullWords);
  if (accepted === null)
    return {
      bytes,
      starts,
      ends,
      flags,
      first: column,
      stride: columns,
      count: rowCount,
      nullWords,
      longestWord,
      slab,
    };
  const own = { starts: new Int32Array(taken), ends: new Int32Array(taken), flags: new Uint8Array(taken) };
  for (let row = 0, to = 0; row < rowCount; row += 1) {
    if (accepted[row] === 0) continue;
    const cell = (rowCells[row] as number) + column;
    own.starts[to] = starts[cell] as number;
    own.ends[to] = ends[cell] as number;
    own.flags[to] = flags[cell] as number;
    to += 1;
  }
  return { bytes, ...own, first: 0, stride: 1, count: taken, nullWords, longestWord, slab };
}

/** Whether the cell is null. To be asked only of cells that are not longer than the longest word. */
export function isNullCell(cells: ColumnCells, cell: number, start: number, end: number): boolean {
  return cells.flags[cell] === PLAIN && isNullWord(cells.bytes, start, end, cells.nullWords);
}

/** Which rows are null, found one after the other. */
export class NullMarks {
  /** Null as long as no row is. */
  validity: Uint8Array | null = null;
  count = 0;
  readonly #rowCount: number;
  readonly #slab: Slab;

  constructor({ count, slab }: ColumnCells) {
    this.#rowCount = count;
    this.#slab = slab;
  }

  mark(row: number): void {
    this.validity ??= this.#slab.allValid(this.#rowCount);
    setNull(this.validity, row);
    this.count += 1;
  }
}
