// Literals and copies -> one block of DEFLATE (RFC 1951) that is a stream by itself, with codes of its own or the fixed
// ones, whichever takes less. native/src/encode/deflate_stream.cc writes the same.
import { huffmanCodes, huffmanLengths } from './huffman-lengths.ts';

const LITERALS = 286;
const DISTANCES = 30;
const LENGTH_CODES = 19;
const END_OF_BLOCK = 256;
const FIRST_LENGTH = 257;
const LONGEST_CODE = 15;
const LONGEST_LENGTH_CODE = 7;
const REPEAT = 16;
const ZEROS = 17;
const MANY_ZEROS = 18;
/** Bits behind the symbols of a sequence of lengths. */
const listedBits = (symbol: number): number =>
  symbol === REPEAT ? 2 : symbol === ZEROS ? 3 : symbol === MANY_ZEROS ? 7 : 0;
/** In which order the lengths of codes of lengths are written. */
const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15] as const;

const FIXED_LITERALS = Uint8Array.from({ length: 288 }, (_, symbol) =>
  symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8,
);
const FIXED_DISTANCES = new Uint8Array(32).fill(5);

/** Bits behind the symbol of a length, which is told less three. */
const lengthBits = (lessThree: number): number => (lessThree < 8 || lessThree === 255 ? 0 : 29 - Math.clz32(lessThree));
const lengthSymbol = (lessThree: number, bits: number): number =>
  FIRST_LENGTH + (lessThree === 255 ? 28 : bits === 0 ? lessThree : 4 * (bits + 1) + ((lessThree >>> bits) & 3));
/** Bits behind the symbol of a distance, which is told less one. */
const distanceBits = (lessOne: number): number => (lessOne < 4 ? 0 : 30 - Math.clz32(lessOne));
const distanceSymbol = (lessOne: number, bits: number): number =>
  bits === 0 ? lessOne : 2 * (bits + 1) + ((lessOne >>> bits) & 1);

export class DeflateStream {
  /** The byte of a literal; or the distance of a copy, shifted by 8, and its length less 3. */
  readonly #tokens: Uint32Array;
  #count = 0;
  #isFixed = false;
  #literals: Uint8Array = FIXED_LITERALS;
  #distances: Uint8Array = FIXED_DISTANCES;
  /** The lengths of both as a sequence of code lengths and repetitions: a symbol, and what follows it. */
  #listed: { readonly symbol: number; readonly extra: number }[] = [];
  #codeLengths: Uint8Array = new Uint8Array(LENGTH_CODES);
  #used = { literals: 0, distances: 0, codes: 0 };

  /** There is room for the tokens of so many bytes. */
  constructor(mostBytes: number) {
    this.#tokens = new Uint32Array(mostBytes);
  }

  clear(): void {
    this.#count = 0;
  }

  literal(byte: number): void {
    this.#tokens[this.#count++] = byte;
  }

  /** 3 to 258 bytes from 1 to 32,768 bytes before. */
  copy(length: number, distance: number): void {
    this.#tokens[this.#count++] = (distance << 8) | (length - 3);
  }

  /** How many bytes all of it takes. */
  plan(): number {
    const [literals, distances] = [new Uint32Array(LITERALS), new Uint32Array(DISTANCES)];
    let extraBits = 0;
    literals[END_OF_BLOCK] = 1;
    for (let i = 0; i < this.#count; i++) {
      const token = this.#tokens[i] as number;
      const distance = token >>> 8;
      if (distance === 0) {
        literals[token] = (literals[token] as number) + 1;
        continue;
      }
      const [length, far] = [lengthBits(token & 255), distanceBits(distance - 1)];
      const [symbol, farSymbol] = [lengthSymbol(token & 255, length), distanceSymbol(distance - 1, far)];
      literals[symbol] = (literals[symbol] as number) + 1;
      distances[farSymbol] = (distances[farSymbol] as number) + 1;
      extraBits += length + far;
    }
    this.#literals = huffmanLengths(literals, LONGEST_CODE);
    this.#distances = huffmanLengths(distances, LONGEST_CODE);
    this.#planLengths();
    let [own, fixed] = [3 + 5 + 5 + 4 + 3 * this.#used.codes, 3];
    for (const { symbol } of this.#listed) own += (this.#codeLengths[symbol] as number) + listedBits(symbol);
    for (let symbol = 0; symbol < LITERALS; symbol++) {
      own += (literals[symbol] as number) * (this.#literals[symbol] as number);
      fixed += (literals[symbol] as number) * (FIXED_LITERALS[symbol] as number);
    }
    for (let symbol = 0; symbol < DISTANCES; symbol++) {
      own += (distances[symbol] as number) * (this.#distances[symbol] as number);
      fixed += (distances[symbol] as number) * (FIXED_DISTANCES[symbol] as number);
    }
    this.#isFixed = fixed <= own;
    if (this.#isFixed) [this.#literals, this.#distances] = [FIXED_LITERALS, FIXED_DISTANCES];
    return Math.ceil((Math.min(own, fixed) + extraBits) / 8);
  }

  /** The lengths of both trees behind each other, with runs told as such. */
  #planLengths(): void {
    const literals = usedOf(this.#literals, FIRST_LENGTH);
    const distances = usedOf(this.#distances, 1);
    const lengths = new Uint8Array(literals + distances);
    lengths.set(this.#literals.subarray(0, literals));
    lengths.set(this.#distances.subarray(0, distances), literals);
    const times = new Uint32Array(LENGTH_CODES);
    this.#listed = [];
    const list = (symbol: number, extra: number): void => {
      times[symbol] = (times[symbol] as number) + 1;
      this.#listed.push({ symbol, extra });
    };
    for (let i = 0; i < lengths.length; ) {
      const length = lengths[i] as number;
      let run = 1;
      while (lengths[i + run] === length) run++;
      i += run;
      if (length === 0) {
        for (; run >= 11; run -= Math.min(run, 138)) list(MANY_ZEROS, Math.min(run, 138) - 11);
        if (run >= 3) {
          list(ZEROS, run - 3);
          run = 0;
        }
      } else {
        list(length, 0);
        run--;
        for (; run >= 3; run -= Math.min(run, 6)) list(REPEAT, Math.min(run, 6) - 3);
      }
      for (; run > 0; run--) list(length, 0);
    }
    this.#codeLengths = huffmanLengths(times, LONGEST_LENGTH_CODE);
    let codes: number = LENGTH_CODES;
    while (codes > 4 && this.#codeLengths[LENGTH_ORDER[codes - 1] as number] === 0) codes--;
    this.#used = { literals, distances, codes };
  }

  /** As many bytes as was planned, to out[at …]. */
  write(out: Uint8Array, at: number): void {
    const bits = new BitWriter(out, at);
    bits.put(this.#isFixed ? 3 : 5, 3);
    if (!this.#isFixed) {
      const { literals, distances, codes } = this.#used;
      bits.put(literals - FIRST_LENGTH, 5);
      bits.put(distances - 1, 5);
      bits.put(codes - 4, 4);
      for (let i = 0; i < codes; i++) bits.put(this.#codeLengths[LENGTH_ORDER[i] as number] as number, 3);
      const codesOfLengths = huffmanCodes(this.#codeLengths);
      for (const { symbol, extra } of this.#listed) {
        bits.put(codesOfLengths[symbol] as number, this.#codeLengths[symbol] as number);
        bits.put(extra, listedBits(symbol));
      }
    }
    const [literals, distances] = [this.#literals, this.#distances];
    const [codes, distanceCodes] = [huffmanCodes(literals), huffmanCodes(distances)];
    for (let i = 0; i < this.#count; i++) {
      const token = this.#tokens[i] as number;
      const distance = token >>> 8;
      if (distance === 0) {
        bits.put(codes[token] as number, literals[token] as number);
        continue;
      }
      const lessThree = token & 255;
      const length = lengthBits(lessThree);
      const symbol = lengthSymbol(lessThree, length);
      bits.put(codes[symbol] as number, literals[symbol] as number);
      bits.put(lessThree & (2 ** length - 1), length);
      const far = distanceBits(distance - 1);
      const farSymbol = distanceSymbol(distance - 1, far);
      bits.put(distanceCodes[farSymbol] as number, distances[farSymbol] as number);
      bits.put((distance - 1) & (2 ** far - 1), far);
    }
    bits.put(codes[END_OF_BLOCK] as number, literals[END_OF_BLOCK] as number);
    bits.finish();
  }
}

function usedOf(lengths: Uint8Array, least: number): number {
  let count = lengths.length;
  while (count > least && lengths[count - 1] === 0) count--;
  return count;
}

/** Bits behind each other, the first one the lowest. */
class BitWriter {
  readonly #out: Uint8Array;
  #at: number;
  #pending = 0;
  #filled = 0;

  constructor(out: Uint8Array, at: number) {
    this.#out = out;
    this.#at = at;
  }

  /** At most 15 bits, of which fewer than 8 are left of those before. */
  put(bits: number, count: number): void {
    this.#pending |= bits << this.#filled;
    this.#filled += count;
    while (this.#filled >= 8) {
      this.#out[this.#at++] = this.#pending;
      this.#pending >>>= 8;
      this.#filled -= 8;
    }
  }

  finish(): void {
    if (this.#filled > 0) this.#out[this.#at++] = this.#pending;
  }
}
