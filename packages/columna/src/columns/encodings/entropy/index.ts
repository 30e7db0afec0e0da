// ENTROPY: values in bins of unequal probability; the bin by rANS, the offset inside by plain bits. For skewed data,
// where whole widths waste most; decodes at a few nanoseconds a value.
import type { EncodingReader, EncodingWriter } from '../../encoding.ts';
import { Encoding } from '../../../layout/constants.ts';
import { DECODING_RATES } from '../decoding-rates.ts';
import { binsOf, entropyBits, frequenciesOf, histogramOf } from '../../bins.ts';
import type { Bins, Histogram } from '../../bins.ts';
import { costOf } from '../../chooser.ts';
import type { Chooser } from '../../chooser.ts';
import {
  LANES,
  LOWEST_STATE,
  PROBABILITY_ONE,
  decodeSlotsUnchecked,
  encodeSymbols,
  slotTable,
} from '../../kernels/rans.ts';
import type { Coded } from '../../kernels/rans.ts';
import { writeKernels } from '../../kernels/write-kernels.ts';
import { NodeReader, childBytes } from '../../node.ts';
import type { Decoder, Node, SizedNode } from '../../node.ts';
import { narrowSource } from '../../source.ts';
import type { Narrow, Vector } from '../../vector.ts';

const HEADER_BYTES = 24 + 4 * LANES;
const MOST_BINS = PROBABILITY_ONE;
/**
 * Rows at random are found by decoding all of them, where other encodings find them among packed bits: of two reads one
 * is taken to be of that kind.
 */
const TIME = 2 * DECODING_RATES.entropy;
/** Quantiles that dynamic programming starts from: more gain under a tenth of a per cent. */
const QUANTILES = 512;

/**
 * Bytes that a quick look promises, at best: coarser buckets, many fewer quantiles, no table. No closer look where the
 * entropy of the buckets alone takes more than `enough`.
 */
function estimate(source: Narrow, enough: number): number {
  const histogram = histogramOf(source, QUICK_LOG2);
  const least = LEAST_BYTES + entropyBits(histogram) / 8;
  return least > enough ? least : binsOf(histogram, 64).bits / 8;
}

/** Header, and three children with nothing in them. */
const LEAST_BYTES = HEADER_BYTES + 3 * 16;

const QUICK_LOG2 = 12;

export function size(source: Narrow, chooser: Chooser): SizedNode {
  const histogram = histogramOf(source);
  const bins = binsOf(histogram, QUANTILES);
  const frequencies = frequenciesOf(bins.counts, source.count);
  const children = [
    chooser.integers(narrowSource(frequencies), 'lengths'),
    chooser.integers(narrowSource(bins.lows), 'values'),
    chooser.integers(narrowSource(bins.widths), 'codes'),
  ];
  const { states, stream } = codeBins(source, histogram, bins, frequencies);
  let offsetBits = 0;
  for (let bin = 0; bin < bins.counts.length; bin++)
    offsetBits += (bins.counts[bin] as number) * (bins.widths[bin] as number);
  const streamBytes = 4 * Math.ceil(stream.length / 2);
  const offsetBytes = 4 * Math.ceil(offsetBits / 32);
  return {
    encoding: Encoding.ENTROPY,
    parameter: 0,
    byteLength: HEADER_BYTES + children.reduce((sum, child) => sum + childBytes(child), 0) + streamBytes + offsetBytes,
    label: 'ENTROPY',
    time: source.count * TIME,
    encode: (out) => {
      out.uint16(bins.lows.length);
      out.uint16(0);
      out.uint32(stream.length);
      out.uint64(source.base);
      out.uint64(source.step);
      for (const state of states) out.uint32(state);
      for (const child of children) out.child(child);
      new Uint16Array(out.bytes.buffer, out.skip(streamBytes), stream.length).set(stream);
      packOffsets(source, histogram, bins, out.words.subarray(out.skip(offsetBytes) / 4));
    },
  };
}

/** The numbers of the values' bins. */
function codeBins(source: Narrow, histogram: Histogram, bins: Bins, frequencies: Uint32Array): Coded {
  const { values, count } = source;
  const kernels = writeKernels(count);
  if (kernels === null) return encodeSymbols(symbolsOf(source, histogram, bins), frequencies);
  const [stream, states] = [new Uint16Array(count), new Uint32Array(LANES)];
  const written = kernels.codeBins(values, histogram.shift, bins.lows, frequencies, stream, states);
  return { states, stream: stream.subarray(0, written) };
}

/** The bin of every value: by its bucket in the histogram, since bins are whole buckets. */
function symbolsOf({ values, count }: Narrow, { shift, counts }: Histogram, { lows }: Bins): Uint16Array {
  const binOf = new Uint16Array(counts.length);
  for (let bin = 0; bin < lows.length; bin++) binOf.fill(bin, (lows[bin] as number) >>> shift);
  const symbols = new Uint16Array(count);
  for (let i = 0; i < count; i++) symbols[i] = binOf[(values[i] as number) >>> shift] as number;
  return symbols;
}

/** What is above the low of each value's bin, to zeroed words. */
function packOffsets(source: Narrow, histogram: Histogram, bins: Bins, words: Uint32Array): void {
  const { values, count } = source;
  const { lows, widths } = bins;
  const kernels = writeKernels(count);
  if (kernels !== null) {
    kernels.packBinOffsets(values, histogram.shift, lows, widths, words);
    return;
  }
  const symbols = symbolsOf(source, histogram, bins);
  let filled = 0;
  let pending = 0;
  let word = 0;
  for (let i = 0; i < count; i++) {
    const bin = symbols[i] as number;
    const width = widths[bin] as number;
    if (width === 0) continue;
    const offset = (values[i] as number) - (lows[bin] as number);
    pending |= offset << filled;
    filled += width;
    if (filled >= 32) {
      words[word++] = pending;
      filled -= 32;
      pending = filled === 0 ? 0 : offset >>> (width - filled);
    }
  }
  if (filled > 0) words[word] = pending;
}

function decodeRange(node: Node, start: number, end: number, decoder: Decoder): Vector {
  const reader = new NodeReader(decoder, node);
  const binCount = reader.uint16('a number of bins');
  if (binCount < 1 || binCount > MOST_BINS) throw reader.refuse(`1 to ${MOST_BINS} bins`, binCount);
  reader.take(2, 'ignored bytes');
  const streamLength = reader.uint32('a number of stream words');
  const base = BigInt.asIntN(64, reader.uint64('a base'));
  const step = BigInt.asIntN(64, reader.uint64('a step'));
  const states = Uint32Array.from({ length: LANES }, () => reader.uint32('a state'));
  if (states.some((state) => state < LOWEST_STATE))
    throw reader.refuse(`states of at least ${LOWEST_STATE}`, states.join());
  const frequencies = decoder.numbers(reader.child(binCount), 0, binCount, PROBABILITY_ONE + 1, 'a frequency');
  const lows = decoder.numbers(reader.child(binCount), 0, binCount, 2 ** 32, 'a low');
  const widths = decoder.numbers(reader.child(binCount), 0, binCount, 33, 'an offset width');
  if (frequencies.includes(0)) throw reader.refuse('frequencies of at least 1', 0);
  const sum = frequencies.reduce((total, frequency) => total + frequency, 0);
  if (sum !== PROBABILITY_ONE) throw reader.refuse(`frequencies of ${PROBABILITY_ONE} together`, sum);
  const streamAt = reader.take(2 * streamLength, 'the stream');
  reader.pad(4);
  const stream = new Uint16Array(decoder.bytes.buffer, decoder.bytes.byteOffset + streamAt, streamLength);
  // The whole stream, whatever is asked for: only its end tells that it was right.
  const { symbols, steps } = slotTable(frequencies);
  const values = decoder.scratch.uint32(node.count);
  const plain = !widths.some((width) => width !== 0);
  const table = plain ? lookUp(lows, symbols) : new Uint32Array(symbols);
  if (!decodeSlotsUnchecked(states, stream, steps, table, node.count, values))
    throw reader.refuse('a stream that ends where the values do', 'another end');
  if (!plain) {
    const bits = addOffsets(values, node.count, lows, widths, decoder.words, reader.position / 4);
    reader.take(4 * Math.ceil(bits / 32), 'offsets');
  }
  reader.end();
  return {
    kind: 'narrow',
    count: end - start,
    base,
    step,
    values: values.subarray(start, end),
    below: largestOf(lows, widths) + 1,
  };
}

function lookUp(lows: Uint32Array, symbols: Uint16Array): Uint32Array {
  const table = new Uint32Array(symbols.length);
  for (let slot = 0; slot < table.length; slot++) table[slot] = lows[symbols[slot] as number] as number;
  return table;
}

/**
 * Bins -> values: low plus the next bits, from word `at` on. Returns how many bits that took; the caller checks that
 * they were there (beyond the end of `words` zeros are read). No branch on the width: which bin comes next is what
 * cannot be predicted.
 */
function addOffsets(
  values: Uint32Array,
  count: number,
  lows: Uint32Array,
  widths: Uint32Array,
  words: Uint32Array,
  at: number,
): number {
  const masks = widths.map((width) => (width === 32 ? 0xffffffff : 2 ** width - 1));
  const last = words.length - 1;
  let i = 0;
  let bit = 0;
  for (let word = at; i < count && word < last; i++) {
    const bin = values[i] as number;
    const shift = bit & 31;
    const offset =
      (((words[word] as number) >>> shift) | (((words[word + 1] as number) << 1) << (31 - shift))) &
      (masks[bin] as number);
    values[i] = ((lows[bin] as number) + offset) | 0;
    bit = (bit + (widths[bin] as number)) | 0;
    word = at + (bit >>> 5);
  }
  for (; i < count; i++) {
    const bin = values[i] as number;
    const offset = ((words[at + (bit >>> 5)] ?? 0) >>> (bit & 31)) & (masks[bin] as number);
    values[i] = ((lows[bin] as number) + offset) | 0;
    bit += widths[bin] as number;
  }
  return bit;
}

function largestOf(lows: Uint32Array, widths: Uint32Array): number {
  let largest = 0;
  for (let bin = 0; bin < lows.length; bin++)
    largest = Math.max(largest, (lows[bin] as number) + 2 ** (widths[bin] as number) - 1);
  return Math.min(largest, 2 ** 32 - 1);
}

export const entropy: EncodingReader = {
  name: 'ENTROPY',
  decode: decodeRange,
};

export const entropyWriter: EncodingWriter = {
  roles: ['root', 'gaps', 'lengths', 'values', 'codes', 'octets'],
  /** Sized exactly only where a quick look says that it may win. */
  offer: (source, { chooser, forced, rivals, estimate: report }) => {
    if (source.kind !== 'narrow') return null;
    const { rules } = chooser;
    const best = rivals.reduce((least, node) => Math.min(least, costOf(node, rules)), Infinity);
    // The quick look has few bins, so that the exact size may be some per cent smaller.
    const enough = (best - costOf({ byteLength: 0, time: source.count * TIME }, rules)) / 0.96;
    const bytes = Math.ceil(estimate(source, enough));
    if (forced || bytes <= enough) return size(source, chooser);
    report({ encoding: 'ENTROPY', bytes, estimated: true });
    return null;
  },
};
