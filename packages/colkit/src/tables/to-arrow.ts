// A lazy table -> an Arrow file or stream, some rows at a time, through the optional peer apache-arrow.
import type { Table } from '@colkit/table';
import type { RecordBatch, Table as ArrowTable } from 'apache-arrow';
import { peers } from '../formats/peers.ts';
import type { OpenTarget } from './open-target.ts';

/** Rows of a record batch. */
const BATCH_ROWS = 65_536;

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
  const { AsyncByteQueue, RecordBatchFileWriter, RecordBatchStreamWriter } = await peers.arrow();
  const pieces: Uint8Array[] = [];
  // The queue of the writer knows no backpressure; this one hands over what a batch gave.
  class Pieces extends AsyncByteQueue<Uint8Array> {
    override write(piece: ArrayBufferLike | ArrayBufferView | Iterable<number>): void {
      if (!ArrayBuffer.isView(piece)) throw new TypeError('the writer gave something else than bytes');
      pieces.push(new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength));
    }
  }
  const flush = async (): Promise<void> => {
    for (const piece of pieces.splice(0)) if (piece.byteLength > 0) await output.write(piece);
  };
  const writer = form === 'file' ? new RecordBatchFileWriter() : new RecordBatchStreamWriter();
  writer.reset(new Pieces());
  // Predicates are looked at once.
  const settled = await table.resolve();
  const rowCount = await settled.count();
  for (let start = 0; start === 0 || start < rowCount; start += BATCH_ROWS) {
    const batch = await settled.slice(start, Math.min(rowCount, start + BATCH_ROWS)).toArrow<ArrowTable>();
    for (const each of batch.batches as readonly RecordBatch[]) writer.write(each);
    await flush();
    onRows(Math.min(rowCount, start + BATCH_ROWS));
  }
  writer.close();
  await flush();
  return rowCount;
}
