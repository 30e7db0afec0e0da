// Memory for results that will be filled completely: one slab for small ones (a buffer of its own costs more than
// filling it), recycled huge pages for large ones (fresh 4 KiB pages cost more than a gather).
import { LimitError } from '../errors/errors.ts';
import { checkCount } from '../values/integers.ts';
import { option } from '../options/index.ts';
import type { OptionSet } from '../options/index.ts';

/** Gives a buffer, perhaps uninitialised. */
export type Allocate = (byteLength: number) => ArrayBuffer;

export interface AllocateOptions {
  /** Each result gets an ordinary ArrayBuffer of its own, which can be transferred to another thread. */
  readonly transferable?: boolean;
}

export const ALLOCATE_OPTIONS: OptionSet<AllocateOptions> = { transferable: option.flag };

/** Smaller results share a slab; a pool of huge pages has nothing to give below that either. */
const LARGE_BYTES = 64 * 1024;

/**
 * @param mostBytes of one typed array in this runtime: 2^32 in Node 20, 2^53 - 1 from Node 22 on.
 * @throws ArgumentError for lengths that are no counts; LimitError for a longer one, and where the memory is not to be
 * had.
 */
export function allocateWith(
  allocateOrdinary: Allocate,
  allocateLarge: Allocate,
  byteLengths: readonly number[],
  transferable: boolean,
  mostBytes: number,
): Uint8Array[] {
  let slabBytes = 0;
  for (const byteLength of byteLengths) {
    checkCount('byteLengths', byteLength);
    if (byteLength > mostBytes) throw tooLong(byteLength, mostBytes);
    if (byteLength < LARGE_BYTES) slabBytes += slabShare(byteLength);
  }
  if (transferable) return byteLengths.map((byteLength) => new Uint8Array(allocateOrdinary(byteLength)));
  const slab = allocateOrdinary(slabBytes);
  const outputs = new Array<Uint8Array>(byteLengths.length);
  let used = 0;
  for (let k = 0; k < outputs.length; k++) {
    const byteLength = byteLengths[k] as number;
    if (byteLength < LARGE_BYTES) {
      outputs[k] = new Uint8Array(slab, used, byteLength);
      used += slabShare(byteLength);
    } else {
      outputs[k] = new Uint8Array(allocateLarge(byteLength), 0, byteLength);
    }
  }
  return outputs;
}

/** In place of the runtime's RangeError. */
function tooLong(byteLength: number, mostBytes: number): LimitError {
  const ofTable = 'rows of a table by batches(), slice(start, end), or windows by slice(start, end).viewArray()';
  return new LimitError(
    'ERR_LIMIT',
    `bytes of one array (take fewer at a time: ${ofTable}; items by fewer of them or fewer keys)`,
    mostBytes,
    byteLength,
  );
}

/**
 * Each result in the slab starts at a multiple of 8. Small numbers only, and called for every column of every small
 * read.
 */
function slabShare(byteLength: number): number {
  return (byteLength + 7) & ~7;
}
