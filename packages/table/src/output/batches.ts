// A view -> its rows in order, some at a time: what is in memory is one batch, or a few megabytes of small ones,
// whatever the length of the view or the file. Indices are all checked before the first batch is read.
import type { RowSelection } from '@colkit/io';
import { contextOf, iterate, iterateSync, Result } from '@colkit/io/effects';
import type { WorkStream } from '@colkit/io/effects';
import { checkRows, resolveRange } from '../views/resolve.ts';
import { countRows } from '../views/rows.ts';
import type { View } from '../views/view.ts';
import { BatchWindow, cutColumn } from './batch-windows.ts';
import type { AnyColumn } from './forms/convert.ts';
import { byName } from './null-object.ts';
import { jsonCells, loadJson } from './forms/json-cells.ts';
import type { JsonCell } from './forms/json.ts';
import type { BatchOptions } from './options.ts';
import { readSelection } from './reading/read-source.ts';
import { requireOpen } from './require-open.ts';
import { settleView } from './settle.ts';

/** Consecutive rows of a view, in the order of its projection. */
export interface ColumnBatch {
  readonly rowCount: number;
  readonly columns: readonly AnyColumn[];
}

export function* batchesOf(from: View, operation: string, options: BatchOptions = {}): WorkStream<ColumnBatch> {
  requireOpen(from.source, operation);
  if (options.json === true) yield* loadJson();
  const view = yield* settleView(from, operation);
  checkRows(view.rows);
  const count = countRows(view.rows);
  const window = new BatchWindow(view.projection, options);
  for (let start = 0; start < count; ) {
    const rowCount = Math.min(window.rows, count - start);
    let columns: readonly AnyColumn[];
    try {
      const { source, projection } = view;
      const part = { source, projection, mostBytes: window.mostBytes(rowCount) };
      const rows = (): RowSelection => resolveRange(view.rows, start, start + rowCount);
      columns = yield* readSelection(part, rowCount, rows, operation, options);
    } catch (error) {
      if (!window.narrow(rowCount, error)) throw error;
      continue;
    }
    start += rowCount;
    // Before they are the user's, who may empty them or send them away.
    window.met(columns, rowCount, start);
    if (rowCount <= window.size) yield new Result({ rowCount, columns });
    else yield* cutBatches(from, operation, window.size, options.signal, { rowCount, columns });
  }
}

/** A window in batches: between two of them the table may be closed, and the read aborted. */
function* cutBatches(
  { source }: View,
  operation: string,
  size: number,
  signal: AbortSignal | undefined,
  { rowCount, columns }: ColumnBatch,
): WorkStream<ColumnBatch> {
  for (let start = 0; start < rowCount; start += size) {
    const end = Math.min(rowCount, start + size);
    requireOpen(source, operation);
    signal?.throwIfAborted();
    const cut = columns.map((column) => cutColumn(column, rowCount, start, end));
    yield new Result({ rowCount: end - start, columns: cut });
  }
}

export function readBatches(
  from: View,
  operation: string,
  options: BatchOptions = {},
): AsyncGenerator<ColumnBatch, void, undefined> {
  return iterate(batchesOf(from, operation, options), contextOf(options));
}

export function readBatchesSync(
  from: View,
  operation: string,
  options: BatchOptions = {},
): Generator<ColumnBatch, void, undefined> {
  return iterateSync(batchesOf(from, operation, options), contextOf(options));
}

/** As `readBatches`: the columns of each batch by name, as arrays of JSON's values if that is asked for. */
export async function* readNamedBatches(
  view: View,
  operation: string,
  options: BatchOptions = {},
): AsyncGenerator<NamedBatch, void, undefined> {
  for await (const batch of readBatches(view, operation, readable(options))) yield namedBatch(view, batch, options);
}

export function* readNamedBatchesSync(
  view: View,
  operation: string,
  options: BatchOptions = {},
): Generator<NamedBatch, void, undefined> {
  for (const batch of readBatchesSync(view, operation, readable(options))) yield namedBatch(view, batch, options);
}

type NamedBatch = Record<string, AnyColumn | JsonCell[]>;

/** JSON's values are made of the default forms. */
function readable(options: BatchOptions): BatchOptions {
  const { json, rows, bytes, workers, signal } = options;
  if (json !== true) return options;
  return {
    json,
    ...(rows === undefined ? {} : { rows }),
    ...(bytes === undefined ? {} : { bytes }),
    ...(workers === undefined ? {} : { workers }),
    ...(signal === undefined ? {} : { signal }),
  };
}

function namedBatch({ projection }: View, { columns, rowCount }: ColumnBatch, options: BatchOptions): NamedBatch {
  const { json, nan = 'text' } = options;
  if (json !== true) return byName(projection.names, columns);
  return byName(
    projection.names,
    columns.map((column, position) => jsonCells(projection.at(position).info, column, rowCount, nan)),
  );
}
