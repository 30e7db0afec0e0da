// Loops over packed numbers and texts in the addon, for whoever has the same loop in TypeScript too.
import { nativeBinding } from './native.ts';
import type { NativeBinding } from './native.ts';

export type NumberKernels = Pick<NativeBinding, 'selectWithin' | 'sumByCode' | 'spreadTexts'>;

/** The addon's loops over numbers and texts (native/index.d.ts); null where it is not there or not wanted. */
export function numberKernels(): NumberKernels | null {
  return nativeBinding(undefined);
}
