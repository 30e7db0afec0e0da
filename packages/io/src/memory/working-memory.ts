// Memory that an operation works in, kept for the next one of this thread: fresh memory costs page faults, and V8
// counts it and collects garbage sooner. Like the settings, it belongs to the process and not to a file: short
// operations on many files share it.

const MOST_KEPT = 32;
const MOST_BYTES_KEPT = 6 << 24;
const LARGEST_KEPT = 1 << 25;
const SMALLEST = 1 << 16;
/** A buffer so many times as large as what is asked for is left for somebody who needs it. */
const TOO_LARGE = 16;

const kept: ArrayBuffer[] = [];

/**
 * At least so many bytes, with whatever was there before, until they are given back; what is not given back is
 * collected.
 */
export function takeWorkingMemory(byteLength: number): ArrayBuffer {
  const most = TOO_LARGE * Math.max(SMALLEST, byteLength);
  let best = -1;
  for (let i = 0; i < kept.length; i++) {
    const size = (kept[i] as ArrayBuffer).byteLength;
    if (size >= byteLength && size < most && (best === -1 || size < (kept[best] as ArrayBuffer).byteLength)) best = i;
  }
  return best === -1
    ? new ArrayBuffer(Math.max(SMALLEST, 2 ** Math.ceil(Math.log2(byteLength))))
    : (kept.splice(best, 1)[0] as ArrayBuffer);
}

/** Nobody uses it any more, and nothing is on its way into it. Large ones are not kept; of many, the largest are. */
export function giveWorkingMemory(buffer: ArrayBuffer): void {
  if (buffer.byteLength > LARGEST_KEPT) return;
  kept.push(buffer);
  if (kept.length > MOST_KEPT || kept.reduce((sum, { byteLength }) => sum + byteLength, 0) > MOST_BYTES_KEPT)
    kept.splice(
      kept.reduce((least, each, i) => (each.byteLength < (kept[least] as ArrayBuffer).byteLength ? i : least), 0),
      1,
    );
}
