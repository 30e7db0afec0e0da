// A column of a lazy table -> an input column: each range is read when the writer asks for it, so that a table of any
// size is exported in the memory of one range.
import { ArgumentError, allocateOutputs } from '@colkit/io';
import type { DTypeInfo, GatherOutput } from '@colkit/io';
import { runSync, WorkContext } from '@colkit/io/effects';
import { makeRequest } from '../output/read.ts';
import { requireOpen } from '../output/require-open.ts';
import { settleView } from '../output/settle.ts';
import type { ColumnData, Field, ReadRequest } from '../source.ts';
import { isValid } from '../validity.ts';
import { checkRows, resolveWindow } from '../views/resolve.ts';
import { countRows } from '../views/rows.ts';
import type { View } from '../views/view.ts';
import type { InputChunk, InputColumn } from './input-columns.ts';

export class ViewColumn implements InputColumn {
  readonly field: Field;
  readonly info: DTypeInfo;
  readonly rowCount: number;
  readonly #view: View;

  /**
   * @param from a view of one column; a predicate is looked at here, at once, unless `settleInput` did.
   * @throws ClosedError; OutOfRangeError for an index of the view.
   */
  constructor(from: View, name: string) {
    requireOpen(from.source, 'write');
    const view = runSync(settleView(from, 'write'));
    checkRows(view.rows);
    const [field] = view.projection.fields;
    if (field === undefined) throw new ArgumentError('ERR_SCHEMA', 'columns', 'a view of one column', 'none');
    this.field = field.name === name ? field : { ...field, name };
    this.info = view.projection.at(0).info;
    this.rowCount = countRows(view.rows);
    this.#view = view;
  }

  async read(start: number, end: number, signal?: AbortSignal): Promise<InputChunk> {
    signal?.throwIfAborted();
    const { request, bytes } = this.#prepare(start, end);
    const [data] = await this.#view.source.read(request).run(new WorkContext({ signal }));
    return chunkOf(data, bytes);
  }

  readSync(start: number, end: number): InputChunk {
    const { request, bytes } = this.#prepare(start, end);
    const [data] = this.#view.source.read(request).runSync(new WorkContext());
    return chunkOf(data, bytes);
  }

  #prepare(start: number, end: number): { request: ReadRequest; bytes: Uint8Array | null } {
    const { itemBytes } = this.info;
    const rows = resolveWindow(this.#view.rows, start, end);
    const bytes = itemBytes === 0 ? null : (allocateOutputs([(end - start) * itemBytes])[0] ?? null);
    const output: GatherOutput | null = bytes === null ? null : { bytes, byteOffset: 0, byteStride: itemBytes };
    return { request: makeRequest(this.#view, rows, [output], 'values', false), bytes };
  }
}

function chunkOf(data: ColumnData | undefined, bytes: Uint8Array | null): InputChunk {
  if (data === undefined) throw new ArgumentError('ERR_ARGUMENT', 'source', 'data of one column', 'none');
  if (data.kind === 'fixed') return { kind: 'fixed', bytes: bytes ?? new Uint8Array(0), validity: data.validity };
  if (data.kind === 'values') return { kind: 'values', values: data.values, validity: data.validity };
  return {
    kind: 'values',
    values: Array.from(data.codes, (code, row) => (isValid(data.validity, row) ? (data.dictionary[code] ?? '') : '')),
    validity: data.validity,
  };
}
