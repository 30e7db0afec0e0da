// The checks of a gather, before anything is read or written: segments against the source's size, columns, row
// selection and outputs of a request. The native kernels make the same checks; here they serve the gathers in
// TypeScript, and give a native failure its typed error.
import { assertNever } from '../errors/assert-never.ts';
import { ArgumentError, OutOfRangeError } from '../errors/errors.ts';
import type { ColumnSegments, GatherRequest, IndexArray, RowSelection } from './gather.ts';
import { fitsWithin, isCount } from '../values/integers.ts';

/**
 * Checks that all columns of all segments lie within the source, and returns the number of rows.
 * @throws ArgumentError ERR_ARGUMENT.
 */
export function checkSegments(segments: ColumnSegments, byteLength: number): number {
  const { rowStarts, itemBytes, bases } = segments;
  const segmentCount = rowStarts.length - 1;
  if (segmentCount < 0) throw bad('segments.rowStarts', 'at least one number', 'none');
  if (bases.length !== segmentCount * itemBytes.length) {
    throw bad(
      'segments.bases',
      `${String(itemBytes.length)} columns of ${String(segmentCount)} segments`,
      `${String(bases.length)} numbers`,
    );
  }
  let before = 0;
  for (let s = 0; s <= segmentCount; s++) {
    const start = rowStarts[s] as number;
    if (!isCount(start) || start < before || (s === 0 && start !== 0))
      throw bad(
        'segments.rowStarts',
        'ascending integers that start at 0',
        `${String(start)} at position ${String(s)}`,
      );
    before = start;
  }
  for (let c = 0; c < itemBytes.length; c++) {
    const width = itemBytes[c] as number;
    if (width < 1) throw bad('segments.itemBytes', 'positive integers', `${String(width)} at position ${String(c)}`);
    for (let s = 0; s < segmentCount; s++)
      checkSegment(
        rowStarts[s] as number,
        rowStarts[s + 1] as number,
        width,
        bases[c * segmentCount + s] as number,
        byteLength,
      );
  }
  return before;
}

function checkSegment(startRow: number, endRow: number, width: number, base: number, byteLength: number): void {
  if (startRow === endRow) return;
  const bytes = (endRow - startRow) * width;
  if (
    !Number.isSafeInteger(base) ||
    !Number.isSafeInteger(endRow * width) ||
    !fitsWithin(base + startRow * width, bytes, byteLength)
  ) {
    throw bad('segments.bases', `addresses within the ${String(byteLength)} bytes of the source`, String(base));
  }
}

/** What the checks learn about a request's rows. */
export interface CheckedRows {
  readonly count: number;
  /** No row comes before its predecessor. */
  readonly ascending: boolean;
}

/**
 * Checks a request against its segments: every index, every output.
 * @throws OutOfRangeError, ArgumentError ERR_ARGUMENT, ERR_OUT_BUFFER.
 */
export function checkRequest(segments: ColumnSegments, rowCount: number, request: GatherRequest): CheckedRows {
  const { columns, outputs } = request;
  if (!(columns instanceof Int32Array)) throw bad('columns', 'an Int32Array', typeof columns);
  if (outputs.length !== columns.length)
    throw bad('outputs', `one output for each of the ${String(columns.length)} columns`, String(outputs.length));
  const count = selectionCount(request.rows, rowCount);
  for (let k = 0; k < columns.length; k++) checkOutput(segments, request, k, count);
  return { count, ascending: checkRows(request.rows, rowCount) };
}

function checkOutput(segments: ColumnSegments, request: GatherRequest, k: number, count: number): void {
  const column = request.columns[k] as number;
  const width = segments.itemBytes[column];
  const output = request.outputs[k];
  if (width === undefined || output === undefined)
    throw bad('columns', `column numbers in [0, ${String(segments.itemBytes.length)})`, String(column));
  const { bytes, byteOffset, byteStride } = output;
  if (!(bytes instanceof Uint8Array)) throw bad('outputs', 'Uint8Arrays', typeof bytes);
  if (!isCount(byteOffset)) throw bad('outputs', 'byte offsets of 0 and more', String(byteOffset));
  if (!isCount(byteStride) || byteStride < width)
    throw bad('outputs', `byte strides of at least the ${String(width)} bytes of an item`, String(byteStride));
  if (count > 0 && !fitsWithin(byteOffset, (count - 1) * byteStride + width, bytes.byteLength)) {
    throw new ArgumentError(
      'ERR_OUT_BUFFER',
      `outputs[${String(k)}]`,
      `room for ${String(count)} items of ${String(width)} bytes, ${String(byteStride)} apart, from byte ` +
        `${String(byteOffset)} on`,
      `${String(bytes.byteLength)} bytes`,
    );
  }
}

/** How many rows a selection announces; the shape is checked here, the rows themselves in `checkRows`. */
function selectionCount(rows: RowSelection, rowCount: number): number {
  switch (rows.kind) {
    case 'range':
      checkRange(rows.start, rows.step, rows.count, rowCount);
      return rows.count;
    case 'indices':
      if (!isIndexArray(rows.indices))
        throw bad('rows.indices', 'an Int32Array, Uint32Array, Float64Array or BigInt64Array', typeof rows.indices);
      return rows.indices.length;
    case 'mask':
      if (!(rows.mask instanceof Uint8Array)) throw bad('rows.mask', 'a Uint8Array', typeof rows.mask);
      if (rows.mask.length !== rowCount)
        throw bad(
          'rows.mask',
          `one byte for each of the ${String(rowCount)} rows`,
          `${String(rows.mask.length)} bytes`,
        );
      if (!isCount(rows.count)) throw bad('rows.count', 'a count', String(rows.count));
      return rows.count;
    default:
      return assertNever(rows);
  }
}

function checkRange(start: number, step: number, count: number, rowCount: number): void {
  if (!isCount(count)) throw bad('rows.count', 'a count', String(count));
  if (!Number.isSafeInteger(step) || step === 0) throw bad('rows.step', 'an integer other than 0', String(step));
  if (count === 0) return;
  if (!Number.isInteger(start)) throw bad('rows.start', 'an integer', String(start));
  const last = start + step * (count - 1);
  if (!(start >= 0 && start < rowCount)) throw new OutOfRangeError('rows', start, rowCount, 0);
  if (!(last >= 0 && last < rowCount)) throw new OutOfRangeError('rows', last, rowCount, count - 1);
}

/** Checks every row of a selection whose shape is right, and tells whether they ascend. */
function checkRows(rows: RowSelection, rowCount: number): boolean {
  switch (rows.kind) {
    case 'range':
      return rows.step > 0;
    case 'indices':
      return rows.indices instanceof BigInt64Array
        ? checkBigIndices(rows.indices, rowCount)
        : checkIndices(rows.indices, rowCount);
    case 'mask': {
      const found = countMask(rows.mask);
      if (found !== rows.count)
        throw bad('rows.count', `the number of mask bytes that are not 0, ${String(found)},`, String(rows.count));
      return true;
    }
    default:
      return assertNever(rows);
  }
}

function checkIndices(indices: Int32Array | Uint32Array | Float64Array, rowCount: number): boolean {
  let ascending = true;
  let before = 0;
  for (let i = 0; i < indices.length; i++) {
    const index = indices[i] as number;
    if (!(index >= -rowCount && index < rowCount) || index !== Math.trunc(index)) throw badIndex(index, rowCount, i);
    const row = index < 0 ? index + rowCount : index;
    if (row < before) ascending = false;
    before = row;
  }
  return ascending;
}

function checkBigIndices(indices: BigInt64Array, rowCount: number): boolean {
  let ascending = true;
  let before = 0;
  for (let i = 0; i < indices.length; i++) {
    // What a number cannot hold exactly is far out of range, and stays so when it is rounded.
    const index = Number(indices[i]);
    if (!(index >= -rowCount && index < rowCount)) throw new OutOfRangeError('rows', indices[i], rowCount, i);
    const row = index < 0 ? index + rowCount : index;
    if (row < before) ascending = false;
    before = row;
  }
  return ascending;
}

function countMask(mask: Uint8Array): number {
  let count = 0;
  for (let i = 0; i < mask.length; i++) count += mask[i] === 0 ? 0 : 1;
  return count;
}

function badIndex(index: number, rowCount: number, position: number): ArgumentError | OutOfRangeError {
  if (!Number.isInteger(index)) return bad('rows', 'integers', `${String(index)} at position ${String(position)}`);
  return new OutOfRangeError('rows', index, rowCount, position);
}

function isIndexArray(value: unknown): value is IndexArray {
  return (
    value instanceof Int32Array ||
    value instanceof Uint32Array ||
    value instanceof Float64Array ||
    value instanceof BigInt64Array
  );
}

function bad(argument: string, expected: string, found: string): ArgumentError {
  return new ArgumentError('ERR_ARGUMENT', argument, expected, found);
}
