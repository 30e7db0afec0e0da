// Whether a batch holds what a predicate reads, in forms and lengths that its columns have: checked once a batch, so
// that the kernels need not.
import { ArgumentError, isBinary, isFixedText } from '@colkit/io';
import type { Chunk } from '../../chunk/chunk.ts';
import type { ColumnRef } from '../bound-predicate.ts';
import type { PredicateBatch } from './predicate-batch.ts';

/** @throws ArgumentError naming the column. */
export function checkBatch(refs: readonly ColumnRef[], { rowCount, columns }: PredicateBatch): void {
  for (const ref of refs) {
    const column = columns.get(ref.number);
    if (column === undefined || !fits(ref, column))
      throw new ArgumentError(
        'ERR_ARGUMENT',
        'batch',
        `values of ${ref.info.name} for column ${JSON.stringify(ref.name)}`,
        column === undefined ? 'none' : `the form '${column.kind}'`,
      );
    if (lengthOf(ref, column) < rowCount || (column.validity !== null && 8 * column.validity.length < rowCount)) {
      throw new ArgumentError(
        'ERR_ARGUMENT',
        'batch',
        `${String(rowCount)} rows of column ${JSON.stringify(ref.name)}`,
        String(lengthOf(ref, column)),
      );
    }
  }
}

/** @throws ArgumentError unless they ascend within the batch. */
export function checkRows(rows: Int32Array, rowCount: number): void {
  let last = -1;
  for (let index = 0; index < rows.length; index += 1) {
    const row = rows[index] as number;
    if (row <= last || row >= rowCount)
      throw new ArgumentError('ERR_ARGUMENT', 'rows', `ascending rows below ${String(rowCount)}`, String(row));
    last = row;
  }
}

function fits({ info }: ColumnRef, { kind }: Chunk): boolean {
  if (kind === 'fixed') return info.itemBytes > 0;
  // Text of fixed width may come decoded.
  if (info.itemBytes > 0) return isFixedText(info);
  return kind === 'values' || !isBinary(info);
}

/** Rows that there is memory for. */
function lengthOf({ info }: ColumnRef, chunk: Chunk): number {
  switch (chunk.kind) {
    case 'fixed':
      // Looking at the items would make them.
      if (chunk.writeDoubles !== undefined) return chunk.rowCount;
      return Math.min(chunk.rowCount, Math.floor(chunk.bytes.length / Math.max(1, info.itemBytes)));
    case 'dictionary':
      return Math.min(chunk.rowCount, chunk.codes.length);
    case 'values':
      return Math.min(chunk.rowCount, chunk.values.length);
    case 'utf8':
      return Math.min(chunk.rowCount, (chunk.codes ?? chunk.ends).length);
  }
}
