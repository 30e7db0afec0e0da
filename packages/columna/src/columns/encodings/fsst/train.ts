// Byte strings -> the symbols that spell them in the fewest codes, about: in a few rounds over a sample, in each of
// which symbols that follow each other often become one, and those that save least are dropped.
import { writeKernels } from '../../kernels/write-kernels.ts';
import type { ByteStrings } from '../../vector.ts';
import { FIRST_SYMBOL, Matcher } from './matcher.ts';
import type { Symbols } from './matcher.ts';
import { MOST_SYMBOLS, MOST_SYMBOL_BYTES } from './symbol-table.ts';

const SAMPLE_BYTES = 1 << 15;
/** Of one string no more than this is in the sample. */
const STRING_BYTES = 1 << 10;
const ROUNDS = 5;
/** What occurs less often in the sample is no symbol. */
const LEAST_TIMES = 4;
/** Bytes without a symbol take two: those with one are worth more than their length says. */
const WORTH_OF_BYTE = 8;
const NUMBERS = FIRST_SYMBOL + MOST_SYMBOLS;

/** What symbols are made of: bytes, and where strings end. Behind the bytes there is room to look at eight more. */
interface Sample {
  readonly view: DataView;
  readonly ends: readonly number[];
}

/** The symbols for strings, of one byte and more together. */
export function trainSymbols(strings: ByteStrings): Symbols {
  const { bytes, start, ends, count } = strings;
  const kernels = writeKernels((ends[count - 1] as number) - start);
  if (kernels !== null) {
    const [halves, lengths] = [new Uint32Array(2 * MOST_SYMBOLS), new Uint8Array(MOST_SYMBOLS)];
    const found = kernels.trainSymbols(bytes, start, ends.subarray(0, count), halves, lengths);
    return {
      count: found,
      low: Int32Array.from({ length: found }, (_, symbol) => halves[2 * symbol] as number),
      high: Int32Array.from({ length: found }, (_, symbol) => halves[2 * symbol + 1] as number),
      lengths: lengths.slice(0, found),
    };
  }
  const sample = sampleOf(strings);
  const counts = new Counts();
  let symbols: Symbols = { count: 0, low: new Int32Array(0), high: new Int32Array(0), lengths: new Uint8Array(0) };
  for (let round = 1; round <= ROUNDS; round++) {
    const isLast = round === ROUNDS;
    counts.count(sample, new Matcher(symbols), !isLast);
    symbols = counts.best(symbols, !isLast);
  }
  return symbols;
}

/** Strings at equal distances. */
function sampleOf({ bytes, start, ends, count }: ByteStrings): Sample {
  const every = Math.max(1, Math.ceil(((ends[count - 1] as number) - start) / SAMPLE_BYTES));
  const copy = new Uint8Array(SAMPLE_BYTES + MOST_SYMBOL_BYTES);
  const sampleEnds: number[] = [];
  let used = 0;
  // Long strings are few: each of them is looked at, a part of it.
  const step = Math.min(every, Math.max(1, Math.floor(count / 64)));
  for (let i = 0; i < count && used < SAMPLE_BYTES; i += step) {
    const from = i === 0 ? start : (ends[i - 1] as number);
    const length = Math.min((ends[i] as number) - from, STRING_BYTES, SAMPLE_BYTES - used);
    copy.set(bytes.subarray(from, from + length), used);
    used += length;
    sampleEnds.push(used);
  }
  return { view: new DataView(copy.buffer), ends: sampleEnds };
}

/** How often numbers (bytes and symbols) occur, alone and behind each other. */
class Counts {
  readonly #single = new Uint32Array(NUMBERS);
  readonly #pairs = new Uint16Array(NUMBERS * NUMBERS);

  count({ view, ends }: Sample, matcher: Matcher, withPairs: boolean): void {
    const [single, pairs] = [this.#single.fill(0), this.#pairs];
    if (withPairs) pairs.fill(0);
    const { lengths } = matcher.symbols;
    let at = 0;
    for (const end of ends) {
      let before = -1;
      while (at < end) {
        const found = matcher.find(view, at, end - at);
        const length = found < FIRST_SYMBOL ? 1 : (lengths[found - FIRST_SYMBOL] as number);
        single[found] = (single[found] as number) + 1;
        // What begins a longer symbol may become one of its own.
        const byte = view.getUint8(at);
        if (length > 1) single[byte] = (single[byte] as number) + 1;
        if (withPairs && before >= 0) {
          const pair = before * NUMBERS + found;
          pairs[pair] = (pairs[pair] as number) + 1;
          if (length > 1) {
            const begun = before * NUMBERS + byte;
            pairs[begun] = (pairs[begun] as number) + 1;
          }
        }
        before = found;
        at += length;
      }
    }
  }

  /** The symbols that save most. */
  best(old: Symbols, withPairs: boolean): Symbols {
    const candidates = new Candidates();
    const low = (number: number): number =>
      number < FIRST_SYMBOL ? number : (old.low[number - FIRST_SYMBOL] as number);
    const high = (number: number): number => (number < FIRST_SYMBOL ? 0 : (old.high[number - FIRST_SYMBOL] as number));
    const length = (number: number): number =>
      number < FIRST_SYMBOL ? 1 : (old.lengths[number - FIRST_SYMBOL] as number);
    for (let first = 0; first < NUMBERS; first++) {
      const times = this.#single[first] as number;
      if (times === 0) continue;
      const bytes = length(first);
      candidates.add(low(first), high(first), bytes, times * (bytes === 1 ? WORTH_OF_BYTE : 1));
      if (!withPairs || bytes === MOST_SYMBOL_BYTES) continue;
      const row = this.#pairs.subarray(first * NUMBERS, (first + 1) * NUMBERS);
      for (let second = 0; second < NUMBERS; second++) {
        const together = row[second] as number;
        if (together < LEAST_TIMES) continue;
        const joined = Math.min(MOST_SYMBOL_BYTES, bytes + length(second));
        const [lowHalf, highHalf] = joinedHalves(low(first), high(first), bytes, low(second), high(second), joined);
        candidates.add(lowHalf, highHalf, joined, together);
      }
    }
    return candidates.best();
  }
}

/** The bytes of a symbol and those of another behind it, cut to `joined` bytes. */
function joinedHalves(
  low: number,
  high: number,
  bytes: number,
  nextLow: number,
  nextHigh: number,
  joined: number,
): [number, number] {
  const shift = 8 * (bytes & 3);
  const carried = shift === 0 ? 0 : nextLow >>> (32 - shift);
  let [lowHalf, highHalf] =
    bytes < 4 ? [low | (nextLow << shift), high | (nextHigh << shift) | carried] : [low, high | (nextLow << shift)];
  if (joined < 4) [lowHalf, highHalf] = [lowHalf & (2 ** (8 * joined) - 1), 0];
  else if (joined < 8) highHalf &= joined === 4 ? 0 : 2 ** (8 * (joined - 4)) - 1;
  return [lowHalf, highHalf];
}

const SLOT_BITS = 14;
const MOST_CANDIDATES = 1 << 13;

/** Texts with how often they occur, each text once. */
class Candidates {
  #count = 0;
  readonly #slots = new Uint16Array(1 << SLOT_BITS);
  readonly #low = new Int32Array(MOST_CANDIDATES);
  readonly #high = new Int32Array(MOST_CANDIDATES);
  readonly #lengths = new Uint8Array(MOST_CANDIDATES);
  readonly #gains = new Float64Array(MOST_CANDIDATES);

  add(low: number, high: number, length: number, times: number): void {
    let slot = (Math.imul(low ^ Math.imul(high, 0x85ebca6b) ^ length, 0x9e3779b1) >>> (32 - SLOT_BITS)) | 0;
    let found = this.#slots[slot] as number;
    while (
      found !== 0 &&
      (this.#low[found - 1] !== low || this.#high[found - 1] !== high || this.#lengths[found - 1] !== length)
    ) {
      slot = (slot + 1) & ((1 << SLOT_BITS) - 1);
      found = this.#slots[slot] as number;
    }
    if (found === 0) {
      if (this.#count === MOST_CANDIDATES) return;
      this.#low[this.#count] = low;
      this.#high[this.#count] = high;
      this.#lengths[this.#count] = length;
      found = ++this.#count;
      this.#slots[slot] = found;
    }
    this.#gains[found - 1] = (this.#gains[found - 1] as number) + times * length;
  }

  best(): Symbols {
    const order = Array.from({ length: this.#count }, (_, candidate) => candidate);
    order.sort((a, b) => (this.#gains[b] as number) - (this.#gains[a] as number) || a - b);
    const chosen = order.slice(0, MOST_SYMBOLS);
    return {
      count: chosen.length,
      low: Int32Array.from(chosen, (candidate) => this.#low[candidate] as number),
      high: Int32Array.from(chosen, (candidate) => this.#high[candidate] as number),
      lengths: Uint8Array.from(chosen, (candidate) => this.#lengths[candidate] as number),
    };
  }
}
