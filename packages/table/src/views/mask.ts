// A mask (one byte a row) -> how many rows it keeps, and which ones. Counts per block make both cheap: a position is
// found by a search among blocks and a scan within one.
import { ArgumentError, attached, describeValue, ofFixedLength, ofThisRealm } from '@colkit/io';
import type { IndexArray } from '@colkit/io';
import { allocateIndices } from './indices.ts';

/** Bytes of a mask that one stored count stands for: at most so many are scanned to find one row. A multiple of 4. */
const BLOCK_BYTES = 16_384;
/** Words that a lane of 8 bits can count before it overflows. */
const WORDS_PER_LANE = 255;

/** A mask with its counts, taken when first asked for and then remembered. */
export class Mask {
  readonly #bytes: Uint8Array;
  #before: Float64Array | null = null;

  /**
   * @param given referenced where it is a Uint8Array (copied, over a resizable one), converted where it is boolean[].
   * An entry above 1 is refused when the entries are counted: who passes one means row numbers.
   * @throws ArgumentError ERR_ARGUMENT unless it has `rowCount` entries of one of the two kinds; ClosedError
   * ERR_DETACHED.
   */
  constructor(given: Uint8Array | readonly boolean[], rowCount: number) {
    const mask = ofThisRealm(attached(given, 'filter', 'the mask'));
    if (!(mask instanceof Uint8Array) && !Array.isArray(mask))
      throw new ArgumentError('ERR_ARGUMENT', 'mask', 'Uint8Array or boolean[]', describeValue(mask));
    if (mask.length !== rowCount)
      throw new ArgumentError(
        'ERR_ARGUMENT',
        'mask',
        `one entry for each of ${String(rowCount)} rows`,
        `${String(mask.length)} ${mask.length === 1 ? 'entry' : 'entries'}`,
      );
    this.#bytes = mask instanceof Uint8Array ? ofFixedLength<Uint8Array>(mask) : bytesOfBooleans(mask);
  }

  /** One a row, 0 or 1. @throws ClosedError ERR_DETACHED where the caller's memory went to another thread. */
  get bytes(): Uint8Array {
    return attached(this.#bytes, 'filter', 'the mask');
  }

  /**
   * How many rows it keeps. The first call reads the mask once.
   * @throws ArgumentError ERR_ARGUMENT for an entry other than 0 and 1.
   */
  get count(): number {
    const before = this.#counts();
    return before[before.length - 1] ?? 0;
  }

  /** The row of the mask that is kept as number `position`, which lies in [0, count). */
  rowAt(position: number): number {
    return this.rows(position, position + 1)[0] ?? 0;
  }

  /** The rows of the mask that are kept as numbers [start, end), within [0, count]. */
  rows(start: number, end: number): Int32Array | Float64Array {
    const out = allocateIndices(end - start, this.bytes.length);
    if (end <= start) return out;
    const before = this.#counts();
    const block = blockOf(before, start);
    let skip = start - (before[block] ?? 0);
    const { bytes } = this;
    for (let row = block * BLOCK_BYTES, used = 0; used < out.length && row < bytes.length; row += 1) {
      if (bytes[row] === 0) continue;
      if (skip > 0) skip -= 1;
      else {
        out[used] = row;
        used += 1;
      }
    }
    return out;
  }

  /** Kept rows by number, in any order; `positions` lie in [0, count). */
  select(positions: IndexArray): Int32Array | Float64Array {
    // Beyond a few positions a scan of the whole mask costs less than a search for each.
    if (positions.length * BLOCK_BYTES > this.bytes.length * 4) {
      const all = this.rows(0, this.count);
      const out = allocateIndices(positions.length, this.bytes.length);
      for (let index = 0; index < positions.length; index += 1) out[index] = all[Number(positions[index])] ?? 0;
      return out;
    }
    const out = allocateIndices(positions.length, this.bytes.length);
    for (let index = 0; index < positions.length; index += 1) out[index] = this.rowAt(Number(positions[index]));
    return out;
  }

  /** Kept rows before each block, and of all at the end. */
  #counts(): Float64Array {
    if (this.#before !== null) return this.#before;
    const { bytes } = this;
    const blocks = Math.ceil(bytes.length / BLOCK_BYTES);
    const before = new Float64Array(blocks + 1);
    for (let block = 0; block < blocks; block += 1) {
      before[block + 1] =
        (before[block] ?? 0) + countOnes(bytes, block * BLOCK_BYTES, Math.min(bytes.length, (block + 1) * BLOCK_BYTES));
    }
    this.#before = before;
    return before;
  }
}

function blockOf(before: Float64Array, position: number): number {
  let low = 0;
  let high = before.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((before[middle] ?? 0) <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Ones in [start, end), sixteen at a time. @throws ArgumentError for anything but 0 and 1. */
function countOnes(bytes: Uint8Array, start: number, end: number): number {
  const byteOffset = bytes.byteOffset + start;
  if (byteOffset % 4 !== 0) return countBytes(bytes, start, end);
  const words = new Int32Array(bytes.buffer, byteOffset, (end - start) >>> 2);
  const whole = words.length - (words.length % 4);
  let count = 0;
  let seen = 0;
  for (let word = 0; word < whole; ) {
    const stop = Math.min(whole, word + 4 * WORDS_PER_LANE);
    // Four sums of four lanes each: additions that do not wait for one another.
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    for (; word < stop; word += 4) {
      const p = words[word] as number;
      const q = words[word + 1] as number;
      const r = words[word + 2] as number;
      const s = words[word + 3] as number;
      a = (a + p) | 0;
      b = (b + q) | 0;
      c = (c + r) | 0;
      d = (d + s) | 0;
      seen |= p | q | r | s;
    }
    count += laneSum(a) + laneSum(b) + laneSum(c) + laneSum(d);
  }
  if ((seen & ~0x01010101) !== 0) return countBytes(bytes, start, end);
  return count + countBytes(bytes, start + 4 * whole, end);
}

function laneSum(lanes: number): number {
  return (lanes & 0xff) + ((lanes >>> 8) & 0xff) + ((lanes >>> 16) & 0xff) + (lanes >>> 24);
}

function countBytes(bytes: Uint8Array, start: number, end: number): number {
  let count = 0;
  for (let index = start; index < end; index += 1) {
    const entry = bytes[index] as number;
    if (entry > 1)
      throw new ArgumentError(
        'ERR_ARGUMENT',
        'mask',
        '0 or 1 for each row (take(…) is for row numbers)',
        `${String(entry)} at position ${String(index)}`,
      );
    count += entry;
  }
  return count;
}

function bytesOfBooleans(mask: readonly boolean[]): Uint8Array {
  const bytes = new Uint8Array(mask.length);
  for (let row = 0; row < mask.length; row += 1) {
    const keep: unknown = mask[row];
    if (typeof keep !== 'boolean')
      throw new ArgumentError('ERR_ARGUMENT', 'mask', 'booleans', `${describeValue(keep)} at position ${String(row)}`);
    bytes[row] = keep ? 1 : 0;
  }
  return bytes;
}
