// Which rows of a block can be taken: as many cells as there are columns, quotes in pairs, UTF-8, values that fit the
// types that the caller gave.
import type { DTypeInfo } from '@colkit/io';
import { cellText } from '../cells/cell-text.ts';
import { fitsType } from '../cells/cell-types.ts';
import { isNullWord } from '../../text-input/cells/null-words.ts';
import { MALFORMED, PLAIN } from '../../text-input/cells/cell-flags.ts';
import type { Tokenizer } from '../cells/tokenizer.ts';
import { isAscii, isUtf8 } from '../../values/utf8.ts';
import { MOST_REJECTED, NO_UTF8_REMEDY } from '../../text-input/rejected-rows.ts';
import type { Fault } from '../../text-input/rejected-rows.ts';

interface AcceptedRows {
  /** One byte for each row, 0: left out. Null: all are taken. */
  readonly accepted: Uint8Array | null;
  /** The first of them: one, or, where rows are skipped, a thousand. */
  readonly faults: readonly Fault[];
  readonly faultCount: number;
  readonly ascii: boolean;
  /** For each column how many moments of rows that are taken had an offset; null: none. */
  readonly shifted: readonly number[] | null;
}

/**
 * What is known of a column before its cells are seen. `given` is the type that the caller gave; null: to be found out.
 */
export interface ExpectedColumn {
  readonly name: string;
  /** Which cell of a row. */
  readonly cell: number;
  readonly given: DTypeInfo | null;
}

/**
 * Looks at the rows that `tokenizer` found in the first `byteLength` bytes; no further than the first fault where rows
 * are not skipped. @param cellCount of each row.
 */
export function acceptRows(
  bytes: Uint8Array,
  byteLength: number,
  tokenizer: Tokenizer,
  cellCount: number,
  columns: readonly ExpectedColumn[],
  nullWords: readonly Uint8Array[],
  onError: 'stop' | 'skip',
): AcceptedRows {
  const { rowCount, rowCells, rowLines, flags, hasMalformed } = tokenizer;
  const text = bytes.subarray(0, byteLength);
  const ascii = tokenizer.isAscii || isAscii(text);
  const isText = ascii || isUtf8(text);
  const given = columns.some((column) => column.given !== null);
  const faults: Fault[] = [];
  let faultCount = 0;
  let accepted: Uint8Array | null = null;
  let shifted: number[] | null = null;
  const shiftedInRow: number[] = [];
  for (let row = 0; row < rowCount; row += 1) {
    const first = rowCells[row] as number;
    const next = rowCells[row + 1] as number;
    let fault: Omit<Fault, 'line'> | null = null;
    // First: where quotes are broken, nobody knows how many cells there are.
    for (let cell = first; hasMalformed && cell < next && fault === null; cell += 1)
      if (flags[cell] === MALFORMED)
        fault = { expected: 'quotes in pairs', found: `broken ones in cell ${String(cell - first + 1)}` };
    if (fault === null && next - first !== cellCount)
      fault = { expected: `${String(cellCount)} cells`, found: String(next - first) };
    if (fault === null && !isText) fault = encodingFault(bytes, tokenizer, first, next);
    if (fault === null && given) {
      shiftedInRow.length = 0;
      fault = typeFault(bytes, tokenizer, first, columns, nullWords, shiftedInRow);
      if (fault === null && shiftedInRow.length > 0) {
        shifted ??= columns.map(() => 0);
        for (const position of shiftedInRow) shifted[position] = (shifted[position] as number) + 1;
      }
    }
    if (fault === null) continue;
    faultCount += 1;
    if (faults.length < MOST_REJECTED) faults.push({ line: rowLines[row] as number, ...fault });
    accepted ??= new Uint8Array(rowCount).fill(1);
    accepted[row] = 0;
    if (onError === 'stop') break;
  }
  return { accepted, faults, faultCount, ascii, shifted };
}

function encodingFault(
  bytes: Uint8Array,
  { starts, ends }: Tokenizer,
  first: number,
  next: number,
): Omit<Fault, 'line'> | null {
  for (let cell = first; cell < next; cell += 1)
    if (!isUtf8(bytes.subarray(starts[cell], ends[cell])))
      return {
        expected: 'UTF-8',
        found: `other bytes in cell ${String(cell - first + 1)}`,
        remedy: NO_UTF8_REMEDY,
      };
  return null;
}

/** @param shifted gets the columns that have a moment with an offset. */
function typeFault(
  bytes: Uint8Array,
  tokenizer: Tokenizer,
  first: number,
  columns: readonly ExpectedColumn[],
  nullWords: readonly Uint8Array[],
  shifted: number[],
): Omit<Fault, 'line'> | null {
  const { starts, ends, flags } = tokenizer;
  for (let position = 0; position < columns.length; position += 1) {
    const { given, name, cell: cellOfRow } = columns[position] as ExpectedColumn;
    if (given === null) continue;
    const cell = first + cellOfRow;
    const [start, end] = [starts[cell] as number, ends[cell] as number];
    if (flags[cell] === PLAIN && isNullWord(bytes, start, end, nullWords)) continue;
    const fit = fitsType(given, bytes, start, end, () => cellText(bytes, tokenizer, tokenizer.quote, cell));
    if (fit === 'shifted') shifted.push(position);
    if (fit !== 'no') continue;
    return {
      expected: `${given.name} in column ${JSON.stringify(name)}`,
      found: JSON.stringify(cellText(bytes, tokenizer, tokenizer.quote, cell).slice(0, 80)),
    };
  }
  return null;
}
