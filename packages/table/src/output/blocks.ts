// One column of a view -> blocks of values with their validity, for folds over it: memory is one block, which numbers reuse.
import { typedArrayOver } from '@colkit/io';
import type { FixedArray, RowSelection } from '@colkit/io';
import { checkRows, resolveWindow } from '../views/resolve.ts';
import { countRows } from '../views/rows.ts';
import type { View } from '../views/view.ts';
import { isText } from './column-form.ts';
import type { AnyColumn } from './convert.ts';
import type { ColumnsOptions, RunOptions } from './options.ts';
import { readColumns, readColumnsSync, selectedRows } from './read.ts';
import { requireOpen } from './require-open.ts';
import { settleView, settleViewSync } from './settle.ts';

const BLOCK_ROWS = 65_536;

/** Values of consecutive rows, valid until the next block is asked for. Rows that `validity` calls null hold anything. */
export interface Block {
  readonly values: FixedArray | readonly (string | Uint8Array)[];
  readonly validity: Uint8Array | null;
  readonly rowCount: number;
}

export async function* readBlocks(from: View, operation: string, options: RunOptions = {}): AsyncGenerator<Block, void, undefined> {
  const view = await settleView(from, operation, options);
  const scratch = beginBlocks(view, operation);
  for (const window of blockWindows(view)) {
    const [column] = await readColumns(view, operation, blockOptions(view, window, scratch, options), window);
    yield blockOf(view, column, window);
  }
}

export function* readBlocksSync(from: View, operation: string, options: RunOptions = {}): Generator<Block, void, undefined> {
  const view = settleViewSync(from, operation, options);
  const scratch = beginBlocks(view, operation);
  for (const window of blockWindows(view)) {
    const [column] = readColumnsSync(view, operation, blockOptions(view, window, scratch, options), window);
    yield blockOf(view, column, window);
  }
}

function* blockWindows(view: View): Generator<RowSelection, void, undefined> {
  const count = countRows(view.rows);
  for (let start = 0; start < count; start += BLOCK_ROWS) yield resolveWindow(view.rows, start, Math.min(count, start + BLOCK_ROWS));
}

/** The bytes that all blocks share; null where the values are not a typed array. */
function beginBlocks(view: View, operation: string): Uint8Array | null {
  requireOpen(view.source, operation);
  checkRows(view.rows);
  const info = view.projection.at(0).info;
  if (info.itemBytes === 0 || isText(info)) return null;
  return new Uint8Array(new ArrayBuffer(info.itemBytes * Math.min(BLOCK_ROWS, countRows(view.rows))));
}

function blockOptions({ projection }: View, window: RowSelection, scratch: Uint8Array | null, run: RunOptions): ColumnsOptions {
  if (scratch === null) return { ...run, nulls: 'bitmap' };
  const info = projection.at(0).info;
  return { ...run, nulls: 'bitmap', out: new Map([[projection.names[0] ?? '', typedArrayOver(info, scratch.subarray(0, selectedRows(window) * info.itemBytes))]]) };
}

function blockOf({ projection }: View, column: AnyColumn | undefined, window: RowSelection): Block {
  const rowCount = selectedRows(window);
  const { values, validity } = column !== undefined && 'validity' in column ? column : { values: column ?? [], validity: null };
  return { values: values as Block['values'], validity: projection.fields[0]?.nullable === true ? validity : null, rowCount };
}
