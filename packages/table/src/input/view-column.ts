// A column of a lazy table -> an input column: each range is read when the writer asks for it, so that a table of any
// size is exported in the memory of one range.
import { ArgumentError, allocateOutputs } from '@colkit/io';
import type { DTypeInfo, GatherOutput } from '@colkit/io';
import { operationOf, perform, runSync } from '@colkit/io/effects';
import type { Operation, Work } from '@colkit/io/effects';
import { makeRequest } from '../output/reading/request.ts';
import { requireOpen } from '../output/require-open.ts';
import { settleView } from '../output/settle.ts';
import type { Chunk } from '../chunk/chunk.ts';
import type { Field, ReadRequest } from '../source.ts';
import { checkRows, resolveRange } from '../views/resolve.ts';
import { countRows } from '../views/rows.ts';
import { isValid } from '../validity.ts';
import type { View } from '../views/view.ts';
import type { InputColumn, InputRange } from './input-columns.ts';

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

  /** Whether its values are computed, so that only they tell whether one is null. */
  get isComputed(): boolean {
    const [number = 0] = this.#view.projection.numbers;
    return this.#view.source.isComputed?.(number) === true;
  }

  /** The same column as one without nulls: the first one that is met is ERR_VALUE. */
  withoutNulls(): InputColumn {
    const { field, info, rowCount } = this;
    return {
      field: { ...field, nullable: false },
      info,
      rowCount,
      read: (...range) => operationOf(() => this.#readWhole(range)),
    };
  }

  read(...range: InputRange): Operation<Chunk> {
    return operationOf(() => this.#read(range));
  }

  *#read(range: InputRange): Work<Chunk> {
    const [chunk] = yield* perform(this.#view.source.read(this.#request(range)));
    if (chunk === undefined) throw new ArgumentError('ERR_ARGUMENT', 'source', 'a chunk of one column', 'none');
    return chunk;
  }

  *#readWhole(range: InputRange): Work<Chunk> {
    const [start] = range;
    const chunk = yield* this.#read(range);
    const row = firstNull(chunk);
    if (row === -1) return chunk;
    throw new ArgumentError(
      'ERR_VALUE',
      `column ${JSON.stringify(this.field.name)}`,
      'a value in every row (fillNull gives one)',
      `null at row ${String(start + row)}`,
    );
  }

  #request([start, end, mostBytes]: InputRange): ReadRequest {
    const { itemBytes } = this.info;
    const rows = resolveRange(this.#view.rows, start, end);
    const bytes = itemBytes === 0 ? null : (allocateOutputs([(end - start) * itemBytes])[0] ?? null);
    const output: GatherOutput | null = bytes === null ? null : { bytes, byteOffset: 0, byteStride: itemBytes };
    return makeRequest({ ...this.#view, mostBytes }, rows, [output], 'utf8', false);
  }
}

function firstNull({ validity, rowCount }: Chunk): number {
  if (validity === null) return -1;
  for (let row = 0; row < rowCount; row += 1) if (!isValid(validity, row)) return row;
  return -1;
}
