// The cells of one column of a block of CSV or JSON: what the typed parsers go through.
import { isNullWord } from './null-words.ts';
import type { Slab } from '../../chunk/slab.ts';
import { PLAIN } from './cell-flags.ts';
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
