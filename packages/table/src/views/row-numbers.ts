// The rows of a view -> their numbers in the source.
import { allocateIndices, foldIndices } from './indices.ts';
import { resolveWindow } from './resolve.ts';
import { countRows } from './rows.ts';
import type { Rows } from './rows.ts';

/**
 * Folded and checked, an array of its own.
 * @throws OutOfRangeError, ArgumentError for an index of the rows; LimitError.
 */
export function rowNumbersOf(rows: Rows, rowCount: number): Int32Array | Float64Array {
  const count = countRows(rows);
  const out = allocateIndices(count, rowCount);
  const selection = resolveWindow(rows, 0, count);
  switch (selection.kind) {
    case 'range':
      for (let place = 0; place < count; place += 1) out[place] = selection.start + place * selection.step;
      return out;
    case 'indices': {
      const indices = foldIndices(selection.indices, rowCount, 0);
      for (let place = 0; place < count; place += 1) out[place] = Number(indices[place]);
      return out;
    }
    case 'mask': {
      let used = 0;
      for (const [row, keep] of selection.mask.entries()) if (keep !== 0) out[used++] = row;
      return out;
    }
  }
}
