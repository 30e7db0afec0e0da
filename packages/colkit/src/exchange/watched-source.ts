// A source whose reads are counted, for progress, and end with a signal.
import type { OwnSource, RandomAccessSource } from '@colkit/io';

/** Closing it leaves the source open. @param told the bytes that were read so far, at most those that there are. */
export function watchedSource(
  source: RandomAccessSource,
  signal: AbortSignal | undefined,
  told: (bytes: number) => void,
): OwnSource {
  let bytes = 0;
  return {
    byteLength: source.byteLength,
    path: source.path,
    isSync: false,
    concurrency: source.concurrency,
    gapBytes: source.gapBytes,
    coalesces: false,
    async read(byteOffset, out) {
      await source.read(byteOffset, out, signal);
      bytes += out.byteLength;
      told(Math.min(bytes, source.byteLength));
    },
  };
}
