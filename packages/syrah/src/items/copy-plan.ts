// Which bytes of the file go where when arrays are copied out: into one allocation for all of them, each aligned for
// its element type. Arrays of an item lie back to back, so that mostly one read does it, with the whole item shifted to
// where its arrays are aligned.
import { alignUp, allocateOutputs } from '@colkit/io';
import type { RandomAccessSource } from '@colkit/io';
import { ReadRange, ReadRanges } from '@colkit/io/effects';
import type { Operation } from '@colkit/io/effects';
import type { StoredArray } from '../layout/array-index.ts';
import { elementBytesOf } from '../layout/dtype.ts';
import { CommonRange } from './common-range.ts';

/** No typed array has larger elements. */
const LARGEST_ALIGNMENT = 8;

/**
 * `ranges`, all of them parts of `buffer`, are to be read; array k then is the bytes of `buffer` from `starts[k]` on.
 */
export interface CopyPlan {
  readonly ranges: readonly ReadRange[];
  readonly buffer: ArrayBufferLike;
  readonly starts: readonly number[];
}

/** A plan for the arrays of one item: one allocation, one read where they can all be aligned together. */
export function planItemCopy(
  source: RandomAccessSource,
  arrays: readonly StoredArray[],
  transferable: boolean,
): CopyPlan {
  const range = commonRange(arrays);
  return range === null ? planApart(source, arrays, transferable) : planTogether(source, arrays, range, transferable);
}

/** The ranges of a plan as one effect: by one kernel where they are many. Null where there is nothing to read. */
export function readOf(source: RandomAccessSource, { ranges, buffer }: CopyPlan): Operation<void> | null {
  const [first] = ranges;
  if (first === undefined || ranges.length === 1) return first ?? null;
  return new ReadRanges(source, {
    offsets: Float64Array.from(ranges, ({ byteOffset }) => byteOffset),
    lengths: Float64Array.from(ranges, ({ out }) => out.byteLength),
    out: new Uint8Array(buffer),
    outOffsets: Float64Array.from(ranges, ({ out }) => out.byteOffset),
  });
}

/**
 * The arrays as one range of the file, or null where they are apart, out of order, or not to be aligned by one shift.
 */
function commonRange(arrays: readonly StoredArray[]): CommonRange | null {
  const range = new CommonRange();
  for (const { dtype, byteOffset, byteLength } of arrays)
    if (!range.add(byteOffset, byteLength, elementBytesOf(dtype))) return null;
  return range;
}

function planTogether(
  source: RandomAccessSource,
  arrays: readonly StoredArray[],
  { start, end, shift }: CommonRange,
  transferable: boolean,
): CopyPlan {
  const slab = allocate(shift + end - start, transferable);
  const starts: number[] = [];
  for (const { byteOffset, byteLength } of arrays)
    starts.push(slab.byteOffset + (byteLength === 0 ? 0 : byteOffset - start + shift));
  return {
    ranges: end === start ? [] : [new ReadRange(source, start, shift === 0 ? slab : slab.subarray(shift))],
    buffer: slab.buffer,
    starts,
  };
}

function planApart(source: RandomAccessSource, arrays: readonly StoredArray[], transferable: boolean): CopyPlan {
  let byteLength = 0;
  const starts = arrays.map((array) => {
    const start = alignUp(byteLength, LARGEST_ALIGNMENT);
    byteLength = start + array.byteLength;
    return start;
  });
  const slab = allocate(byteLength, transferable);
  const ranges = arrays
    .map(
      (array, k) =>
        new ReadRange(source, array.byteOffset, slab.subarray(starts[k], (starts[k] ?? 0) + array.byteLength)),
    )
    .filter(({ out }) => out.length > 0);
  return { ranges, buffer: slab.buffer, starts: starts.map((start) => slab.byteOffset + start) };
}

/** Memory that the ranges fill; its first byte is aligned for every element type. */
function allocate(byteLength: number, transferable: boolean): Uint8Array {
  return allocateOutputs([byteLength], { transferable })[0] ?? new Uint8Array(byteLength);
}
