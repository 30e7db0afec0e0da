// The addon's loops for writers, where there is work enough for a call of it. The same loops stand beside each use in
// TypeScript: what they give is the same, and so are the files.
import { encodeKernels, giveWorkingMemory, takeWorkingMemory } from '@colkit/io';
import type { EncodeKernels } from '@colkit/io';

/** Fewer values are done before the addon is asked. */
const WORTH_A_CALL = 512;

/** Null where TypeScript does it. */
export function writeKernels(count: number): EncodeKernels | null {
  return count < WORTH_A_CALL ? null : encodeKernels();
}

/**
 * What a call finds, of which nobody knows before how much it is: in memory that is used again, and copied. Null where
 * it is more than `most`.
 */
export function foundAtMost(most: number, find: (room: Uint32Array) => number): Uint32Array | null {
  const memory = takeWorkingMemory(4 * most);
  try {
    const room = new Uint32Array(memory, 0, most);
    const count = find(room);
    return count > most ? null : room.slice(0, count);
  } finally {
    giveWorkingMemory(memory);
  }
}
