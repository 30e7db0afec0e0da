// Which byte ranges of a source a gather reads, in which order, and what happens to each: a plan made step by step
// while it runs, so that it needs no memory of its own.
import type { ColumnSegments, GatherOutput, GatherRequest } from './gather.ts';
import type { CheckedRows } from './gather-request.ts';
import { rowBatches } from './row-batches.ts';
import type { RowBatch } from './row-batches.ts';
import { segmentOf } from './segments.ts';

/** One read of the source. */
export type ReadStep =
  /** The bytes go straight into the output. */
  | { readonly kind: 'direct'; readonly byteOffset: number; readonly out: Uint8Array }
  /**
   * The bytes go into a buffer, and from there items [from, to) of the batch to their positions. Row g is at byte
   * base + g * itemBytes of the source; null: they are of several segments.
   */
  | {
      readonly kind: 'scatter';
      readonly byteOffset: number;
      readonly byteLength: number;
      readonly output: number;
      readonly base: number | null;
      readonly batch: RowBatch;
      readonly from: number;
      readonly to: number;
    }
  /** All reads so far must have been done: the batch's arrays are about to be used again. */
  | { readonly kind: 'barrier' };

export interface PlanLimits {
  /** Most bytes of one scatter read, and so of one buffer. */
  readonly bufferBytes: number;
  /** Most bytes of one direct read. */
  readonly directBytes: number;
  /** Unwanted bytes between two items that cost less to read than a read of its own. */
  readonly gapBytes: number;
}

/** So many pieces of a column take as long to be copied out of a buffer as a read of its own does. */
const PIECES_OF_A_READ = 4;

export function* readPlan(
  segments: ColumnSegments,
  rowCount: number,
  request: GatherRequest,
  checked: CheckedRows,
  limits: PlanLimits,
): Generator<ReadStep, void, undefined> {
  const { rows, columns, outputs } = request;
  let scattered: number[] = [];
  const pieceRows = rows.kind === 'range' && rows.step === 1 ? rowsOfPiece(segments, rows) : 0;
  for (let k = 0; k < columns.length; k++) {
    const width = segments.itemBytes[columns[k] as number] as number;
    const dense = (outputs[k] as GatherOutput).byteStride === width;
    if (rows.kind === 'range' && dense && pieceRows * width >= limits.gapBytes / PIECES_OF_A_READ)
      yield* contiguous(
        segments,
        columns[k] as number,
        rows.start,
        rows.count,
        outputs[k] as GatherOutput,
        limits.directBytes,
      );
    else scattered = [...scattered, k];
  }
  if (scattered.length === 0) return;
  for (const batch of rowBatches(rows, rowCount, checked)) {
    for (const k of scattered)
      yield* scatter(segments, columns[k] as number, k, outputs[k] as GatherOutput, batch, limits);
    yield { kind: 'barrier' };
  }
}

/** How many rows of a range lie together, on average: all of them in a file of one segment. */
function rowsOfPiece({ rowStarts }: ColumnSegments, { start, count }: { start: number; count: number }): number {
  if (rowStarts.length <= 2) return Infinity;
  return count / (1 + segmentOf(rowStarts, start + count - 1) - segmentOf(rowStarts, start));
}

/** Rows [start, start + count) of one column into a dense output: one run of bytes per segment. */
function* contiguous(
  segments: ColumnSegments,
  column: number,
  start: number,
  count: number,
  output: GatherOutput,
  directBytes: number,
): Generator<ReadStep, void, undefined> {
  const { rowStarts, itemBytes, bases } = segments;
  const width = itemBytes[column] as number;
  const segmentCount = rowStarts.length - 1;
  let s = segmentOf(rowStarts, start);
  for (let row = start; row < start + count; s++) {
    const end = Math.min(start + count, rowStarts[s + 1] as number);
    const from = (bases[column * segmentCount + s] as number) + row * width;
    const byteLength = (end - row) * width;
    const at = output.byteOffset + (row - start) * width;
    for (let done = 0; done < byteLength; done += directBytes) {
      yield {
        kind: 'direct',
        byteOffset: from + done,
        out: output.bytes.subarray(at + done, at + Math.min(byteLength, done + directBytes)),
      };
    }
    row = end;
  }
}

/** A batch of one column: neighbours whose gaps are small become one read, of several segments, too. */
function* scatter(
  segments: ColumnSegments,
  column: number,
  k: number,
  output: GatherOutput,
  batch: RowBatch,
  limits: PlanLimits,
): Generator<ReadStep, void, undefined> {
  const { rowStarts, itemBytes, bases } = segments;
  const { rows, positions, count } = batch;
  const width = itemBytes[column] as number;
  const segmentCount = rowStarts.length - 1;
  const mostAhead = 1 + limits.gapBytes / width;
  for (let from = 0; from < count; ) {
    const first = rows[from] as number;
    let s = segmentOf(rowStarts, first);
    const nextSegment = rowStarts[s + 1] as number;
    const base = bases[column * segmentCount + s] as number;
    const byteOffset = base + first * width;
    if (width > limits.bufferBytes) {
      const at = output.byteOffset + (positions[from] as number) * output.byteStride;
      for (let done = 0; done < width; done += limits.directBytes) {
        yield {
          kind: 'direct',
          byteOffset: byteOffset + done,
          out: output.bytes.subarray(at + done, at + Math.min(width, done + limits.directBytes)),
        };
      }
      from++;
      continue;
    }
    let to = from;
    let end: number;
    for (let start = byteOffset, row = first; ; ) {
      const most = Math.floor((byteOffset + limits.bufferBytes - start) / width);
      to = runEnd(rows, count, to, Math.min(rowStarts[s + 1] as number, row + most), mostAhead);
      end = start + ((rows[to - 1] as number) - row + 1) * width;
      if (to === count) break;
      row = rows[to] as number;
      if (row < (rowStarts[s + 1] as number)) break;
      s = row < (rowStarts[s + 2] as number) ? s + 1 : segmentOf(rowStarts, row);
      start = (bases[column * segmentCount + s] as number) + row * width;
      if (start < end || start - end > limits.gapBytes || start + Math.max(1, width) - byteOffset > limits.bufferBytes)
        break;
    }
    yield {
      kind: 'scatter',
      byteOffset,
      byteLength: end - byteOffset,
      output: k,
      base: (rows[to - 1] as number) < nextSegment ? base : null,
      batch,
      from,
      to,
    };
    from = to;
  }
}

/**
 * The end of the run of rows that starts at `from`: all below `endRow`, none more than `mostAhead` after the one before
 * it.
 */
function runEnd(rows: Float64Array, count: number, from: number, endRow: number, mostAhead: number): number {
  let to = from + 1;
  let before = rows[from] as number;
  for (; to < count; to++) {
    const row = rows[to] as number;
    if (row >= endRow || row - before > mostAhead) break;
    before = row;
  }
  return to;
}
