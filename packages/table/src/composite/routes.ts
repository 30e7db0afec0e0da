// Rows of a table of parts -> what is read of which part, and where that goes among the rows that come out.
import { OutOfRangeError } from '@colkit/io';
import type { RowSelection } from '@colkit/io';
import { allocateIndices, foldIndices } from '../views/indices.ts';
import type { PartStarts } from './part-starts.ts';

/** Rows of one part that are read together. */
export interface PartRead {
  /** The part's number. */
  readonly part: number;
  /** Its own rows. */
  readonly rows: RowSelection;
  readonly count: number;
  /** How many rows of the reads before come out before these. */
  readonly start: number;
}

export interface Route {
  readonly count: number;
  readonly reads: readonly PartRead[];
  /**
   * For each row that comes out, its position in rows of all parts one after another; null: they come out as they are
   * read.
   */
  readonly positions: Int32Array | null;
}

/** @throws OutOfRangeError, ArgumentError for rows that the table does not have. */
export function routeOf(starts: PartStarts, rows: RowSelection): Route {
  switch (rows.kind) {
    case 'range':
      return rangeRoute(starts, rows.start, rows.step, rows.count);
    case 'mask':
      return maskRoute(starts, rows.mask);
    case 'indices':
      return indexRoute(starts, rows.indices);
  }
}

function rangeRoute(starts: PartStarts, start: number, step: number, count: number): Route {
  const { rowCount } = starts;
  for (const position of count === 0 ? [] : [0, count - 1]) {
    const row = start + position * step;
    if (!(row >= 0 && row < rowCount)) throw new OutOfRangeError('rows', row, rowCount, position);
  }
  const reads: PartRead[] = [];
  for (let done = 0; done < count; ) {
    const row = start + done * step;
    const ordinal = starts.find(row);
    const [first, end] = [starts.start(ordinal), starts.start(ordinal + 1)];
    const left = step > 0 ? Math.ceil((end - row) / step) : Math.floor((row - first) / -step) + 1;
    const own = Math.min(left, count - done);
    const part = starts.numbers[ordinal] as number;
    reads.push({ part, rows: { kind: 'range', start: row - first, step, count: own }, count: own, start: done });
    done += own;
  }
  return { count, reads, positions: null };
}

function maskRoute(starts: PartStarts, mask: Uint8Array): Route {
  const reads: PartRead[] = [];
  let count = 0;
  for (let ordinal = 0; ordinal < starts.count; ordinal += 1) {
    const own = mask.subarray(starts.start(ordinal), starts.start(ordinal + 1));
    let kept = 0;
    for (const entry of own) kept += Number(entry !== 0);
    if (kept === 0) continue;
    const rows: RowSelection =
      kept === own.length
        ? { kind: 'range', start: 0, step: 1, count: kept }
        : { kind: 'mask', mask: own, count: kept };
    reads.push({ part: starts.numbers[ordinal] as number, rows, count: kept, start: count });
    count += kept;
  }
  return { count, reads, positions: null };
}

function indexRoute(starts: PartStarts, given: Extract<RowSelection, { kind: 'indices' }>['indices']): Route {
  const folded = foldIndices(given, starts.rowCount, 0);
  const indices = folded instanceof BigInt64Array ? Float64Array.from(folded, Number) : folded;
  const { ordinals: parts, isAscending } = starts.findAll(indices);
  const counts = new Int32Array(starts.count + 1);
  for (const part of parts) counts[part] = (counts[part] as number) + 1;
  const reads: PartRead[] = [];
  const locals: (Int32Array | Float64Array)[] = [];
  const begins = new Int32Array(starts.count);
  let count = 0;
  for (let ordinal = 0; ordinal < starts.count; ordinal += 1) {
    begins[ordinal] = count;
    const own = counts[ordinal] as number;
    if (own === 0) continue;
    const rows = allocateIndices(own, starts.start(ordinal + 1) - starts.start(ordinal));
    locals[ordinal] = rows;
    const part = starts.numbers[ordinal] as number;
    reads.push({ part, rows: { kind: 'indices', indices: rows }, count: own, start: count });
    count += own;
  }
  const positions = isAscending ? null : new Int32Array(count);
  const used = new Int32Array(starts.count);
  for (let index = 0; index < count; index += 1) {
    const part = parts[index] as number;
    const at = used[part] as number;
    used[part] = at + 1;
    (locals[part] as Int32Array | Float64Array)[at] = (indices[index] as number) - starts.start(part);
    if (positions !== null) positions[index] = (begins[part] as number) + at;
  }
  return { count, reads, positions };
}
