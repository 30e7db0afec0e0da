// A view -> row objects, keyed in schema order. Columns are read in batches and turned round.
import { checkLimit } from '@colkit/io';
import { forEach } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { countRows } from '../views/rows.ts';
import type { View } from '../views/view.ts';
import { batchesOf, readBatches, readBatchesSync } from './batches.ts';
import type { ColumnBatch } from './batches.ts';
import { cellsOf } from './forms/cells.ts';
import type { Cell } from './forms/convert.ts';
import type { RowOptions } from './options.ts';
import { jsonCells } from './forms/json-cells.ts';
import type { JsonCell } from './forms/json.ts';

type AnyRow = Record<string, Cell | JsonCell>;

/** What is read at once, at first, where rows are handed out one by one. */
const STREAMED = { rows: 4096, bytes: 1 << 26 };

export function* readAllRows(view: View, operation: string, options: RowOptions = {}): Work<AnyRow[]> {
  checkRowCount(view, 0);
  const rows: AnyRow[] = [];
  yield* forEach(batchesOf(view, operation, formOf(options)), (batch) => {
    checkRowCount(view, rows.length + batch.rowCount);
    appendRows(view, batch, options, rows);
  });
  return rows;
}

/** Row objects beyond this fill the heap, which ends the process. */
const MOST_ROWS = 2 ** 25;

/** @param found rows so far; how many a predicate leaves is not known before. @throws LimitError. */
function checkRowCount({ pending, rows }: View, found: number): void {
  checkLimit(
    'rows as objects in one array (take fewer, or stream them: rows(), batches())',
    pending.length === 0 ? countRows(rows) : found,
    MOST_ROWS,
  );
}

/** One row after the other, in bounded memory. */
export async function* streamRows(
  view: View,
  operation: string,
  options: RowOptions = {},
): AsyncGenerator<AnyRow, void, undefined> {
  for await (const batch of readBatches(view, operation, { ...formOf(options), ...STREAMED }))
    yield* rowsOfBatch(view, batch, options);
}

export function* streamRowsSync(
  view: View,
  operation: string,
  options: RowOptions = {},
): Generator<AnyRow, void, undefined> {
  for (const batch of readBatchesSync(view, operation, { ...formOf(options), ...STREAMED }))
    yield* rowsOfBatch(view, batch, options);
}

/** The values of a view of one column, one after the other, in bounded memory. */
export async function* streamCells(view: View, operation: string): AsyncGenerator<Cell, void, undefined> {
  for await (const batch of readBatches(view, operation, STREAMED)) yield* firstCells(view, batch);
}

export function* streamCellsSync(view: View, operation: string): Generator<Cell, void, undefined> {
  for (const batch of readBatchesSync(view, operation, STREAMED)) yield* firstCells(view, batch);
}

function firstCells({ projection }: View, { columns, rowCount }: ColumnBatch): Cell[] {
  const [column] = columns;
  return column === undefined ? [] : Array.from(cellsOf(projection.at(0).info, column, rowCount));
}

/** Options of other forms that a caller may have passed would change the shape of the columns that rows are made of. */
function formOf({ int64, dates, json, workers, signal }: RowOptions): RowOptions {
  return {
    ...(json === undefined ? {} : { json }),
    // What JSON makes of values goes by their ticks.
    ...(int64 === undefined || json === true ? {} : { int64 }),
    ...(dates === undefined || json === true ? {} : { dates }),
    ...(workers === undefined ? {} : { workers }),
    ...(signal === undefined ? {} : { signal }),
  };
}

function rowsOfBatch(view: View, batch: ColumnBatch, options: RowOptions): AnyRow[] {
  const rows: AnyRow[] = [];
  appendRows(view, batch, options, rows);
  return rows;
}

function appendRows(
  { projection }: View,
  { columns, rowCount }: ColumnBatch,
  { json, nan = 'text' }: RowOptions,
  rows: AnyRow[],
): void {
  const { names } = projection;
  const cells = columns.map((column, position) => {
    const { info } = projection.at(position);
    return json === true ? jsonCells(info, column, rowCount, nan) : cellsOf(info, column, rowCount);
  });
  const prototypeName = names.indexOf('__proto__');
  for (let row = 0; row < rowCount; row += 1) {
    const object: AnyRow = {};
    for (let position = 0; position < names.length; position += 1) {
      const value = cells[position]?.[row] ?? null;
      if (position === prototypeName) defineOwn(object, value);
      else object[names[position] as string] = value;
    }
    rows.push(object);
  }
}

/** An ordinary assignment to this one name would set the object's prototype. */
function defineOwn(object: AnyRow, value: Cell | JsonCell): void {
  Object.defineProperty(object, '__proto__', { value, enumerable: true, writable: true, configurable: true });
}
