// Reading is described step by step: a generator asks for ranges of the file and goes on when their buffers are filled. One description so serves the async and the Sync
// form, and a test can feed it without any file.
import { copyRanges, copyRangesSync } from '@colkit/io';
import type { RandomAccessSource } from '@colkit/io';

/** Fill `out` with the file's bytes from `byteOffset` on; the range is within the file. */
export interface ReadRange {
  readonly byteOffset: number;
  readonly out: Uint8Array;
}

/** Each step asks for some ranges at once, at least one, all of them parts of one buffer. */
export type Steps<T> = Generator<readonly ReadRange[], T, undefined>;

/** Performs the steps with reads of `source`. */
export async function runSteps<T>(steps: Steps<T>, source: RandomAccessSource, signal?: AbortSignal): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    const [first] = step.value;
    if (first !== undefined && step.value.length === 1) await source.read(first.byteOffset, first.out, signal);
    else await copyRanges(source, { ...requestOf(step.value), ...(signal === undefined ? {} : { signal }) });
  }
}

/** The same on the calling thread. @throws what the source throws where it has no Sync form. */
export function runStepsSync<T>(steps: Steps<T>, source: RandomAccessSource): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    const [first] = step.value;
    if (first !== undefined && step.value.length === 1) source.readSync(first.byteOffset, first.out);
    else copyRangesSync(source, requestOf(step.value));
  }
}

/** Many ranges as one call: one kernel over a mapping. */
function requestOf(ranges: readonly ReadRange[]): { offsets: Float64Array; lengths: Float64Array; out: Uint8Array; outOffsets: Float64Array } {
  return {
    offsets: Float64Array.from(ranges, ({ byteOffset }) => byteOffset),
    lengths: Float64Array.from(ranges, ({ out }) => out.byteLength),
    out: new Uint8Array(ranges[0]?.out.buffer ?? new ArrayBuffer(0)),
    outOffsets: Float64Array.from(ranges, ({ out }) => out.byteOffset),
  };
}
