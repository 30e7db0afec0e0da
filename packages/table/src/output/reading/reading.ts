// What makes arrays and rows of a view: where that is. In builds for browsers it is loaded when a file is opened.
import type { Operation } from '@colkit/io/effects';

export {
  columnsOfView,
  readAllRows,
  readCell,
  readColumns,
  readColumnsSync,
  readNamedBatches,
  readNamedBatchesSync,
  streamCells,
  streamCellsSync,
  streamRows,
  streamRowsSync,
} from './readers.ts';

/** What there is to load before a table is read, for those who open files. */
export const TABLE_READING: readonly Operation<unknown>[] = [];
