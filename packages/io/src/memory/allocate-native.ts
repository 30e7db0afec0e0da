// allocateOutputs of Node: memory that nobody has zeroed, and for large results the addon's pool where it is loaded.
import { Buffer, constants } from 'node:buffer';
import { ALLOCATE_OPTIONS, allocateWith } from './allocate.ts';
import type { AllocateOptions } from './allocate.ts';
import { newArrayBuffer } from './align.ts';
import { nativeBindingIfLoaded } from '../backend/native.ts';
import { checkOptions } from '../options/index.ts';

/** From here on zeroing costs more than the wrapper of an unzeroed buffer. */
const UNZEROED_BYTES = 4096;
/**
 * Below this the system's own allocator has warm memory as soon as earlier results were collected; blocks of the pool
 * return only in a later turn of the event loop, so that a synchronous loop over middling results would touch fresh
 * pages in each round (measured for 256 KB: 170 us against 25 us).
 */
const POOLED_BYTES = 1024 * 1024;

/**
 * From here on V8 is told of ordinary buffers late, where the addon is: it marks its heap for some tens of megabytes of
 * results that are gone long before. Smaller ones are not worth the call.
 */
const TOLD_LATER_BYTES = 32 * 1024;

/**
 * One Uint8Array per length, in order, to be filled completely by the caller: their content is undefined. Those below
 * 64 KiB share one ArrayBuffer, each starting at a multiple of 8; larger ones have one of their own, from 1 MiB on from
 * the addon's pool of huge pages where there is one (it returns there when it is collected).
 * @throws ArgumentError; LimitError ERR_LIMIT where the memory is not to be had.
 */
export function allocateOutputs(byteLengths: readonly number[], options?: AllocateOptions): Uint8Array[] {
  checkOptions('allocateOutputs', ALLOCATE_OPTIONS, options);
  return allocateWith(
    allocateOrdinary,
    allocateLarge,
    byteLengths,
    options?.transferable === true,
    constants.MAX_LENGTH,
  );
}

function allocateOrdinary(byteLength: number): ArrayBuffer {
  if (byteLength < UNZEROED_BYTES) return newArrayBuffer(byteLength);
  try {
    const { buffer } = Buffer.allocUnsafeSlow(byteLength);
    if (byteLength >= TOLD_LATER_BYTES && byteLength < POOLED_BYTES) nativeBindingIfLoaded()?.tellOrdinary(byteLength);
    return buffer;
  } catch {
    return newArrayBuffer(byteLength);
  }
}

function allocateLarge(byteLength: number): ArrayBuffer {
  if (byteLength < POOLED_BYTES) return allocateOrdinary(byteLength);
  try {
    return nativeBindingIfLoaded()?.allocatePooled(byteLength) ?? allocateOrdinary(byteLength);
  } catch {
    return allocateOrdinary(byteLength);
  }
}
