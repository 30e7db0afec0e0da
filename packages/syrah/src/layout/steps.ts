// Reading is described step by step: a generator asks for ranges of the file and goes on when their buffers are filled. One description so serves the async and the Sync
// form, and a test can feed it without any file.
import { copyRanges, copyRangesSync } from '@colkit/io';
import type { CopyRangesRequest, RandomAccessSource } from '@colkit/io';

/** Fill `out` with the file's bytes from `byteOffset` on; the range is within the file. */
export interface ReadRange {
  readonly byteOffset: number;
  readonly out: Uint8Array;
}

/** Each step asks for some ranges at once, at least one: all of them parts of one buffer, or, where they are many, as one request. */
export type Step = readonly ReadRange[] | CopyRangesRequest;
export type Steps<T> = Generator<Step, T, undefined>;

/** Performs the steps with reads of `source`. */
export async function runSteps<T>(steps: Steps<T>, source: RandomAccessSource, signal?: AbortSignal): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    const single = singleRange(step.value);
    if (single !== null) await source.read(single.byteOffset, single.out, signal);
    else await copyRanges(source, signal === undefined ? requestOf(step.value) : { ...requestOf(step.value), signal }, BY_ADDON);
  }
}

/** The same on the calling thread. @throws what the source throws where it has no Sync form. */
export function runStepsSync<T>(steps: Steps<T>, source: RandomAccessSource): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    performSync(step.value, source);
  }
}

/** One step, on the calling thread. */
export function performSync(step: Step, source: RandomAccessSource): void {
  const single = singleRange(step);
  if (single !== null) source.readSync(single.byteOffset, single.out);
  else copyRangesSync(source, requestOf(step), BY_ADDON);
}

/** What is mapped was mapped by the addon: nobody needs to ask the process's settings, and its environment, again for each read. */
const BY_ADDON = { backend: 'native' } as const;

function isRanges(step: Step): step is readonly ReadRange[] {
  return Array.isArray(step);
}

function singleRange(step: Step): ReadRange | null {
  return isRanges(step) && step.length === 1 ? (step[0] ?? null) : null;
}

/** Many ranges as one call: one kernel over a mapping. */
function requestOf(step: Step): CopyRangesRequest {
  if (!isRanges(step)) return step;
  return {
    offsets: Float64Array.from(step, ({ byteOffset }) => byteOffset),
    lengths: Float64Array.from(step, ({ out }) => out.byteLength),
    out: new Uint8Array(step[0]?.out.buffer ?? new ArrayBuffer(0)),
    outOffsets: Float64Array.from(step, ({ out }) => out.byteOffset),
  };
}
