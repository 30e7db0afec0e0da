// Memory for the values of a node that may not be chosen: given back, it is what the next candidate works in. Fresh
// memory for each of them is what a writer spends a good part of its time on, in clearing and in collections.
import { giveWorkingMemory, takeWorkingMemory } from '@colkit/io';

/** Bytes from which on memory is lent; smaller arrays are the heap's. */
const LEAST_LENT = 1 << 16;

/** `count` numbers with whatever was there before. What is not given back is collected. */
export function lentWords(count: number): Uint32Array {
  return 4 * count < LEAST_LENT ? new Uint32Array(count) : new Uint32Array(takeWorkingMemory(4 * count), 0, count);
}

/** The same of doubles. */
export function lentDoubles(count: number): Float64Array {
  return 8 * count < LEAST_LENT ? new Float64Array(count) : new Float64Array(takeWorkingMemory(8 * count), 0, count);
}

/** Of `lentWords` and `lentDoubles`, or made for this use alone; whole, and nobody looks at them any more. */
export function giveBack({ buffer }: Uint32Array | Float64Array): void {
  if (buffer.byteLength >= LEAST_LENT) giveWorkingMemory(buffer as ArrayBuffer);
}
