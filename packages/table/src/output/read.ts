// A view and options -> one request to its source, and what comes back -> columns. The way of plain columns (fixed
// width, no nulls, no text, no options) is the hot one: a read of a hundred rows is over in microseconds, so it
// allocates nothing that the result does not need.
import { allocateOutputs, checkOptions, typedArrayOver } from '@colkit/io';
import type { GatherOutput, RowSelection } from '@colkit/io';
import { contextOf, runSync, WorkContext } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import type { ProjectedColumn } from '../views/projection.ts';
import { resolveRows } from '../views/resolve.ts';
import { countRows } from '../views/rows.ts';
import type { View } from '../views/view.ts';
import type { AnyColumn } from './forms/convert.ts';
import { byName } from './null-object.ts';
import { COLUMNS_OPTIONS } from './options.ts';
import type { ColumnsOptions } from './options.ts';
import { readSelection } from './reading/read-source.ts';
import { selectedRows, textForm } from './reading/request.ts';
import { requireOpen } from './require-open.ts';
import { settleToRead } from './settle.ts';

/** All columns of a view, in the order of its projection. */
export function* readColumns(
  from: View,
  operation: string,
  options: ColumnsOptions = {},
  range?: RowSelection,
): Work<readonly AnyColumn[]> {
  const view = from.pending.length === 0 ? from : yield* settleToRead(from, operation, textForm(options));
  const count = range === undefined ? countRows(view.rows) : selectedRows(range);
  return yield* readSelection(view, count, () => range ?? resolveRows(view.rows), operation, options);
}

/** The columns of a view as `Table.toColumns` gives them, as a work. */
export function* columnsOfView(view: View, operation: string, options?: ColumnsOptions): Work<unknown> {
  checkOptions<ColumnsOptions>(operation, COLUMNS_OPTIONS, options);
  return byName(view.projection.names, yield* readColumns(view, operation, options));
}

/** The same at once, and for plain columns without a work. */
export function readColumnsSync(view: View, operation: string, options?: ColumnsOptions): readonly AnyColumn[] {
  if (view.pending.length === 0 && options === undefined && view.projection.direct)
    return readDirectSync(view, operation);
  return runSync(readColumns(view, operation, options), contextOf(options ?? {}));
}

function readDirectSync({ source, projection, rows }: View, operation: string): readonly AnyColumn[] {
  requireOpen(source, operation);
  const selection = resolveRows(rows);
  const count = selectedRows(selection);
  const { columns } = projection;
  const lengths = new Array<number>(columns.length);
  for (let position = 0; position < columns.length; position += 1)
    lengths[position] = (columns[position] as ProjectedColumn).info.itemBytes * count;
  const bytes = allocateOutputs(lengths);
  const outputs = new Array<GatherOutput>(columns.length);
  for (let position = 0; position < columns.length; position += 1) {
    outputs[position] = {
      bytes: bytes[position] as Uint8Array,
      byteOffset: 0,
      byteStride: (columns[position] as ProjectedColumn).info.itemBytes,
    };
  }
  source.read({ columns: projection.numbers, rows: selection, outputs, strings: 'values' }).runSync(new WorkContext());
  const arrays = new Array<AnyColumn>(columns.length);
  for (let position = 0; position < columns.length; position += 1) {
    const items = bytes[position] as Uint8Array;
    const { arrayType, info } = columns[position] as ProjectedColumn;
    arrays[position] =
      arrayType === null ? typedArrayOver(info, items) : new arrayType(items.buffer, items.byteOffset, count);
  }
  return arrays;
}
