// Input columns -> the bytes of a file, in order, to an output: the header, every column in parts of bounded size, the
// padding. Nothing is held but one of them, so a lazy table larger than memory is exported column after column.
import { ArgumentError } from '@colkit/io';
import type { Output } from '@colkit/io/durable';
import { TURN, perform } from '@colkit/io/effects';
import type { Operation, Work } from '@colkit/io/effects';
import type { Chunk, InputColumn, InputColumns } from '@colkit/table';
import type { FilePlan } from './plan-file.ts';

export interface WriteProgress {
  readonly writtenBytes: number;
  readonly totalBytes: number;
}

export interface StreamOptions {
  /** Rows that are written at a time; absent: up to the next multiple of WRITTEN_BYTES in the file. */
  readonly batchRows?: number | undefined;
  readonly onProgress?: ((progress: WriteProgress) => void) | undefined;
}

/**
 * Large enough that a write costs more than the calls around it, small enough that progress is seen. Writes end at its
 * multiples in the file, because Linux caches a write in pages of 2 MiB only where it covers them whole, and random
 * rows of a file cached in such pages are read up to a third faster.
 */
const WRITTEN_BYTES = 8 * 1024 * 1024;

/** What to write next: bytes that are there, or rows of a column that have to be read. */
type Step =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'rows'; readonly column: InputColumn; readonly start: number; readonly end: number };

/**
 * Writes the whole file; the output is not finished here.
 * @throws what the columns, the output or `onProgress` throw, and the signal's reason.
 */
export function* streamFile(output: Output, plan: FilePlan, input: InputColumns, options: StreamOptions): Work<void> {
  for (const step of steps(plan, input, options.batchRows)) {
    yield TURN;
    yield* perform(output.write(step.kind === 'bytes' ? step.bytes : itemsOf(step, yield* perform(readRows(step)))));
    options.onProgress?.({ writtenBytes: output.position, totalBytes: plan.byteLength });
  }
}

interface RowsOfColumn {
  readonly column: InputColumn;
  readonly start: number;
  readonly end: number;
}

/** @throws what the column throws. */
export function readRows({ column, start, end }: RowsOfColumn): Operation<Chunk> {
  return column.read(start, end);
}

function* steps(plan: FilePlan, input: InputColumns, batchRows: number | undefined): Generator<Step> {
  yield { kind: 'bytes', bytes: plan.header };
  let position = plan.header.length;
  for (const column of input.columns) {
    const { itemBytes } = column.info;
    for (let start = 0; start < input.rowCount; ) {
      const rows = batchRows ?? Math.ceil((WRITTEN_BYTES - (position % WRITTEN_BYTES)) / itemBytes);
      const end = Math.min(input.rowCount, start + rows);
      yield { kind: 'rows', column, start, end };
      position += (end - start) * itemBytes;
      start = end;
    }
  }
  if (plan.padding.length > 0) yield { kind: 'bytes', bytes: plan.padding };
}

/**
 * The items of a write, which must be exactly as many as were asked for and none of them null: a wrong length would
 * shift every column behind it.
 */
export function itemsOf({ column, start, end }: RowsOfColumn, chunk: Chunk): Uint8Array {
  const expected = (end - start) * column.info.itemBytes;
  if (chunk.kind !== 'fixed' || chunk.validity !== null || chunk.bytes.length !== expected) {
    const found =
      chunk.kind !== 'fixed'
        ? 'values of variable width'
        : chunk.validity !== null
          ? 'nulls'
          : `${String(chunk.bytes.length)} bytes`;
    throw new ArgumentError(
      'ERR_VALUE',
      `column ${JSON.stringify(column.field.name)}`,
      `${String(expected)} bytes of items without nulls`,
      found,
    );
  }
  return chunk.bytes;
}
