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
   * base + g * itemBytes of the source.
   */
  | {
      readonly kind: 'scatter';
      readonly byteOffset: number;
      readonly byteLength: number;
      readonly output: number;
      readonly base: number;
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

export function* readPlan(
  segments: ColumnSegments,
  rowCount: number,
  request: GatherRequest,
  checked: CheckedRows,
  limits: PlanLimits,
): Generator<ReadStep, void, undefined> {
  const { rows, columns, outputs } = request;
  let scattered: number[] = [];
  for (let k = 0; k < columns.length; k++) {
    const dense = (outputs[k] as GatherOutput).byteStride === segments.itemBytes[columns[k] as number];
    if (rows.kind === 'range' && rows.step === 1 && dense)
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

/** A batch of one column: neighbours within a segment whose gaps are small become one read. */
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
  for (let from = 0; from < count; ) {
    const first = rows[from] as number;
    const s = segmentOf(rowStarts, first);
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
    const to = runEnd(
      rows,
      count,
      from,
      Math.min(rowStarts[s + 1] as number, first + Math.floor(limits.bufferBytes / width)),
      1 + limits.gapBytes / width,
    );
    const byteLength = ((rows[to - 1] as number) - first + 1) * width;
    yield { kind: 'scatter', byteOffset, byteLength, output: k, base, batch, from, to };
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
