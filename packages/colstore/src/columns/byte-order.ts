// Big-endian items -> little-endian, in place: flat files may hold them, nothing behind this folder ever sees them.
import { dtypeFacts } from '@colkit/io';
import type { GatherOutput } from '@colkit/io';
import type { StoredColumn } from '../layout/manifest.ts';

/** How many bytes are reversed as one: of text each character, of the rest the whole item. */
export const swapUnit = ({ dtype }: Pick<StoredColumn, 'dtype'>): number =>
  dtypeFacts(dtype).unitBytes || dtype.itemBytes;

/**
 * Reverses the bytes of every unit of `count` items where they were written. Cost: one pass in JavaScript, byte by
 * byte.
 */
export function swapItems(output: GatherOutput, count: number, itemBytes: number, unit: number): void {
  const { bytes, byteOffset, byteStride } = output;
  for (let item = 0; item < count; item += 1) {
    const start = byteOffset + item * byteStride;
    for (let at = start; at < start + itemBytes; at += unit) reverse(bytes, at, at + unit - 1);
  }
}

function reverse(bytes: Uint8Array, first: number, last: number): void {
  for (let low = first, high = last; low < high; low += 1, high -= 1) {
    const byte = bytes[low] ?? 0;
    bytes[low] = bytes[high] ?? 0;
    bytes[high] = byte;
  }
}
