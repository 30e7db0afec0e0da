// A view and options -> one request to its source, and what comes back -> columns. The way of plain columns (fixed
// width, no nulls, no text, no options) is the hot one: a read of a hundred rows is over in microseconds, so it
// allocates nothing that the result does not need.
import { ArgumentError, allocateOutputs, checkOptions, typedArrayOver } from '@colkit/io';
import type { FixedArray, GatherOutput, RowSelection } from '@colkit/io';
import { contextOf, perform, runSync, TURN, WorkContext } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import type { Chunk } from '../chunk/chunk.ts';
import type { ReadRequest } from '../source.ts';
import type { ProjectedColumn } from '../views/projection.ts';
import { resolveRows } from '../views/resolve.ts';
import { countRows } from '../views/rows.ts';
import type { View } from '../views/view.ts';
import { columnForms, parseOut } from './column-form.ts';
import type { ColumnForm } from './column-form.ts';
import { convertColumn, needsFloats } from './convert.ts';
import type { AnyColumn } from './convert.ts';
import { byName } from './null-object.ts';
import { COLUMNS_OPTIONS, parseForm } from './options.ts';
import type { ColumnsOptions } from './options.ts';
import { requireOpen } from './require-open.ts';
import { settleToRead } from './settle.ts';

/** A request that is about to run, and what is needed to finish it. */
interface ColumnsRead {
  readonly request: ReadRequest;
  readonly count: number;
  readonly forms: readonly ColumnForm[];
  readonly targets: readonly (FixedArray | null)[] | null;
}

/** All columns of a view, in the order of its projection. */
export function* readColumns(
  from: View,
  operation: string,
  options: ColumnsOptions = {},
  window?: RowSelection,
): Work<readonly AnyColumn[]> {
  const view = from.pending.length === 0 ? from : yield* settleToRead(from, operation, textForm(options));
  const read = prepareColumns(view, operation, options, window);
  const chunks = yield* perform(view.source.read(read.request));
  yield TURN;
  return yield* finishColumns(read, chunks);
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

/** What is asked of the source for texts. */
function textForm(options: ColumnsOptions | undefined): ReadRequest['strings'] {
  return options?.strings === 'dictionary' ? 'dictionary' : 'values';
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

/**
 * Checks everything that can be checked without reading, then makes the outputs. `window`: these rows of the source
 * instead of the view's.
 */
function prepareColumns(
  view: View,
  operation: string,
  options: ColumnsOptions,
  window: RowSelection | undefined,
): ColumnsRead {
  requireOpen(view.source, operation);
  const form = parseForm(options);
  const forms = columnForms(view.projection, form);
  const count = window === undefined ? countRows(view.rows) : selectedRows(window);
  const targets = options.out === undefined ? null : parseOut(options.out, forms, count);
  const rows = window ?? resolveRows(view.rows);
  const bytes = allocateColumns(forms, count, targets, options.transferable === true);
  const outputs = bytes.map((items, position) =>
    items === null ? null : { bytes: items, byteOffset: 0, byteStride: forms[position]?.info.itemBytes ?? 0 },
  );
  const strings = textForm(options);
  return {
    request: makeRequest(view, rows, outputs, strings, options.transferable === true),
    count,
    forms,
    targets,
  };
}

/**
 * The bytes that the source writes: of the caller's array where the result is one of the items' width, else new ones.
 */
function allocateColumns(
  forms: readonly ColumnForm[],
  count: number,
  targets: readonly (FixedArray | null)[] | null,
  transferable: boolean,
): readonly (Uint8Array | null)[] {
  const own = forms.map((form, position) => {
    const target = targets?.[position] ?? null;
    return target === null || needsFloats(form)
      ? null
      : new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
  });
  const missing = forms.flatMap((form, position) =>
    form.info.itemBytes > 0 && own[position] === null ? [position] : [],
  );
  const fresh = allocateOutputs(
    missing.map((position) => (forms[position]?.info.itemBytes ?? 0) * count),
    { transferable },
  );
  const bytes: (Uint8Array | null)[] = [...own];
  for (const [index, position] of missing.entries()) bytes[position] = fresh[index] ?? null;
  return bytes;
}

function* finishColumns({ forms, count, targets }: ColumnsRead, chunks: readonly Chunk[]): Work<readonly AnyColumn[]> {
  const columns = new Array<AnyColumn>(forms.length);
  for (const [position, form] of forms.entries()) {
    const chunk = chunks[position];
    if (chunk === undefined)
      throw new ArgumentError('ERR_ARGUMENT', 'source', `${String(forms.length)} chunks`, String(chunks.length));
    columns[position] = yield* convertColumn(form, count, chunk, targets?.[position] ?? null);
  }
  return columns;
}

export function makeRequest(
  { projection }: View,
  rows: RowSelection,
  outputs: readonly (GatherOutput | null)[],
  strings: 'values' | 'dictionary',
  transferable: boolean,
): ReadRequest {
  return { columns: projection.numbers, rows, outputs, strings, transferable };
}

export function selectedRows(selection: RowSelection): number {
  return selection.kind === 'indices' ? selection.indices.length : selection.count;
}
