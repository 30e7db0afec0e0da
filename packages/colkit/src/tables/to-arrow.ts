// A lazy table -> an Arrow file or stream, some rows at a time, through the optional peer apache-arrow.
import type { Table } from '@colkit/table';
import type { RecordBatch, Table as ArrowTable } from 'apache-arrow';
import { peers } from '../formats/peers.ts';
import type { OpenTarget } from './open-target.ts';

/** Rows of a record batch. */
const BATCH_ROWS = 65_536;
/** Of the first one where bytes are bounded: how wide rows are is not known before. */
const FIRST_ROWS = 8_192;
/** Of a record batch of a file or a pipe; how wide rows are the first ones tell. */
const BATCH_BYTES = 1 << 26;
const SAMPLE_ROWS = 64;

/** Consecutive bytes of an Arrow file or stream. */
export interface ArrowPieces {
  /** Rows of the record batch that they are; 0 of the end. */
  readonly rowCount: number;
  readonly isEnd: boolean;
  readonly pieces: readonly Uint8Array[];
}

export interface ArrowSizes {
  /** Most rows of a record batch. Default 65,536. */
  readonly rows?: number;
  /** About how many bytes a record batch has at most. Default: as many as its rows have. */
  readonly bytes?: number;
  /** Most rows of the first record batch where bytes are bounded. Default 8,192. */
  readonly firstRows?: number;
  /** Gives the work up with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * The bytes of an Arrow file (with a footer, for random access) or stream (for pipes), one record batch after another,
 * at least one, and then the end. Predicates are looked at once.
 * @throws UnsupportedError ERR_FEATURE (the peer is missing), ERR_DTYPE; what reading throws.
 */
export async function* arrowPieces(
  table: Table,
  form: 'file' | 'stream',
  { rows = BATCH_ROWS, bytes, firstRows = FIRST_ROWS, signal }: ArrowSizes = {},
): AsyncGenerator<ArrowPieces, void, undefined> {
  const { AsyncByteQueue, RecordBatchFileWriter, RecordBatchStreamWriter } = await peers.arrow();
  let pieces: Uint8Array[] = [];
  // The queue of the writer knows no backpressure; this one hands over what a batch gave.
  class Pieces extends AsyncByteQueue<Uint8Array> {
    override write(piece: ArrayBufferLike | ArrayBufferView | Iterable<number>): void {
      if (!ArrayBuffer.isView(piece)) throw new TypeError('the writer gave something else than bytes');
      if (piece.byteLength > 0) pieces.push(new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength));
    }
  }
  const flushed = (): readonly Uint8Array[] => {
    const given = pieces;
    pieces = [];
    return given;
  };
  const writer = form === 'file' ? new RecordBatchFileWriter() : new RecordBatchStreamWriter();
  writer.reset(new Pieces());
  const running = signal === undefined ? {} : { signal };
  const settled = await table.resolve(running);
  const rowCount = await settled.count(running);
  let size = bytes === undefined ? rows : Math.min(rows, firstRows);
  let start = 0;
  do {
    const end = Math.min(rowCount, start + size);
    const batch = await settled.slice(start, end).toArrow<ArrowTable>(running);
    for (const each of batch.batches as readonly RecordBatch[]) writer.write(each);
    const given = flushed();
    if (bytes !== undefined) size = Math.min(rows, fittingRows(lengthOf(given), end - start, bytes));
    yield { rowCount: end - start, isEnd: false, pieces: given };
    start = end;
  } while (start < rowCount);
  writer.close();
  yield { rowCount: 0, isEnd: true, pieces: flushed() };
}

/** As many rows as `bytes` would hold, if they are as wide as `rowCount` rows that take `used` ones. */
function fittingRows(used: number, rowCount: number, bytes: number): number {
  return Math.max(1, Math.floor((bytes * Math.max(1, rowCount)) / Math.max(1, used)));
}

const lengthOf = (pieces: readonly Uint8Array[]): number => pieces.reduce((sum, piece) => sum + piece.byteLength, 0);

/**
 * 'file': with a footer, for random access; 'stream': for pipes. Does not finish the output.
 * @returns how many rows. @throws UnsupportedError ERR_FEATURE (the peer is missing), ERR_DTYPE; what reading throws.
 */
export async function toArrowBatches(
  table: Table,
  output: Pick<OpenTarget, 'write'>,
  form: 'file' | 'stream',
  onRows: (rows: number) => void = () => undefined,
): Promise<number> {
  const settled = await table.resolve();
  let used = 0;
  for await (const { pieces } of arrowPieces(settled.head(SAMPLE_ROWS), 'stream')) used += lengthOf(pieces);
  const firstRows = fittingRows(used, SAMPLE_ROWS, BATCH_BYTES);
  let written = 0;
  for await (const { rowCount, pieces } of arrowPieces(settled, form, { bytes: BATCH_BYTES, firstRows })) {
    for (const piece of pieces) await output.write(piece);
    written += rowCount;
    onRows(written);
  }
  return written;
}
