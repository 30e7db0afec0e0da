// copyRanges of Node: by the addon's kernel where the source has a mapping and the backend allows it.
import { checkRanges, copyRangesByReads, copyRangesByReadsSync } from './copy-ranges.ts';
import type { CopyRangesRequest } from './copy-ranges.ts';
import type { ColkitError } from './errors.ts';
import { ClosedError } from './errors.ts';
import { nativeBinding } from './native.ts';
import type { NativeBinding, NativeMapping } from './native.ts';
import { fromNative } from './native-errors.ts';
import { chosenWorkers } from './settings.ts';
import type { Backend } from './settings.ts';
import type { RandomAccessSource } from './source.ts';

/**
 * Copies byte ranges of a source into one buffer; the event loop is free meanwhile. All ranges are checked before one byte is read.
 * @throws ArgumentError; IoError ERR_FILE_CHANGED, ERR_READ; ClosedError; the signal's reason.
 */
export async function copyRanges(source: RandomAccessSource, request: CopyRangesRequest, options: { readonly backend?: Backend } = {}): Promise<void> {
  request.signal?.throwIfAborted();
  const native = nativeOf(source, options.backend);
  if (native === null) return copyRangesByReads(source, request);
  const { offsets, lengths, out, outOffsets, workers } = request;
  try {
    await native.binding.copyRanges(native.mapping, offsets, lengths, out, outOffsets, workers || chosenWorkers());
  } catch (error) {
    throw explain(error, source, request);
  }
  request.signal?.throwIfAborted();
}

/** The same on the calling thread (and the kernels' own). */
export function copyRangesSync(source: RandomAccessSource, request: CopyRangesRequest, options: { readonly backend?: Backend } = {}): void {
  const native = nativeOf(source, options.backend);
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

function nativeOf(source: RandomAccessSource, option: Backend | undefined): { readonly binding: NativeBinding; readonly mapping: NativeMapping } | null {
  if (source.closed) throw new ClosedError('copyRanges', source.path);
  if (source.kind !== 'mapped') return null;
  const binding = nativeBinding(option);
  const mapping = binding === null ? null : source.mapping();
  return binding === null || mapping === null ? null : { binding, mapping };
}

function explain(error: unknown, source: RandomAccessSource, request: CopyRangesRequest): ColkitError {
  const converted = fromNative('copyRanges', source.path, error);
  if (converted.code === 'ERR_ARGUMENT') checkRanges(source, request);
  return converted;
}
