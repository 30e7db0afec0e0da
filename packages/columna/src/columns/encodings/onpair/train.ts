// Byte strings -> symbols that spell them in few codes (OnPair, Gargiulo and Venturini 2025): a sample is read once,
// always by the longest symbols that there are, and two that follow each other often become one at once.
import { writeKernels } from '../../kernels/write-kernels.ts';
import type { ByteStrings } from '../../vector.ts';
import { Matcher } from './matcher.ts';
import { MOST_SYMBOLS, MOST_SYMBOL_BYTES, SINGLE_BYTES } from './symbols.ts';
import type { Symbols } from './symbols.ts';

const SAMPLE_BYTES = 1 << 17;
/** Of one string no more than this is in the sample. */
const STRING_BYTES = 1 << 10;
/** So often two symbols follow each other before they become one: less often in a small sample. */
const OFTEN = 3;
const OFTEN_OF_FEW = 2;
const FEW_BYTES = 1 << 16;
/** Bits of a code that are tried. */
const WIDTHS = [8, 10, 12];

/** The symbols for strings, of one byte and more together: first each byte, then those that were found. */
export function trainSymbols({ bytes, start, ends, count }: ByteStrings): Symbols {
  const kernels = writeKernels((ends[count - 1] as number) - start);
  if (kernels !== null) {
    const [symbols, lengths] = [new Uint8Array(MOST_SYMBOLS * MOST_SYMBOL_BYTES), new Uint8Array(MOST_SYMBOLS)];
    return {
      count: kernels.trainSymbols(bytes, start, ends.subarray(0, count), symbols, lengths),
      bytes: symbols,
      lengths,
    };
  }
  const sample = sampleOf({ bytes, start, ends, count });
  const matcher = new Matcher();
  const pairs = new PairCounts();
  const often = sample.all <= FEW_BYTES ? OFTEN_OF_FEW : OFTEN;
  const { lengths } = matcher;
  for (const [from, end] of sample.parts) {
    let before = -1;
    for (let at = from; at < end && matcher.count < MOST_SYMBOLS; ) {
      const symbol = matcher.find(bytes, at, end);
      at += lengths[symbol] as number;
      const fits = before >= 0 && (lengths[before] as number) + (lengths[symbol] as number) <= MOST_SYMBOL_BYTES;
      if (fits && pairs.count(before, symbol) >= often) {
        matcher.join(before, symbol);
        before = -1;
      } else before = symbol;
    }
  }
  return bestOf(matcher, bytes, sample);
}

/** Texts at equal distances, or as much of them as is looked at: where each starts and ends. */
interface Sample {
  readonly parts: readonly (readonly [start: number, end: number])[];
  readonly bytes: number;
  /** Bytes of all texts. */
  readonly all: number;
}

function sampleOf({ start, ends, count }: Omit<ByteStrings, 'kind'>): Sample {
  const all = (ends[count - 1] as number) - start;
  const every = Math.max(1, Math.ceil(all / SAMPLE_BYTES));
  // Long strings are few: each of them is looked at, a part of it.
  const step = Math.min(every, Math.max(1, Math.floor(count / 64)));
  const parts: [number, number][] = [];
  let bytes = 0;
  for (let i = 0; i < count && bytes < SAMPLE_BYTES; i += step) {
    const from = i === 0 ? start : (ends[i - 1] as number);
    const length = Math.min((ends[i] as number) - from, STRING_BYTES, SAMPLE_BYTES - bytes);
    parts.push([from, from + length]);
    bytes += length;
  }
  return { parts, bytes, all };
}

/** Of the symbols, as many of the first ones as make the texts shortest: fewer have shorter codes. */
function bestOf(matcher: Matcher, bytes: Uint8Array, sample: Sample): Matcher {
  const occurs = new Uint8Array(SINGLE_BYTES);
  for (const [start, end] of sample.parts) for (let at = start; at < end; at++) occurs[bytes[at] as number] = 1;
  const single = occurs.reduce((sum, one) => sum + one, 0);
  let [best, least] = [matcher, Infinity];
  for (const width of WIDTHS) {
    const count = Math.min(matcher.count, SINGLE_BYTES + Math.max(0, 2 ** width - single));
    const first = count === matcher.count ? matcher : matcher.first(count);
    let codes = 0;
    for (const [start, end] of sample.parts)
      for (let at = start; at < end; codes++) at += first.lengths[first.find(bytes, at, end)] as number;
    let symbolBytes = 0;
    for (let symbol = SINGLE_BYTES; symbol < count; symbol++) symbolBytes += first.lengths[symbol] as number;
    const bits = codes * width * sample.all + 8 * symbolBytes * sample.bytes;
    if (bits < least) [best, least] = [first, bits];
    if (count === matcher.count) break;
  }
  return best;
}

/** How often symbols follow each other. */
class PairCounts {
  /** Twice as many as a sample may have codes. */
  readonly #keys = new Int32Array(2 * SAMPLE_BYTES);
  readonly #counts = new Uint8Array(2 * SAMPLE_BYTES);

  /** One time more: how often now, up to 255. */
  count(first: number, second: number): number {
    const key = MOST_SYMBOLS * first + second + 1;
    const mask = this.#keys.length - 1;
    let slot = (Math.imul(key, 0x9e3779b1) >>> 8) & mask;
    while (this.#keys[slot] !== key && this.#keys[slot] !== 0) slot = (slot + 1) & mask;
    this.#keys[slot] = key;
    const count = Math.min(255, (this.#counts[slot] as number) + 1);
    this.#counts[slot] = count;
    return count;
  }
}
