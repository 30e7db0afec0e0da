// Strings that share bytes with the one before: those of an interval are put together when one of them is needed.
import { firstAbove } from '../../byte-strings.ts';
import type { LazyBytes } from '../../lazy-bytes.ts';
import type { ByteStrings } from '../../vector.ts';

export class JoinedStrings implements LazyBytes {
  readonly byteLength: number;
  readonly #own: ByteStrings;
  readonly #ends: Uint32Array;
  readonly #intervalLog2: number;
  /** Intervals, by their first strings. */
  readonly #isThere = new Set<number>();
  #bytes: Uint8Array | null = null;

  /**
   * @param own what each string has behind the bytes that it shares, which are as many as it is longer; from byte 0.
   * @param ends where the strings end.
   */
  constructor(own: ByteStrings, ends: Uint32Array, intervalLog2: number) {
    this.byteLength = ends.at(-1) ?? 0;
    this.#own = own;
    this.#ends = ends;
    this.#intervalLog2 = intervalLog2;
  }

  load(start: number, end: number): Uint8Array {
    const bytes = (this.#bytes ??= new Uint8Array(this.byteLength));
    if (start >= end) return bytes;
    const ends = this.#ends;
    const { lazy, ends: ownEnds } = this.#own;
    const interval = 2 ** this.#intervalLog2;
    let string = firstAbove(ends, start) & -interval;
    const behind = Math.min(ends.length, (firstAbove(ends, end - 1) & -interval) + interval);
    // Several are put together again.
    if (this.#isThere.has(string) && behind - string <= interval) return bytes;
    const first = string;
    let at = string === 0 ? 0 : (ownEnds[string - 1] as number);
    let to = string === 0 ? 0 : (ends[string - 1] as number);
    const own = lazy?.load(at, ownEnds[behind - 1] as number) ?? this.#own.bytes;
    for (let from = to; string < behind; string++) {
      const begin = to;
      const stringEnd = ends[string] as number;
      const ownBegin = stringEnd - (ownEnds[string] as number) + at;
      while (to < ownBegin) bytes[to++] = bytes[from++] as number;
      while (to < stringEnd) bytes[to++] = own[at++] as number;
      from = begin;
    }
    this.#isThere.add(first);
    return bytes;
  }
}
