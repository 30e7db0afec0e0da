// The steps of a view -> one selection of the source's rows, when it is materialised. Positions are pulled down the
// chain from the view's side, so that a few rows of a long view cost a few rows, and indices that go straight to the
// source are handed on as they are: it checks them itself, all before it writes.
import type { IndexArray, RowSelection } from '@colkit/io';
import { allocateIndices, checkIndices, foldIndex, foldIndices } from './indices.ts';
import type { Mask } from './mask.ts';
import { countRows, indicesOf, isWhole, within } from './rows.ts';
import type { Rows } from './rows.ts';
import { rowRange } from './slice.ts';
import type { RowSlice } from './slice.ts';

/** Rows of a view that are resolved at once when it is checked without being read. */
const CHECKED_ROWS = 65_536;

/**
 * All rows of the view, as rows of the source. O(1) for ranges, for a mask and for indices over the whole source
 * (passed on as they are); else O(rows × steps).
 * @throws OutOfRangeError, ArgumentError for an index that is outside the rows that it was taken from; its position is
 * the row of the view.
 */
export function resolveRows(rows: Rows): RowSelection {
  if (rows.kind === 'take' && isWhole(rows.base)) return { kind: 'indices', indices: indicesOf(rows) };
  if (rows.kind === 'filter' && isWhole(rows.base))
    return { kind: 'mask', mask: rows.mask.bytes, count: rows.mask.count };
  return resolveRange(rows, 0, countRows(rows));
}

/**
 * Rows [start, end) of the view, as rows of the source; costs as much as these rows, whatever the length of the view.
 */
export function resolveRange(rows: Rows, start: number, end: number): RowSelection {
  let current = rows;
  let positions: RowSlice | IndexArray = rowRange(start, 1, end - start);
  for (;;) {
    switch (current.kind) {
      case 'range':
        if (isArray(positions))
          return {
            kind: 'indices',
            indices: isWhole(current) ? positions : pullThroughRange(current, positions, current.rowCount),
          };
        return { kind: 'range', ...within(current, positions) };
      case 'take': {
        const given = indicesOf(current);
        const indices = isArray(positions) ? gather(given, positions) : pick(given, positions);
        // The source folds and checks what refers to all of its rows.
        if (isWhole(current.base)) return { kind: 'indices', indices };
        positions = foldIndices(indices, countRows(current.base), start);
        current = current.base;
        break;
      }
      case 'filter':
        positions = isArray(positions) ? current.mask.select(positions) : keptRows(current.mask, positions);
        current = current.base;
        break;
      case 'slice':
        positions = isArray(positions)
          ? pullThroughRange(current, positions, countRows(current.base))
          : within(current, positions);
        current = current.base;
        break;
    }
  }
}

/**
 * The source's row behind row `index` of the view.
 * @throws OutOfRangeError, ArgumentError for `index` itself and for an index of a step that it meets.
 */
export function resolveRow(rows: Rows, index: number | bigint): number {
  let row = foldIndex(index, countRows(rows));
  for (let current = rows; ; ) {
    switch (current.kind) {
      case 'range':
        return current.start + row * current.step;
      case 'take':
        row = foldIndex(Number(indicesOf(current)[row]), countRows(current.base), row);
        current = current.base;
        break;
      case 'filter':
        row = current.mask.rowAt(row);
        current = current.base;
        break;
      case 'slice':
        row = current.start + row * current.step;
        current = current.base;
        break;
    }
  }
}

/**
 * Checks every index that the view still selects, as reading all of it would, in bounded memory.
 * @throws as `resolveRows`.
 */
export function checkRows(rows: Rows): void {
  if (!hasIndices(rows)) return;
  const count = countRows(rows);
  for (let start = 0; start < count; start += CHECKED_ROWS) {
    const selection = resolveRange(rows, start, Math.min(count, start + CHECKED_ROWS));
    if (selection.kind === 'indices') checkIndices(selection.indices, sourceRowCount(rows), start);
  }
}

function hasIndices(rows: Rows): boolean {
  for (let current = rows; current.kind !== 'range'; current = current.base) if (current.kind === 'take') return true;
  return false;
}

function sourceRowCount(rows: Rows): number {
  let current = rows;
  while (current.kind !== 'range') current = current.base;
  return current.rowCount;
}

function isArray(positions: RowSlice | IndexArray): positions is IndexArray {
  return ArrayBuffer.isView(positions);
}

function keptRows(mask: Mask, range: RowSlice): IndexArray {
  if (range.step === 1) return mask.rows(range.start, range.start + range.count);
  const last = range.start + (range.count - 1) * range.step;
  const [low, high] = range.step > 0 ? [range.start, last] : [last, range.start];
  return pick(mask.rows(low, high + 1), { start: range.start - low, step: range.step, count: range.count });
}

/** Elements of a range of positions; a view of the array where they lie side by side. */
function pick(indices: IndexArray, { start, step, count }: RowSlice): IndexArray {
  if (step === 1) return start === 0 && count === indices.length ? indices : indices.subarray(start, start + count);
  const out = emptyLike(indices, count);
  for (let position = 0; position < count; position += 1) out[position] = Number(indices[start + position * step]);
  return out;
}

/** Elements at checked positions. */
function gather(indices: IndexArray, positions: IndexArray): IndexArray {
  const out = emptyLike(indices, positions.length);
  for (let position = 0; position < out.length; position += 1)
    out[position] = Number(indices[Number(positions[position])]);
  return out;
}

/** start + position * step for checked positions; the array itself where that changes nothing. */
function pullThroughRange(range: RowSlice, positions: IndexArray, rowCount: number): IndexArray {
  const { start, step } = range;
  if (start === 0 && step === 1) return positions;
  const out = allocateIndices(positions.length, rowCount);
  for (let position = 0; position < out.length; position += 1)
    out[position] = start + Number(positions[position]) * step;
  return out;
}

/** Row numbers of a caller keep their width, so that one that does not fit is still found out. */
function emptyLike(indices: IndexArray, count: number): Int32Array | Float64Array {
  return indices instanceof Int32Array ? new Int32Array(count) : new Float64Array(count);
}
