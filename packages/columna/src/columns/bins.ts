// Values -> bins for ENTROPY: every bin is a range [low, low + 2^width) with a probability. A histogram is cut at
// quantiles, and neighbours are joined by dynamic programming where that takes fewer bits. The cost of a bin is what a
// decoder reads: the code of its number for every value in it, the offset bits, and its line in the table.
import { logsUpTo } from './kernels/logs.ts';
import { PROBABILITY_ONE } from './kernels/rans.ts';
import { writeKernels } from './kernels/write-kernels.ts';
import type { Narrow } from './vector.ts';

export interface Bins {
  readonly lows: Uint32Array;
  readonly widths: Uint32Array;
  readonly counts: Uint32Array;
  /** Estimated bits of everything. */
  readonly bits: number;
}

/** Buckets of the histogram: single values up to about the number of values, ranges of a power of two beyond. */
const LARGEST_LOG2 = 16;
const SMALLEST_LOG2 = 8;
/** About what frequency, low and width of a bin take in the table. */
const BIN_BITS = 14;
/** Bits that a value's offset must earn to be read at all: where bins of one value take as much, they decode faster. */
const OFFSET_BITS = 0.004;

export interface Histogram {
  /** Bucket b holds values [b << shift, (b + 1) << shift). */
  readonly shift: number;
  readonly counts: Uint32Array;
  readonly total: number;
}

/** `mostLog2`: of the number of buckets, where the values have a wider range than the finest histogram. */
export function histogramOf({ values, count, below }: Narrow, mostLog2 = LARGEST_LOG2): Histogram {
  const log2 = Math.min(
    below > 2 ** LARGEST_LOG2 ? mostLog2 : LARGEST_LOG2,
    Math.max(SMALLEST_LOG2, Math.ceil(Math.log2(count)) + 1),
  );
  const shift = Math.max(0, Math.ceil(Math.log2(below)) - log2);
  const counts = new Uint32Array(Math.ceil(below / 2 ** shift));
  const kernels = writeKernels(count);
  if (kernels !== null) {
    kernels.countBuckets(values, shift, counts);
    return { shift, counts, total: count };
  }
  for (let i = 0; i < count; i++) {
    const bucket = (values[i] as number) >>> shift;
    counts[bucket] = (counts[bucket] as number) + 1;
  }
  return { shift, counts, total: count };
}

/** Bits that no bins can do without: which bucket a value is in, and where in it. */
export function entropyBits({ shift, counts, total }: Histogram): number {
  const logs = logsUpTo(total);
  const kernels = writeKernels(counts.length);
  if (kernels !== null) return kernels.entropyBits(counts, shift, logs);
  const logOfTotal = logs[total] as number;
  let bits = total * shift;
  for (let bucket = 0; bucket < counts.length; bucket++) {
    const inBucket = counts[bucket] as number;
    if (inBucket > 0) bits += inBucket * (logOfTotal - (logs[inBucket] as number));
  }
  return bits;
}

/** The cheapest bins among joins of at most about `most` quantiles. */
export function binsOf(histogram: Histogram, most: number): Bins {
  const { counts, shift, total } = histogram;
  const kernels = writeKernels(total);
  if (kernels === null) return join(quantiles(histogram, most), total);
  const room = 2 * most + 2;
  const [lows, widths, weights] = [new Uint32Array(room), new Uint32Array(room), new Uint32Array(room)];
  const facts = new Float64Array(1);
  const count = kernels.joinBuckets(counts, shift, most, logsUpTo(total), lows, widths, weights, facts);
  return {
    lows: lows.subarray(0, count),
    widths: widths.subarray(0, count),
    counts: weights.subarray(0, count),
    bits: facts[0] as number,
  };
}

interface Quantiles {
  /** First and last value of each, inclusive; nothing lies between two of them. */
  readonly first: Float64Array;
  readonly last: Float64Array;
  readonly counts: Float64Array;
  readonly length: number;
}

/** Runs of buckets of about equal weight; a heavy bucket stands alone. */
function quantiles({ shift, counts, total }: Histogram, most: number): Quantiles {
  const unit = 2 ** shift;
  const weight = total / most;
  const [first, last, sums] = [
    new Float64Array(2 * most + 2),
    new Float64Array(2 * most + 2),
    new Float64Array(2 * most + 2),
  ];
  let length = 0;
  let open = false;
  for (let bucket = 0; bucket < counts.length; bucket++) {
    const inBucket = counts[bucket] as number;
    if (inBucket === 0) continue;
    const heavy = inBucket >= weight;
    if (!open || heavy) {
      if (open) length++;
      first[length] = bucket * unit;
      sums[length] = 0;
      open = true;
    }
    last[length] = bucket * unit + unit - 1;
    sums[length] = (sums[length] as number) + inBucket;
    if (heavy || (sums[length] as number) >= weight) {
      length++;
      open = false;
    }
  }
  return { first, last, counts: sums, length: open ? length + 1 : length };
}

/** best[j]: fewest bits for the quantiles before j; the last bin of that solution starts at from[j]. */
function join({ first, last, counts, length }: Quantiles, total: number): Bins {
  const sums = new Float64Array(length + 1);
  for (let i = 0; i < length; i++) sums[i + 1] = (sums[i] as number) + (counts[i] as number);
  const logs = logsUpTo(total);
  const logOfTotal = logs[total] as number;
  const best = new Float64Array(length + 1).fill(Infinity);
  const from = new Int32Array(length + 1);
  best[0] = 0;
  for (let j = 1; j <= length; j++) {
    const end = last[j - 1] as number;
    const upTo = sums[j] as number;
    let bestHere = Infinity;
    let fromHere = 0;
    for (let i = j - 1; i >= 0; i--) {
      const inBin = upTo - (sums[i] as number);
      const width = offsetWidth(end - (first[i] as number));
      // Offsets alone beyond what a good start costs: longer bins only get worse.
      if (inBin * width > bestHere && width > 16) break;
      const bits =
        (best[i] as number) +
        inBin * (width - ((logs[inBin] as number) - logOfTotal) + (width > 0 ? OFFSET_BITS : 0)) +
        BIN_BITS;
      if (bits < bestHere) {
        bestHere = bits;
        fromHere = i;
      }
    }
    best[j] = bestHere;
    from[j] = fromHere;
  }
  const cuts: number[] = [];
  for (let j = length; j > 0; j = from[j] as number) cuts.push(j);
  cuts.reverse();
  const [lows, widths, weights] = [
    new Uint32Array(cuts.length),
    new Uint32Array(cuts.length),
    new Uint32Array(cuts.length),
  ];
  for (const [bin, end] of cuts.entries()) {
    const start = bin === 0 ? 0 : (cuts[bin - 1] as number);
    lows[bin] = first[start] as number;
    widths[bin] = offsetWidth((last[end - 1] as number) - (first[start] as number));
    weights[bin] = (sums[end] as number) - (sums[start] as number);
  }
  return { lows, widths, counts: weights, bits: best[length] as number };
}

/** Bits for offsets 0 to `largest`. */
function offsetWidth(largest: number): number {
  return 32 - Math.clz32(largest);
}

/** Frequencies that add up to 4096, each at least 1, close to the counts. There are at most 4096 bins. */
export function frequenciesOf(counts: Uint32Array, total: number): Uint32Array {
  const frequencies = new Uint32Array(counts.length);
  let sum = 0;
  for (let bin = 0; bin < counts.length; bin++) {
    const frequency = Math.max(1, Math.round(((counts[bin] as number) * PROBABILITY_ONE) / total));
    frequencies[bin] = frequency;
    sum += frequency;
  }
  // What rounding gave too much or too little goes to the bins where it costs least.
  while (sum !== PROBABILITY_ONE) {
    const step = sum > PROBABILITY_ONE ? -1 : 1;
    let chosen = -1;
    let cheapest = Infinity;
    for (let bin = 0; bin < counts.length; bin++) {
      const frequency = frequencies[bin] as number;
      if (frequency + step < 1) continue;
      const cost = (counts[bin] as number) * Math.log2(frequency / (frequency + step));
      if (cost < cheapest) [cheapest, chosen] = [cost, bin];
    }
    frequencies[chosen] = (frequencies[chosen] as number) + step;
    sum += step;
  }
  return frequencies;
}
