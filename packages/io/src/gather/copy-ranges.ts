// Copying many byte ranges of a source into one buffer, in one call: items, pages, records. In native code over a
// mapping, else read by read.
import { ArgumentError, ClosedError } from '../errors/errors.ts';
import { fitsWithin } from '../values/integers.ts';
import { readsAtOnce } from './parallel-reads.ts';
import type { RandomAccessSource } from '../source/source.ts';

/**
 * Range k is the bytes [offsets[k], offsets[k] + lengths[k]) of the source; it goes to `out` from outOffsets[k] on. The
 * output ranges must not overlap.
 */
export interface CopyRangesRequest {
  readonly offsets: Float64Array;
  readonly lengths: Float64Array;
  readonly out: Uint8Array;
  readonly outOffsets: Float64Array;
  /** Most threads; absent or 0: the process-wide setting. */
  readonly workers?: number;
  readonly signal?: AbortSignal;
}

/** All ranges are checked before one byte is read. @throws ArgumentError, ClosedError, IoError. */
export function copyRangesByReadsSync(source: RandomAccessSource, request: CopyRangesRequest): void {
  checkRanges(source, request);
  for (let k = 0; k < request.offsets.length; k++) source.readSync(request.offsets[k] as number, target(request, k));
}

export async function copyRangesByReads(source: RandomAccessSource, request: CopyRangesRequest): Promise<void> {
  request.signal?.throwIfAborted();
  checkRanges(source, request);
  let next = 0;
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    while (next < request.offsets.length && failures.length === 0) {
      const k = next++;
      try {
        await source.read(request.offsets[k] as number, target(request, k), request.signal);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  const most = readsAtOnce(source);
  await Promise.all(Array.from({ length: Math.min(most, request.offsets.length) }, worker));
  if (failures.length > 0) throw failures[0];
}

/** @throws ArgumentError for ranges outside of the source or the output; ClosedError. */
export function checkRanges(source: RandomAccessSource, request: CopyRangesRequest): void {
  if (source.closed) throw new ClosedError('copyRanges', source.path);
  const { offsets, lengths, out, outOffsets } = request;
  const found = `${String(offsets.length)}, ${String(lengths.length)} and ${String(outOffsets.length)}`;
  if (lengths.length !== offsets.length || outOffsets.length !== offsets.length)
    throw new ArgumentError('ERR_ARGUMENT', 'lengths', 'as many offsets, lengths and outOffsets', found);
  for (let k = 0; k < offsets.length; k++) {
    const [from, byteLength, to] = [offsets[k] as number, lengths[k] as number, outOffsets[k] as number];
    if (fitsWithin(from, byteLength, source.byteLength) && fitsWithin(to, byteLength, out.byteLength)) continue;
    const expected =
      `ranges within the ${String(source.byteLength)} bytes of the source and the ${String(out.byteLength)} of ` +
      'the output';
    throw new ArgumentError(
      'ERR_ARGUMENT',
      'offsets',
      expected,
      `${String(byteLength)} bytes at ${String(from)} to ${String(to)}, at position ${String(k)}`,
    );
  }
}

function target({ out, lengths, outOffsets }: CopyRangesRequest, k: number): Uint8Array {
  const start = outOffsets[k] as number;
  return out.subarray(start, start + (lengths[k] as number));
}
