// Columns and rows of a source -> one request, and what comes back -> columns.
import { ArgumentError, allocateOutputs, checkOptions } from '@colkit/io';
import type { FixedArray, RowSelection } from '@colkit/io';
import { perform, TURN } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import type { Chunk } from '../../chunk/chunk.ts';
import type { ColumnSource, ReadRequest } from '../../source.ts';
import type { TextForm } from '../../text-form.ts';
import { checkSchema } from '../../schema.ts';
import { Projection } from '../../views/projection.ts';
import { columnForms, parseOut } from '../forms/column-form.ts';
import type { ColumnForm } from '../forms/column-form.ts';
import { convertColumn, needsFloats } from '../forms/convert.ts';
import type { AnyColumn } from '../forms/convert.ts';
import { byName } from '../null-object.ts';
import { COLUMNS_OPTIONS, parseForm } from '../options.ts';
import type { ColumnsOptions } from '../options.ts';
import { requireOpen } from '../require-open.ts';
import { makeRequest, selectedRows, textForm } from './request.ts';
import type { ChosenColumns, SourceColumns } from './request.ts';

/** A request that is about to run, and what is needed to finish it. */
interface ColumnsRead {
  readonly request: ReadRequest;
  readonly count: number;
  readonly forms: readonly ColumnForm[];
  readonly targets: readonly (FixedArray | null)[] | null;
}

/**
 * All rows of some columns of a source by name, without a table or a view.
 * @throws as `Table.expectSchema`, `Table.select` and `Table.toColumns`.
 */
export function* columnsOfSource(
  source: ColumnSource,
  { expect, columns: names }: ChosenColumns,
  operation: string,
  options: ColumnsOptions,
): Work<unknown> {
  checkOptions<ColumnsOptions>(operation, COLUMNS_OPTIONS, options);
  const all = Projection.of(source.fields);
  const known = expect === undefined ? all : all.select(checkSchema(source.fields, expect));
  const projection = names === undefined ? known : known.select(names);
  const rows: RowSelection = { kind: 'range', start: 0, step: 1, count: source.rowCount };
  const columns = yield* readSelection({ source, projection }, rows.count, () => rows, operation, options);
  return byName(projection.names, columns);
}

/** @param selection the rows, so many: asked for once the options are checked. */
export function* readSelection(
  of: SourceColumns,
  count: number,
  selection: () => RowSelection,
  operation: string,
  options: ColumnsOptions,
): Work<readonly AnyColumn[]> {
  const read = prepareColumns(of, count, selection, operation, options, textForm(options));
  return yield* finishColumns(read, yield* readRequest(of, read));
}

/** The same as chunks, and how each would become a column of `options`. */
export function* readChunks(
  of: SourceColumns,
  rows: RowSelection,
  operation: string,
  options: ColumnsOptions,
  strings: TextForm,
): Work<{ readonly chunks: readonly Chunk[]; readonly forms: readonly ColumnForm[] }> {
  const read = prepareColumns(of, selectedRows(rows), () => rows, operation, options, strings);
  return { chunks: yield* readRequest(of, read), forms: read.forms };
}

function* readRequest({ source }: SourceColumns, { request }: ColumnsRead): Work<readonly Chunk[]> {
  const chunks = yield* perform(source.read(request));
  yield TURN;
  return chunks;
}

/** Checks everything that can be checked without reading, then makes the outputs. */
function prepareColumns(
  of: SourceColumns,
  count: number,
  selection: () => RowSelection,
  operation: string,
  options: ColumnsOptions,
  strings: TextForm,
): ColumnsRead {
  requireOpen(of.source, operation);
  const form = parseForm(options);
  const forms = columnForms(of.projection, form);
  const targets = options.out === undefined ? null : parseOut(options.out, forms, count);
  const rows = selection();
  const isTransferable = options.transferable === true;
  const bytes = allocateColumns(forms, count, targets, isTransferable, of.source.ownsMemory === true);
  const outputs = bytes.map((items, position) =>
    items === null ? null : { bytes: items, byteOffset: 0, byteStride: forms[position]?.info.itemBytes ?? 0 },
  );
  return {
    request: makeRequest(of, rows, outputs, strings, isTransferable),
    count,
    forms,
    targets,
  };
}

/**
 * The bytes that the source writes: of the caller's array where the result is one of the items' width, else new ones,
 * or none where the source has its own.
 */
function allocateColumns(
  forms: readonly ColumnForm[],
  count: number,
  targets: readonly (FixedArray | null)[] | null,
  transferable: boolean,
  isOwned: boolean,
): readonly (Uint8Array | null)[] {
  const own = forms.map((form, position) => {
    const target = targets?.[position] ?? null;
    return target === null || needsFloats(form)
      ? null
      : new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
  });
  if (isOwned && !transferable) return own;
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
