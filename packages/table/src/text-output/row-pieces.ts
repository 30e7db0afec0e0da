// The rows of a view as text, in pieces of bytes: what is in memory is one block of values and one piece.
import { contextOf, iterate, run } from '@colkit/io/effects';
import { blocksOf } from '../aggregate/read-blocks.ts';
import { requireOpen } from '../output/require-open.ts';
import { settleView } from '../output/settle.ts';
import { columnRefs } from '../views/column-refs.ts';
import type { View } from '../views/view.ts';
import { TextBytes } from './text-bytes.ts';
import { valueWriter } from './value-writers.ts';
import type { ValueStyle, WriteRow } from './value-writers.ts';

/** Bytes of a piece. */
const PIECE_BYTES = 1_000_000;

export interface RowForm {
  /** What stands in front of the value of each column. */
  readonly starts: readonly Uint8Array[];
  /** What ends a row, and what stands between two. */
  readonly end: Uint8Array;
  readonly between: Uint8Array;
  readonly style: ValueStyle;
}

export interface TextPiece {
  /** The reader's: no later piece is in the same memory. */
  readonly bytes: Uint8Array;
  /** With those before. */
  readonly rowCount: number;
}

/** @throws what reading throws; the signal's reason. */
export async function* rowPieces(
  from: View,
  operation: string,
  { starts, end, between, style }: RowForm,
  signal: AbortSignal | undefined,
): AsyncGenerator<TextPiece, void, undefined> {
  const context = contextOf({ signal });
  const { source, rows, projection } = await run(settleView(from, operation), context);
  requireOpen(source, operation);
  const columns = columnRefs(projection);
  const out = new TextBytes();
  let rowCount = 0;
  for await (const block of iterate(blocksOf(source, rows, columns, true), context)) {
    const writers = columns.map((column) => valueWriter(column.info, block.valuesOf(column), out, style));
    for (let row = 0; row < block.rowCount; row += 1) {
      if (rowCount > 0) out.copy(between, 0, between.length);
      for (let position = 0; position < writers.length; position += 1) {
        const start = starts[position] as Uint8Array;
        out.copy(start, 0, start.length);
        (writers[position] as WriteRow)(row);
      }
      out.copy(end, 0, end.length);
      rowCount += 1;
      if (out.at < PIECE_BYTES) continue;
      signal?.throwIfAborted();
      yield { bytes: out.take(), rowCount };
    }
  }
  if (out.at > 0) yield { bytes: out.take(), rowCount };
}
