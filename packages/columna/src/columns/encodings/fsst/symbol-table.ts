// Up to 255 symbols of one to eight bytes, one for each code: what codes are spelled out by. And strings of codes, of
// which those are spelled out whose bytes are needed.
import type { LazyBytes } from '../../lazy-bytes.ts';

export const MOST_SYMBOLS = 255;
export const MOST_SYMBOL_BYTES = 8;
/** This code says that the byte behind it stands for itself. */
export const ESCAPE = 255;

/** The bytes of each code as a pair of 32-bit halves, and how many they are: 0 for a code without a symbol. */
export interface SymbolTable {
  readonly low: Int32Array;
  readonly high: Int32Array;
  readonly lengths: Uint8Array;
}

/** `lengths` of `symbols`, which lie back to back. */
export function symbolTable(lengths: Uint8Array, symbols: Uint8Array): SymbolTable {
  const table = { low: new Int32Array(256), high: new Int32Array(256), lengths: new Uint8Array(256) };
  table.lengths.set(lengths);
  for (let code = 0, at = 0; code < lengths.length; code++) {
    const length = lengths[code] as number;
    for (let byte = 0; byte < length; byte++) {
      const halves = byte < 4 ? table.low : table.high;
      halves[code] = (halves[code] as number) | ((symbols[at + byte] as number) << (8 * (byte & 3)));
    }
    at += length;
  }
  return table;
}

/** Codes of strings, back to back, and where each string ends: in the codes, and in what they spell. */
export interface CodedBytes {
  readonly table: SymbolTable;
  readonly codes: Uint8Array;
  readonly codeEnds: Uint32Array;
  readonly ends: Uint32Array;
}

export class SpelledStrings implements LazyBytes {
  readonly #coded: CodedBytes;
  readonly #refuse: () => Error;
  readonly byteLength: number;
  /** What was spelled out, and a few bytes behind it: symbols are written as eight bytes whatever their length. */
  #view: DataView | null = null;
  #isWhole = false;

  /** @param refuse makes the error for a string whose codes do not spell as many bytes as it has. */
  constructor(coded: CodedBytes, refuse: () => Error) {
    this.#coded = coded;
    this.#refuse = refuse;
    this.byteLength = coded.ends.at(-1) ?? 0;
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
    const kept = view.getBigUint64(behind);
    this.#spell(view, first, last + 1, before);
    view.setBigUint64(behind, kept);
    if (before === 0 && behind === this.byteLength) this.#isWhole = true;
    return bytes;
  }

  /** Strings [first, end), of which the first begins at byte `to`. */
  #spell(view: DataView, first: number, end: number, to: number): void {
    const { table, codes, codeEnds, ends } = this.#coded;
    const { low, high, lengths } = table;
    let at = to;
    for (let string = first, i = first === 0 ? 0 : (codeEnds[first - 1] as number); string < end; string++) {
      const [codeEnd, stringEnd] = [codeEnds[string] as number, ends[string] as number];
      while (i < codeEnd && at < stringEnd) {
        const code = codes[i++] as number;
        if (code === ESCAPE) {
          if (i === codeEnd) throw this.#refuse();
          view.setUint8(at++, codes[i++] as number);
          continue;
        }
        const length = lengths[code] as number;
        if (length === 0) throw this.#refuse();
        view.setInt32(at, low[code] as number, true);
        if (length > 4) view.setInt32(at + 4, high[code] as number, true);
        at += length;
      }
      if (i !== codeEnd || at !== stringEnd) throw this.#refuse();
    }
  }
}

/** The first of ascending numbers that is above `least`; there is one. */
function firstAbove(ascending: Uint32Array, least: number): number {
  let [low, high] = [0, ascending.length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] as number) > least) high = middle;
    else low = middle + 1;
  }
  return low;
}
