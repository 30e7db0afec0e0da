// A column of a lazy table -> an input column: each range is read when the writer asks for it, so that a table of any
// size is exported in the memory of one range.
import { ArgumentError, allocateOutputs } from '@colkit/io';
import type { DTypeInfo, GatherOutput } from '@colkit/io';
import { runSync, WorkContext } from '@colkit/io/effects';
import { makeRequest } from '../output/read-source.ts';
import { requireOpen } from '../output/require-open.ts';
import { settleView } from '../output/settle.ts';
import type { Chunk } from '../chunk/chunk.ts';
import type { Field, ReadRequest } from '../source.ts';
import { checkRows, resolveWindow } from '../views/resolve.ts';
import { countRows } from '../views/rows.ts';
import type { View } from '../views/view.ts';
import type { InputColumn } from './input-columns.ts';

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

  async read(start: number, end: number, signal?: AbortSignal): Promise<Chunk> {
    signal?.throwIfAborted();
    const [chunk] = await this.#view.source.read(this.#request(start, end)).run(new WorkContext({ signal }));
    return given(chunk);
  }

  readSync(start: number, end: number): Chunk {
    const [chunk] = this.#view.source.read(this.#request(start, end)).runSync(new WorkContext());
    return given(chunk);
  }

  #request(start: number, end: number): ReadRequest {
    const { itemBytes } = this.info;
    const rows = resolveWindow(this.#view.rows, start, end);
    const bytes = itemBytes === 0 ? null : (allocateOutputs([(end - start) * itemBytes])[0] ?? null);
    const output: GatherOutput | null = bytes === null ? null : { bytes, byteOffset: 0, byteStride: itemBytes };
    return makeRequest(this.#view, rows, [output], 'values', false);
  }
}

function given(chunk: Chunk | undefined): Chunk {
  if (chunk === undefined) throw new ArgumentError('ERR_ARGUMENT', 'source', 'a chunk of one column', 'none');
  return chunk;
}
