// An LZ4 frame -> its bytes, for compressed Arrow batches: pyarrow's, Polars' (blocks with checksums) and others'. By
// the frame's and the block's description (https://github.com/lz4/lz4/tree/dev/doc). Checksums are passed over.

const MAGIC = 0x184d2204;
const LEAST_MATCH = 4;
/** A length of four bits that goes on in further bytes. */
const LONG = 15;
/** Bytes that a loop copies faster than a call. */
const SHORT = 32;
/** Of blocks whose largest size a frame can say: 64 KiB, four times as many, … */
const LEAST_BLOCK = 1 << 16;
/** No byte of a block stands for more than so many. */
const MOST_GROWTH = 255;

const FLAG = { version: 0xc0, blockChecksum: 0x10, contentSize: 0x08, dictionary: 0x01 } as const;
const VERSION = 0x40;
const STORED = 0x8000_0000;

/** @throws Error for what is no whole frame, or needs a dictionary. */
export function decodeLz4Frame(frame: Uint8Array): Uint8Array {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  const flags = frame[4] ?? 0;
  const most = 2 ** (8 + 2 * (((frame[5] ?? 0) >> 4) & 7));
  if (frame.length < 7 || view.getUint32(0, true) !== MAGIC || (flags & FLAG.version) !== VERSION || most < LEAST_BLOCK)
    throw new Error('no LZ4 frame where one should be');
  if ((flags & FLAG.dictionary) !== 0) throw new Error('an LZ4 frame that needs a dictionary');
  const checksumBytes = (flags & FLAG.blockChecksum) === 0 ? 0 : 4;
  let output = new Uint8Array(frame.length * 4);
  let length = 0;
  let at = (flags & FLAG.contentSize) === 0 ? 7 : 15;
  for (;;) {
    if (at + 4 > frame.length) throw cutOff();
    const word = view.getUint32(at, true);
    if (word === 0) return output.subarray(0, length);
    const start = at + 4;
    const end = start + (word & ~STORED);
    if (end > frame.length) throw cutOff();
    const block = frame.subarray(start, end);
    const isStored = word >= STORED;
    const wanted = length + (isStored ? block.length : Math.min(most, block.length * MOST_GROWTH));
    if (wanted > output.length) {
      const grown = new Uint8Array(Math.max(wanted, output.length * 2));
      grown.set(output.subarray(0, length));
      output = grown;
    }
    if (isStored) {
      output.set(block, length);
      length += block.length;
    } else length = decodeBlock(block, output, length, wanted);
    at = end + checksumBytes;
  }
}

/** Appends to what is there before `to`, which a block may refer to. @returns where it ends, at most at `limit`. */
function decodeBlock(block: Uint8Array, output: Uint8Array, to: number, limit: number): number {
  let at = 0;
  while (at < block.length) {
    const token = block[at++] as number;
    let count = token >> 4;
    if (count === LONG) for (let more = 255; more === 255; at += 1) count += more = block[at] ?? 0;
    if (at + count > block.length) throw cutOff();
    if (to + count > limit) throw tooLong();
    if (count > SHORT) output.set(block.subarray(at, at + count), to);
    else for (let k = 0; k < count; k += 1) output[to + k] = block[at + k] as number;
    at += count;
    to += count;
    // The last sequence is literals alone.
    if (at === block.length) break;
    if (at + 2 > block.length) throw cutOff();
    const from = to - ((block[at] as number) | ((block[at + 1] as number) << 8));
    at += 2;
    count = token & LONG;
    if (count === LONG) for (let more = 255; more === 255; at += 1) count += more = block[at] ?? 0;
    count += LEAST_MATCH;
    if (from < 0 || from === to) throw new Error('an LZ4 block that refers to bytes before its frame');
    if (to + count > limit) throw tooLong();
    if (count > SHORT && from + count <= to) output.copyWithin(to, from, from + count);
    else for (let k = 0; k < count; k += 1) output[to + k] = output[from + k] as number;
    to += count;
  }
  return to;
}

function cutOff(): Error {
  return new Error('an LZ4 frame that is cut off');
}

function tooLong(): Error {
  return new Error('an LZ4 block longer than its frame says');
}
