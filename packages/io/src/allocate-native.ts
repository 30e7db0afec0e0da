// allocateOutputs of Node: large results come from the addon's pool where it is loaded.
import { allocateWith } from './allocate.ts';
import type { AllocateOptions } from './allocate.ts';
import { newArrayBuffer } from './align.ts';
import { nativeBindingIfLoaded } from './native.ts';

/**
 * One Uint8Array per length, in order, to be filled completely by the caller: their content is undefined. Those below 64 KiB share one ArrayBuffer, each starting at a multiple of
 * 8; larger ones have one of their own, from the addon's pool of huge pages where there is one (it returns there when it is collected).
 * @throws ArgumentError; LimitError ERR_LIMIT where the memory is not to be had.
 */
export function allocateOutputs(byteLengths: readonly number[], options?: AllocateOptions): Uint8Array[] {
  return allocateWith(allocateLarge, byteLengths, options?.transferable === true);
}

function allocateLarge(byteLength: number): ArrayBuffer {
  try {
    return nativeBindingIfLoaded()?.allocatePooled(byteLength) ?? newArrayBuffer(byteLength);
  } catch {
    return newArrayBuffer(byteLength);
  }
}
