// Arrays whose buffers were transferred to another thread.
import { bytesOfArray } from '@colkit/io';
import type { SyrahArray } from './dtype.ts';

/** Whether its memory is there: without it an array has no elements. */
export function isAttached(array: SyrahArray): boolean {
  if (array.length > 0) return true;
  try {
    bytesOfArray(array);
    return true;
  } catch {
    return false;
  }
}
