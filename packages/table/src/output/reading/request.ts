// What is asked of a source for some rows of some columns.
import type { GatherOutput, RowSelection } from '@colkit/io';
import type { ExpectOptions } from '../../schema.ts';
import type { ColumnSource, ReadRequest } from '../../source.ts';
import type { TextForm } from '../../text-form.ts';
import type { Projection } from '../../views/projection.ts';
import type { ColumnsOptions } from '../options.ts';

/** Columns of a source; a view has them. */
export interface SourceColumns {
  readonly source: ColumnSource;
  readonly projection: Projection;
  /** Of what is read of them at once: see ReadRequest. */
  readonly mostBytes?: number | undefined;
}

/** Which columns of a source: those that are expected, and of them the ones that are named; absent: all. */
export interface ChosenColumns extends ExpectOptions {
  readonly columns?: readonly string[];
}

export function makeRequest(
  { projection, mostBytes }: SourceColumns,
  rows: RowSelection,
  outputs: readonly (GatherOutput | null)[],
  strings: TextForm,
  transferable: boolean,
): ReadRequest {
  return { columns: projection.numbers, rows, outputs, strings, transferable, mostBytes };
}

export function selectedRows(selection: RowSelection): number {
  return selection.kind === 'indices' ? selection.indices.length : selection.count;
}

/** What is asked of the source for texts. */
export function textForm(options: ColumnsOptions | undefined): ReadRequest['strings'] {
  return options?.strings === 'dictionary' ? 'dictionary' : 'values';
}
