// The rows of a view -> their numbers in the source.
import { allocateIndices, foldIndices } from './indices.ts';
import { resolveRange } from './resolve.ts';
import { countRows } from './rows.ts';
import type { Rows } from './rows.ts';

/**
 * Folded and checked, an array of its own.
 * @throws OutOfRangeError, ArgumentError for an index of the rows; LimitError.
 */
export function rowNumbersOf(rows: Rows, rowCount: number): Int32Array | Float64Array {
  const count = countRows(rows);
  const out = allocateIndices(count, rowCount);
  const selection = resolveRange(rows, 0, count);
  switch (selection.kind) {
    case 'range':
      for (let index = 0; index < count; index += 1) out[index] = selection.start + index * selection.step;
      return out;
    case 'indices': {
      const indices = foldIndices(selection.indices, rowCount, 0);
      for (let position = 0; position < count; position += 1) out[position] = Number(indices[position]);
      return out;
    }
    case 'mask': {
      let used = 0;
      for (const [row, keep] of selection.mask.entries()) if (keep !== 0) out[used++] = row;
      return out;
    }
  }
}
