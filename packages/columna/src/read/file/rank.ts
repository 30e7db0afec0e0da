// Rows of a page -> indices of its values: what nulls make necessary. And the rows of a span: what is damaged elsewhere
// in the page is no reason to refuse them.
import { numbersFrom } from '../../columns/vector.ts';
import type { Span } from './spans.ts';

/** How many of the rows before `row` are not null: one count per 32 rows, then the rest of a word. */
export class RowRank {
  readonly #validity: Uint8Array;
  readonly #counts: Uint32Array;

  /** @param validity the bitmap of a page of `rowCount` rows. */
  constructor(validity: Uint8Array, rowCount: number) {
    this.#validity = validity;
    this.#counts = new Uint32Array((rowCount >>> 5) + 1);
    let sum = 0;
    for (let word = 0; word < this.#counts.length; word++) {
      this.#counts[word] = sum;
      sum += ones(wordAt(validity, word));
    }
  }

  before(row: number): number {
    const word = row >>> 5;
    return (this.#counts[word] as number) + ones(wordAt(this.#validity, word) & ((1 << (row & 31)) - 1));
  }
}

function wordAt(bytes: Uint8Array, word: number): number {
  const at = 4 * word;
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
}

function ones(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

export function isPresent(validity: Uint8Array, row: number): boolean {
  return (((validity[row >>> 3] as number) >>> (row & 7)) & 1) === 1;
}

/** The rows of a span in the order in which they are wanted. */
export function askedRows({ start, end, picks }: Span): Uint32Array {
  return picks ?? numbersFrom(start, end - start);
}

/**
 * The numbers of their values, without those that are null.
 * @param validity of the page, of `rowCount` rows; null where none is null.
 */
export function askedValues(span: Span, validity: Uint8Array | null, rowCount: number): Uint32Array {
  const rows = askedRows(span);
  if (validity === null) return rows;
  const rank = new RowRank(validity, rowCount);
  const values = new Uint32Array(rows.length);
  let count = 0;
  let next = -1;
  let before = 0;
  for (const row of rows) {
    // Most come behind the one before them.
    if (row !== next) before = rank.before(row);
    if (isPresent(validity, row)) values[count++] = before++;
    next = row + 1;
  }
  return values.subarray(0, count);
}

/** Which rows are not null, and how many. */
export interface Presence {
  readonly valueCount: number;
  /** One bit a row; null where none is null, and where all are. */
  readonly validity: Uint8Array | null;
}

/**
 * Of rows by their codes, some of which stand for null: their index is -1, or without a table of indexes the code
 * itself, all bits set.
 */
export function presentRows(codes: Uint32Array, indexes: Int32Array | null): Presence {
  const rowCount = codes.length;
  const validity = new Uint8Array(Math.ceil(rowCount / 8));
  let valueCount = 0;
  for (let first = 0; first < rowCount; first += 8) {
    const end = Math.min(first + 8, rowCount);
    let octet = 0;
    // Which row is null cannot be predicted, so it is arithmetic and not a branch.
    for (let row = first; row < end; row++) {
      const code = codes[row] as number;
      const present = ~(indexes === null ? code : (indexes[code] as number)) >>> 31;
      octet |= present << (row - first);
      valueCount += present;
    }
    validity[first >>> 3] = octet;
  }
  return { valueCount, validity: valueCount > 0 && valueCount < rowCount ? validity : null };
}
