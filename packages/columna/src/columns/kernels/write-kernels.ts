// The addon's loops for writers, where there is work enough for a call of it. The same loops stand beside each use in
// TypeScript: what they give is the same, and so are the files.
import { encodeKernels } from '@colkit/io';
import type { EncodeKernels } from '@colkit/io';

/** Fewer values are done before the addon is asked. */
const WORTH_A_CALL = 512;

/** Null where TypeScript does it. */
export function writeKernels(count: number): EncodeKernels | null {
  return count < WORTH_A_CALL ? null : encodeKernels();
}
