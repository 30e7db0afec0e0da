// Up to 4,096 symbols of one to 32 bytes, one for each code: what codes are spelled out by. And strings of codes,
// of which those are spelled out whose bytes are needed.
import { firstAbove } from '../../byte-strings.ts';
import type { LazyBytes } from '../../lazy-bytes.ts';

export const MOST_SYMBOLS = 4096;
export const MOST_SYMBOL_BYTES = 32;
export const WORDS_PER_SYMBOL = MOST_SYMBOL_BYTES / 4;
/** The first symbols of a writer: each byte. */
export const SINGLE_BYTES = 256;

/** Symbols by their codes: `MOST_SYMBOL_BYTES` for each, of which as many count as it has. */
export interface Symbols {
  readonly count: number;
  readonly bytes: Uint8Array;
  readonly lengths: Uint8Array;
}

/** Codes of strings, and where each string ends: in the codes, and in what they spell. */
export interface CodedBytes {
  readonly symbols: Symbols;
  /** Codes [start, end). @throws CorruptFileError for one without a symbol. */
  readonly codes: (start: number, end: number) => Uint32Array;
  readonly codeEnds: Uint32Array;
  readonly ends: Uint32Array;
}

/** Where strings of more than this share of the codes were asked for one by one, all codes are read. */
const SHARE_OF_ALL = 16;

export class SpelledStrings implements LazyBytes {
  readonly #coded: CodedBytes;
  readonly #refuse: () => Error;
  readonly #words: Int32Array;
  readonly byteLength: number;
  /** What was spelled out, and some bytes behind it: symbols are written as multiples of four bytes. */
  #view: DataView | null = null;
  #isWhole = false;
  #allCodes: Uint32Array | null = null;
  #codesRead = 0;

  /** @param refuse makes the error for a string whose codes do not spell as many bytes as it has. */
  constructor(coded: CodedBytes, refuse: () => Error) {
    const { bytes, count } = coded.symbols;
    this.#coded = coded;
    this.#refuse = refuse;
    this.byteLength = coded.ends.at(-1) ?? 0;
    this.#words = new Int32Array(bytes.buffer, bytes.byteOffset, count * WORDS_PER_SYMBOL);
  }

  /**
   * All bytes, of which those of strings from byte `start` to byte `end` are there, and others may be 0.
   * @throws CorruptFileError ERR_LAYOUT.
   */
  load(start: number, end: number): Uint8Array {
    const view = (this.#view ??= new DataView(new ArrayBuffer(this.byteLength + MOST_SYMBOL_BYTES)));
    const bytes = new Uint8Array(view.buffer, 0, this.byteLength);
    if (start >= end || this.#isWhole) return bytes;
    const { ends } = this.#coded;
    const first = firstAbove(ends, start);
    const before = first === 0 ? 0 : (ends[first - 1] as number);
    // What is written behind the last string may be another's that was spelled out before.
    let last = first;
    while ((ends[last] as number) < end) last++;
    const behind = ends[last] as number;
    const kept = view.getInt32(behind);
    this.#spell(view, first, last + 1, before);
    view.setInt32(behind, kept);
    if (before === 0 && behind === this.byteLength) this.#isWhole = true;
    return bytes;
  }

  /** Strings [first, end), of which the first begins at byte `to`. */
  #spell(view: DataView, first: number, end: number, to: number): void {
    const { codeEnds, ends, symbols } = this.#coded;
    const { lengths } = symbols;
    const words = this.#words;
    let i = first === 0 ? 0 : (codeEnds[first - 1] as number);
    const { codes, start } = this.#codes(i, codeEnds[end - 1] as number);
    i -= start;
    let at = to;
    for (let string = first; string < end; string++) {
      const [codeEnd, stringEnd] = [(codeEnds[string] as number) - start, ends[string] as number];
      while (i < codeEnd && at < stringEnd) {
        const code = codes[i++] as number;
        const length = lengths[code] as number;
        const word = WORDS_PER_SYMBOL * code;
        view.setInt32(at, words[word] as number, true);
        for (let more = 4; more < length; more += 4)
          view.setInt32(at + more, words[word + (more >>> 2)] as number, true);
        at += length;
      }
      if (i !== codeEnd || at !== stringEnd) throw this.#refuse();
    }
  }

  /** Codes [start, end), or more of them. */
  #codes(start: number, end: number): { readonly codes: Uint32Array; readonly start: number } {
    const { codes, codeEnds } = this.#coded;
    const count = codeEnds.at(-1) ?? 0;
    this.#codesRead += end - start;
    if (this.#allCodes === null && this.#codesRead * SHARE_OF_ALL <= count) return { codes: codes(start, end), start };
    return { codes: (this.#allCodes ??= codes(0, count)), start: 0 };
  }
}
