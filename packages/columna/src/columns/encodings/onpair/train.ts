// Byte strings -> symbols that spell them in few codes (OnPair, Gargiulo and Venturini 2025): a sample is read,
// always by the longest symbols that there are, and two that follow each other often become one at once.
import { byteLengthOf } from '../../byte-strings.ts';
import { writeKernels } from '../../kernels/write-kernels.ts';
import type { ByteStrings } from '../../vector.ts';
import { Matcher } from './matcher.ts';
import { MOST_SYMBOLS, MOST_SYMBOL_BYTES, SINGLE_BYTES } from './symbols.ts';
import type { Symbols } from './symbols.ts';

/**
 * Bytes of texts at equal distances that are read in a round, and the order of the rounds, each of other texts, which
 * are far from each other: until there are as many symbols as there may be.
 */
const SAMPLE_BYTES = 1 << 17;
const ROUNDS = [0, 3, 1, 4, 2, 5];
/** Of one string no more than this is in the sample. */
const STRING_BYTES = 1 << 10;
/** Bits of a code: fewer are tried as long as they make texts shorter. */
const WIDTHS = [12, 10, 8];
/** About what a symbol takes beside codes. */
const SYMBOL_BYTES = 4;
/** One of so many texts of a round shows that. */
const JUDGED_OF = 4;
/** So many pairs of symbols are counted. */
const MOST_PAIRS = 1 << 16;

/** So often two symbols follow each other before they become one, in texts of so many bytes. */
const oftenIn = (bytes: number): number => (bytes <= 1 << 16 ? 2 : bytes <= 1 << 18 ? 3 : 4);

/**
 * The symbols for strings, of one byte and more together: first each byte, then those that were found in up to six
 * rounds, sorted.
 */
export function trainSymbols(strings: ByteStrings, rounds: number): Symbols {
  const { bytes, start, ends, count } = strings;
  const kernels = writeKernels(byteLengthOf(strings));
  if (kernels !== null) {
    const [symbols, lengths] = [new Uint8Array(MOST_SYMBOLS * MOST_SYMBOL_BYTES), new Uint8Array(MOST_SYMBOLS)];
    return {
      count: kernels.trainSymbols(bytes, start, ends.subarray(0, count), rounds, symbols, lengths),
      bytes: symbols,
      lengths,
    };
  }
  const first = new Matcher();
  const read = joinPairs(strings, first, rounds);
  if (first.count < MOST_SYMBOLS || rounds < ROUNDS.length) return bestOf(first, strings).sorted();
  // Longer ones have taken the place of some: they make room for others.
  const kept = first.mostUsed(countUses(strings, first, read), oftenIn(byteLengthOf(strings)));
  joinPairs(strings, kept, rounds);
  return bestOf(kept, strings).sorted();
}

/** Texts of some rounds, or as much of them as is looked at: where each starts and ends. */
function* sample(strings: ByteStrings, rounds: number): Generator<readonly [start: number, end: number], void> {
  const { start, ends, count } = strings;
  const every = Math.max(1, Math.ceil(byteLengthOf(strings) / SAMPLE_BYTES));
  // Every how many texts one is read in a round. Long strings are few: each of them is looked at, a part of it.
  const step = Math.min(every, Math.max(1, Math.floor(count / 64)));
  for (let round = 0; round < Math.min(rounds, step); round++) {
    let bytes = 0;
    const first = step < ROUNDS.length ? round : Math.floor((step * (ROUNDS[round] as number)) / ROUNDS.length);
    for (let i = first; i < count && bytes < SAMPLE_BYTES; i += step) {
      const from = i === 0 ? start : (ends[i - 1] as number);
      const length = Math.min((ends[i] as number) - from, STRING_BYTES, SAMPLE_BYTES - bytes);
      bytes += length;
      yield [from, from + length];
    }
  }
}

/** Joins what follows each other often, until there are as many symbols as there may be. Returns the bytes read. */
function joinPairs(strings: ByteStrings, matcher: Matcher, rounds: number): number {
  const { bytes } = strings;
  const { lengths } = matcher;
  const pairs = new PairCounts();
  const often = oftenIn(byteLengthOf(strings));
  let read = 0;
  for (const [start, end] of sample(strings, rounds)) {
    let before = -1;
    for (let at = start; at < end && matcher.count < MOST_SYMBOLS; ) {
      const symbol = matcher.find(bytes, at, end);
      at += lengths[symbol] as number;
      const fits = before >= 0 && (lengths[before] as number) + (lengths[symbol] as number) <= MOST_SYMBOL_BYTES;
      if (fits && pairs.count(before, symbol) >= often) {
        matcher.join(before, symbol);
        before = -1;
      } else before = symbol;
    }
    read += end - start;
    if (matcher.count === MOST_SYMBOLS) break;
  }
  return read;
}

/** How often each symbol is one of those that spell a sample of so many bytes. */
function countUses(strings: ByteStrings, matcher: Matcher, sampleBytes: number): Uint32Array {
  const uses = new Uint32Array(MOST_SYMBOLS);
  let left = sampleBytes;
  for (const [start, end] of sample(strings, ROUNDS.length)) {
    for (let at = start; at < end; ) {
      const symbol = matcher.find(strings.bytes, at, end);
      uses[symbol] = (uses[symbol] as number) + 1;
      at += matcher.lengths[symbol] as number;
    }
    left -= end - start;
    if (left <= 0) break;
  }
  return uses;
}

/** Of the symbols, as many of the first ones as make the texts shortest: fewer have shorter codes. */
function bestOf(matcher: Matcher, strings: ByteStrings): Matcher {
  const { bytes } = strings;
  const occurs = new Uint8Array(SINGLE_BYTES);
  const parts = [...sample(strings, 1)];
  for (const [start, end] of parts) for (let at = start; at < end; at++) occurs[bytes[at] as number] = 1;
  const single = occurs.reduce((sum, one) => sum + one, 0);
  const judged = parts.filter((_, i) => i % JUDGED_OF === 0);
  const judgedBytes = judged.reduce((sum, [start, end]) => sum + end - start, 0);
  let [best, least] = [matcher, Infinity];
  for (const width of WIDTHS) {
    const count = Math.min(matcher.count, SINGLE_BYTES + Math.max(0, 2 ** width - single));
    const first = count === matcher.count ? matcher : matcher.first(count);
    let codes = 0;
    for (const [start, end] of judged)
      for (let at = start; at < end; codes++) at += first.lengths[first.find(bytes, at, end)] as number;
    const bits = codes * width * byteLengthOf(strings) + 8 * SYMBOL_BYTES * (count - SINGLE_BYTES) * judgedBytes;
    if (bits >= least) break;
    [best, least] = [first, bits];
  }
  return best;
}

/** How often symbols follow each other. */
class PairCounts {
  readonly #keys = new Int32Array(2 * MOST_PAIRS);
  readonly #counts = new Uint8Array(2 * MOST_PAIRS);
  #known = 0;

  /** One time more: how often now, up to 255; of those that are not known any more, once. */
  count(first: number, second: number): number {
    const key = MOST_SYMBOLS * first + second + 1;
    const mask = this.#keys.length - 1;
    let slot = (Math.imul(key, 0x9e3779b1) >>> 8) & mask;
    while (this.#keys[slot] !== key && this.#keys[slot] !== 0) slot = (slot + 1) & mask;
    if (this.#keys[slot] === 0 && this.#known++ >= MOST_PAIRS) return 1;
    this.#keys[slot] = key;
    const count = Math.min(255, (this.#counts[slot] as number) + 1);
    this.#counts[slot] = count;
    return count;
  }
}
