// Input columns -> the bytes of a file, in order, into a sink: the header, every column in pieces of bounded size, the
// padding. Nothing is held but one piece, so a lazy table larger than memory is exported column after column.
import { ArgumentError } from '@colkit/io';
import type { Sink } from '@colkit/io';
import type { InputChunk, InputColumn, InputColumns } from '@colkit/table';
import type { FilePlan } from './plan-file.ts';

export interface WriteProgress {
  readonly writtenBytes: number;
  readonly totalBytes: number;
}

export interface StreamOptions {
  /** Rows of a piece; absent: up to the next multiple of PIECE_BYTES in the file. */
  readonly batchRows?: number | undefined;
  readonly onProgress?: ((progress: WriteProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Large enough that a piece costs more than the calls around it, small enough that progress is seen. Pieces end at its
 * multiples in the file, because Linux caches a write in pages of 2 MiB only where it covers them whole, and random
 * rows of a file cached in such pages are read up to a third faster.
 */
const PIECE_BYTES = 8 * 1024 * 1024;

/** What to write next: bytes that are there, or rows of a column that have to be read. */
type Piece =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'rows'; readonly column: InputColumn; readonly start: number; readonly end: number };

/**
 * Writes the whole file; the sink is not finished here.
 * @throws what the columns, the sink or `onProgress` throw, and the signal's reason.
 */
export async function streamFile(
  sink: Sink,
  plan: FilePlan,
  input: InputColumns,
  options: StreamOptions,
): Promise<void> {
  for (const piece of pieces(plan, input, options.batchRows)) {
    options.signal?.throwIfAborted();
    await sink.write(
      piece.kind === 'bytes'
        ? piece.bytes
        : itemsOf(piece, await piece.column.read(piece.start, piece.end, options.signal)),
    );
    options.onProgress?.({ writtenBytes: sink.position, totalBytes: plan.byteLength });
  }
}

export function streamFileSync(sink: Sink, plan: FilePlan, input: InputColumns, options: StreamOptions): void {
  for (const piece of pieces(plan, input, options.batchRows)) {
    options.signal?.throwIfAborted();
    sink.writeSync(
      piece.kind === 'bytes' ? piece.bytes : itemsOf(piece, piece.column.readSync(piece.start, piece.end)),
    );
    options.onProgress?.({ writtenBytes: sink.position, totalBytes: plan.byteLength });
  }
}

function* pieces(plan: FilePlan, input: InputColumns, batchRows: number | undefined): Generator<Piece> {
  yield { kind: 'bytes', bytes: plan.header };
  let position = plan.header.length;
  for (const column of input.columns) {
    const { itemBytes } = column.info;
    for (let start = 0; start < input.rowCount; ) {
      const rows = batchRows ?? Math.ceil((PIECE_BYTES - (position % PIECE_BYTES)) / itemBytes);
      const end = Math.min(input.rowCount, start + rows);
      yield { kind: 'rows', column, start, end };
      position += (end - start) * itemBytes;
      start = end;
    }
  }
  if (plan.padding.length > 0) yield { kind: 'bytes', bytes: plan.padding };
}

/**
 * The items of a piece, which must be exactly as many as were asked for and none of them null: a wrong length would
 * shift every column behind it.
 */
function itemsOf({ column, start, end }: Piece & { kind: 'rows' }, chunk: InputChunk): Uint8Array {
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
