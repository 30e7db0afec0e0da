// copyRanges of Node: by the addon's kernel where the source has a mapping and the backend allows it.
import { BACKEND_OPTIONS } from '../backend/backend-options.ts';
import type { BackendOptions } from '../backend/backend-options.ts';
import { checkRanges, copyRangesByReads, copyRangesByReadsSync } from './copy-ranges.ts';
import type { CopyRangesRequest } from './copy-ranges.ts';
import type { ColkitError } from '../errors/errors.ts';
import { doneAtOnce, mayDoAtOnce } from '../memory/at-once.ts';
import { mappedNative } from '../source/mapped-native.ts';
import { SMALL_BYTES } from '../source/read-costs.ts';
import { fromNative } from '../backend/native-errors.ts';
import { checkOptions } from '../options/index.ts';
import { chosenWorkers } from '../backend/settings.ts';
import type { RandomAccessSource } from '../source/source.ts';

/**
 * Copies byte ranges of a source into one buffer; the event loop is free meanwhile. All ranges are checked before one
 * byte is read.
 * @throws ArgumentError; IoError ERR_FILE_CHANGED, ERR_READ; ClosedError; the signal's reason.
 */
export async function copyRanges(
  source: RandomAccessSource,
  request: CopyRangesRequest,
  options: BackendOptions = {},
): Promise<void> {
  checkOptions('copyRanges', BACKEND_OPTIONS, options);
  request.signal?.throwIfAborted();
  const native = mappedNative(source, 'copyRanges', options.backend);
  if (native === null) return copyRangesByReads(source, request);
  const { offsets, lengths, out, outOffsets, workers } = request;
  try {
    if (areSmall(lengths) && mayDoAtOnce()) {
      native.binding.copyRangesSync(native.mapping, offsets, lengths, out, outOffsets, 1);
      doneAtOnce();
    } else
      await native.binding.copyRanges(native.mapping, offsets, lengths, out, outOffsets, workers || chosenWorkers());
  } catch (error) {
    throw explain(error, source, request);
  }
  request.signal?.throwIfAborted();
}

function areSmall(lengths: Float64Array): boolean {
  let sum = 0;
  for (const length of lengths) sum += length;
  return sum <= SMALL_BYTES;
}

/** The same on the calling thread (and the kernels' own). */
export function copyRangesSync(
  source: RandomAccessSource,
  request: CopyRangesRequest,
  options: BackendOptions = {},
): void {
  checkOptions('copyRangesSync', BACKEND_OPTIONS, options);
  const native = mappedNative(source, 'copyRanges', options.backend);
  if (native === null) {
    copyRangesByReadsSync(source, request);
    return;
  }
  const { offsets, lengths, out, outOffsets, workers } = request;
  try {
    native.binding.copyRangesSync(native.mapping, offsets, lengths, out, outOffsets, workers || chosenWorkers());
  } catch (error) {
    throw explain(error, source, request);
  }
}

function explain(error: unknown, source: RandomAccessSource, request: CopyRangesRequest): ColkitError {
  const converted = fromNative('copyRanges', source.path, error);
  if (converted.code === 'ERR_ARGUMENT') checkRanges(source, request);
  return converted;
}
