// Texts as UTF-8, whose bytes order as their code points do.
import type { ByteTexts } from '../values/known-texts.ts';
import type { TextUnits } from './sorted-units.ts';

export class ByteUnits implements TextUnits {
  readonly count: number;
  readonly unitsPerWord = 4;
  readonly #bytes: Uint8Array;
  readonly #start: number;
  readonly #ends: Uint32Array;

  constructor({ bytes, start, ends }: ByteTexts) {
    this.#bytes = bytes;
    this.#start = start;
    this.#ends = ends;
    this.count = ends.length;
  }

  lengthOf(text: number): number {
    return (this.#ends[text] as number) - this.#startOf(text);
  }

  compare(one: number, other: number): number {
    const [length, lengthOfOther] = [this.lengthOf(one), this.lengthOf(other)];
    const unit = this.common(one, other, 0, Math.min(length, lengthOfOther));
    if (unit === length || unit === lengthOfOther) return length - lengthOfOther;
    return (this.#bytes[this.#startOf(one) + unit] as number) - (this.#bytes[this.#startOf(other) + unit] as number);
  }

  common(one: number, other: number, from: number, most: number): number {
    const bytes = this.#bytes;
    const [a, b] = [this.#startOf(one), this.#startOf(other)];
    const end = Math.min(most, this.lengthOf(one), this.lengthOf(other));
    let unit = from;
    while (unit < end && bytes[a + unit] === bytes[b + unit]) unit += 1;
    return unit;
  }

  words(texts: Int32Array, unit: number): Uint32Array {
    const [bytes, ends] = [this.#bytes, this.#ends];
    const words = new Uint32Array(texts.length);
    for (let place = 0; place < texts.length; place += 1) {
      const text = texts[place] as number;
      const end = ends[text] as number;
      let at = this.#startOf(text) + unit;
      let word = 0;
      for (let byte = 0; byte < 4; byte += 1, at += 1) word = (word << 8) | (at < end ? (bytes[at] as number) : 0);
      words[place] = word;
    }
    return words;
  }

  #startOf(text: number): number {
    return text === 0 ? this.#start : (this.#ends[text - 1] as number);
  }
}
