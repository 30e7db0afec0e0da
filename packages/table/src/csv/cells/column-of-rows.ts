// The cells of one column of a block, wherever the rows that are taken lie.
import type { Slab } from '../../chunk/slab.ts';
import type { ColumnCells } from '../../text-input/cells/column-cells.ts';
import { longestOf } from '../../text-input/cells/null-words.ts';
import type { Tokenizer } from './tokenizer.ts';

/**
 * Number `cell` of each row. `accepted`: the rows that are taken, null for all, which then have `cellCount` cells each.
 * No copy for all of them.
 */
export function columnCells(
  bytes: Uint8Array,
  tokenizer: Tokenizer,
  cell: number,
  cellCount: number,
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
      first: cell,
      stride: cellCount,
      count: rowCount,
      nullWords,
      longestWord,
      slab,
    };
  const own = { starts: new Int32Array(taken), ends: new Int32Array(taken), flags: new Uint8Array(taken) };
  for (let row = 0, to = 0; row < rowCount; row += 1) {
    if (accepted[row] === 0) continue;
    const from = (rowCells[row] as number) + cell;
    own.starts[to] = starts[from] as number;
    own.ends[to] = ends[from] as number;
    own.flags[to] = flags[from] as number;
    to += 1;
  }
  return { bytes, ...own, first: 0, stride: 1, count: taken, nullWords, longestWord, slab };
}
