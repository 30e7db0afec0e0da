// Rows of a table of parts -> what is read of which part, and where that goes among the rows that come out.
import { OutOfRangeError } from '@colkit/io';
import type { RowSelection } from '@colkit/io';
import { allocateIndices, foldIndices } from '../views/indices.ts';
import type { PartStarts } from './part-starts.ts';

/** Rows of one part that are read together. */
export interface Piece {
  /** The part's number. */
  readonly part: number;
  /** Its own rows. */
  readonly rows: RowSelection;
  readonly count: number;
  /** How many rows of the pieces before come out before these. */
  readonly start: number;
}

export interface Route {
  readonly count: number;
  readonly pieces: readonly Piece[];
  /**
   * For each row that comes out, its place in the rows of all pieces one after another; null: they come out as they are
   * read.
   */
  readonly places: Int32Array | null;
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
  const pieces: Piece[] = [];
  for (let done = 0; done < count; ) {
    const row = start + done * step;
    const place = starts.find(row);
    const [first, end] = [starts.start(place), starts.start(place + 1)];
    const left = step > 0 ? Math.ceil((end - row) / step) : Math.floor((row - first) / -step) + 1;
    const own = Math.min(left, count - done);
    const part = starts.numbers[place] as number;
    pieces.push({ part, rows: { kind: 'range', start: row - first, step, count: own }, count: own, start: done });
    done += own;
  }
  return { count, pieces, places: null };
}

function maskRoute(starts: PartStarts, mask: Uint8Array): Route {
  const pieces: Piece[] = [];
  let count = 0;
  for (let place = 0; place < starts.count; place += 1) {
    const own = mask.subarray(starts.start(place), starts.start(place + 1));
    let kept = 0;
    for (const entry of own) kept += Number(entry !== 0);
    if (kept === 0) continue;
    const rows: RowSelection =
      kept === own.length
        ? { kind: 'range', start: 0, step: 1, count: kept }
        : { kind: 'mask', mask: own, count: kept };
    pieces.push({ part: starts.numbers[place] as number, rows, count: kept, start: count });
    count += kept;
  }
  return { count, pieces, places: null };
}

function indexRoute(starts: PartStarts, given: Extract<RowSelection, { kind: 'indices' }>['indices']): Route {
  const folded = foldIndices(given, starts.rowCount, 0);
  const indices = folded instanceof BigInt64Array ? Float64Array.from(folded, Number) : folded;
  const { places: parts, isAscending } = starts.findAll(indices);
  const counts = new Int32Array(starts.count + 1);
  for (const part of parts) counts[part] = (counts[part] as number) + 1;
  const pieces: Piece[] = [];
  const locals: (Int32Array | Float64Array)[] = [];
  const begins = new Int32Array(starts.count);
  let count = 0;
  for (let place = 0; place < starts.count; place += 1) {
    begins[place] = count;
    const own = counts[place] as number;
    if (own === 0) continue;
    const rows = allocateIndices(own, starts.start(place + 1) - starts.start(place));
    locals[place] = rows;
    const part = starts.numbers[place] as number;
    pieces.push({ part, rows: { kind: 'indices', indices: rows }, count: own, start: count });
    count += own;
  }
  const places = isAscending ? null : new Int32Array(count);
  const used = new Int32Array(starts.count);
  for (let index = 0; index < count; index += 1) {
    const part = parts[index] as number;
    const at = used[part] as number;
    used[part] = at + 1;
    (locals[part] as Int32Array | Float64Array)[at] = (indices[index] as number) - starts.start(part);
    if (places !== null) places[index] = (begins[part] as number) + at;
  }
  return { count, pieces, places };
}
