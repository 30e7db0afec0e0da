// A checked row selection as batches of ascending rows, each with its position in the output: the order in which a file
// is best read. Memory is bounded by the batch, whatever the number of rows: unsorted indices are first cut into ranges
// of rows that hold a batch each, and only what falls into one range is sorted at a time.
import type { RowSelection } from './gather.ts';
import type { CheckedRows } from './gather-request.ts';
import { rowStream } from './row-stream.ts';

/** Ascending rows and where they go. The arrays are used again for the next batch. */
export interface RowBatch {
  readonly rows: Float64Array;
  readonly positions: Float64Array;
  readonly count: number;
}

/** 64 Ki rows: two arrays of 512 KiB here, and a third to sort by. */
export const BATCH_ROWS = 65_536;
const BUCKETS = 4096;

export function rowBatches(
  selection: RowSelection,
  rowCount: number,
  checked: CheckedRows,
  batchRows = BATCH_ROWS,
): Iterable<RowBatch> {
  if (checked.ascending) return inOrder(selection, rowCount, checked.count, batchRows);
  if (selection.kind === 'range') return descending(selection, batchRows);
  return sorted(selection, rowCount, checked.count, batchRows);
}

function* inOrder(
  selection: RowSelection,
  rowCount: number,
  total: number,
  batchRows: number,
): Generator<RowBatch, void, undefined> {
  const stream = rowStream(selection, rowCount);
  const { rows, positions } = arrays(total, batchRows);
  let done = 0;
  for (let count = stream.next(rows); count > 0; count = stream.next(rows)) {
    for (let i = 0; i < count; i++) positions[i] = done + i;
    yield { rows, positions, count };
    done += count;
  }
}

/** A range of negative step, read from its end. */
function* descending(range: RowSelection & { kind: 'range' }, batchRows: number): Generator<RowBatch, void, undefined> {
  const { rows, positions } = arrays(range.count, batchRows);
  for (let end = range.count; end > 0; ) {
    const count = Math.min(end, rows.length);
    for (let i = 0; i < count; i++) {
      const position = end - 1 - i;
      positions[i] = position;
      rows[i] = range.start + position * range.step;
    }
    yield { rows, positions, count };
    end -= count;
  }
}

function* sorted(
  selection: RowSelection,
  rowCount: number,
  total: number,
  batchRows: number,
): Generator<RowBatch, void, undefined> {
  const picked = arrays(total, batchRows);
  const batch = arrays(total, batchRows);
  const keys = new Float64Array(batch.rows.length);
  const input = new Float64Array(Math.min(total, 4096));
  for (const { start, end } of rowRanges(selection, rowCount, total, batchRows, input)) {
    // A row and its index among the picked fit one number, unless the table is astronomically long: then fewer rows are
    // sorted at a time.
    const most = Math.min(batch.rows.length, 2 ** Math.max(0, 53 - Math.ceil(Math.log2(end - start + 1))));
    let count = 0;
    let position = 0;
    const stream = rowStream(selection, rowCount);
    for (let taken = stream.next(input); taken > 0; taken = stream.next(input)) {
      for (let i = 0; i < taken; i++, position++) {
        const row = input[i] as number;
        if (row < start || row >= end) continue;
        picked.rows[count] = row;
        picked.positions[count] = position;
        count++;
        if (count === most) {
          sortInto(batch, picked, count, start, keys);
          yield { ...batch, count };
          count = 0;
        }
      }
    }
    if (count === 0) continue;
    sortInto(batch, picked, count, start, keys);
    yield { ...batch, count };
  }
}

/**
 * Cuts [0, rowCount) so that each part holds at most a batch of the selected rows, or is as small as the buckets allow.
 */
function rowRanges(
  selection: RowSelection,
  rowCount: number,
  total: number,
  batchRows: number,
  input: Float64Array,
): { start: number; end: number }[] {
  if (total <= batchRows) return [{ start: 0, end: rowCount }];
  const bucketRows = Math.ceil(rowCount / BUCKETS);
  const counts = new Float64Array(BUCKETS);
  const stream = rowStream(selection, rowCount);
  for (let taken = stream.next(input); taken > 0; taken = stream.next(input)) {
    for (let i = 0; i < taken; i++) {
      const bucket = Math.floor((input[i] as number) / bucketRows);
      counts[bucket] = (counts[bucket] as number) + 1;
    }
  }
  const ranges: { start: number; end: number }[] = [];
  let start = 0;
  let held = 0;
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    const count = counts[bucket] as number;
    if (held > 0 && held + count > batchRows) {
      ranges.push({ start, end: bucket * bucketRows });
      start = bucket * bucketRows;
      held = 0;
    }
    held += count;
  }
  if (held > 0) ranges.push({ start, end: rowCount });
  return ranges;
}

interface Arrays {
  readonly rows: Float64Array;
  readonly positions: Float64Array;
}

function arrays(total: number, batchRows: number): Arrays {
  const length = Math.min(total, batchRows);
  return { rows: new Float64Array(length), positions: new Float64Array(length) };
}

/**
 * Sorts the picked rows with their positions: as numbers `(row - start) * count + index`, which sort without a
 * comparison function.
 */
function sortInto(batch: Arrays, picked: Arrays, count: number, start: number, keys: Float64Array): void {
  const used = keys.subarray(0, count);
  const scale = 2 ** Math.ceil(Math.log2(count));
  for (let i = 0; i < count; i++) used[i] = ((picked.rows[i] as number) - start) * scale + i;
  used.sort();
  for (let i = 0; i < count; i++) {
    const key = used[i] as number;
    const index = key % scale;
    batch.rows[i] = (key - index) / scale + start;
    batch.positions[i] = picked.positions[index] as number;
  }
}
