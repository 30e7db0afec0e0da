// What is true of a page's rows -> the span of those that match: a stretch of rows where they follow each other, else
// their numbers.
import { numberKernels } from '@colkit/io';
import type { Scratch } from '../../columns/scratch.ts';
import { markNumbers } from './mask-vector.ts';
import type { PackedRange } from './mask-vector.ts';
import type { Span } from '../file/spans.ts';

/** Rows of the span where `mask`, one byte a row of the page, is 1; null where there are none. */
export function narrowByMask(span: Span, mask: Uint8Array, scratch: Scratch): Span | null {
  const { start, end, picks } = span;
  const found = scratch.uint32(1 + (picks === null ? end - start : picks.length));
  let count = 0;
  // Which row matches cannot be predicted, so it is arithmetic and not a branch: what does not match is written over.
  if (picks === null) {
    for (let row = start; row < end; row++) {
      found[count] = row;
      count += mask[row] as number;
    }
  } else {
    for (let i = 0; i < picks.length; i++) {
      const row = picks[i] as number;
      found[count] = row;
      count += mask[row] as number;
    }
  }
  return narrowed(span, found, count);
}

/** The same for a page without nulls, by what its values are packed as. */
export function narrowByRange(span: Span, { values, first, last }: PackedRange, scratch: Scratch): Span | null {
  if (first > last) return null;
  const { start, end } = span;
  const kernels = span.picks === null ? numberKernels() : null;
  if (kernels === null) {
    const mask = scratch.zeros(values.length);
    markNumbers(values, values.length, first, last - first, mask);
    return narrowByMask(span, mask, scratch);
  }
  const found = scratch.uint32(end - start);
  const count = kernels.selectWithin(values.subarray(start, end), first, last - first, found);
  if (start > 0) for (let i = 0; i < count; i++) found[i] = (found[i] as number) + start;
  return narrowed(span, found, count);
}

/**
 * The same for rows with codes, -1 for a null, by what is true of the dictionary's entries: no mask of the page is
 * made.
 */
export function narrowByCodes(
  span: Span,
  codes: Int32Array | Uint32Array,
  ofEntries: Uint8Array,
  scratch: Scratch,
): Span | null {
  const { start, end, picks } = span;
  const found = scratch.uint32(1 + (picks === null ? end - start : picks.length));
  const matches = scratch.zeros(1 + ofEntries.length);
  matches.set(ofEntries, 1);
  let count = 0;
  if (picks === null) {
    for (let row = start; row < end; row++) {
      found[count] = row;
      count += matches[(codes[row] as number) + 1] as number;
    }
  } else {
    for (let i = 0; i < picks.length; i++) {
      const row = picks[i] as number;
      found[count] = row;
      count += matches[(codes[row] as number) + 1] as number;
    }
  }
  return narrowed(span, found, count);
}

/** `found` is scratch memory. */
function narrowed(span: Span, found: Uint32Array, count: number): Span | null {
  const narrow = narrowedSpan(span, found.subarray(0, count));
  return narrow === null || narrow.picks === null ? narrow : { ...narrow, picks: narrow.picks.slice() };
}

/**
 * A span with these rows of it, ascending; null where there are none. Where they follow each other, they are a stretch;
 * else the list is kept, not copied.
 */
export function narrowedSpan(span: Span, found: Uint32Array): Span | null {
  const count = found.length;
  if (count === 0) return null;
  const start = found[0] as number;
  const end = (found[count - 1] as number) + 1;
  return { ...span, start, end, picks: end - start === count ? null : found };
}
