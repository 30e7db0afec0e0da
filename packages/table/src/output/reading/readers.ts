// All ways from a view to arrays, rows and values.
export { readNamedBatches, readNamedBatchesSync } from '../batches.ts';
export { readCell } from '../cell.ts';
export { columnsOfView, readColumns, readColumnsSync } from '../read.ts';
export { readAllRows, streamCells, streamCellsSync, streamRows, streamRowsSync } from '../rows.ts';
