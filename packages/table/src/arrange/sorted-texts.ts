// Texts of the language -> their order by code point.
import type { Work } from '@colkit/io/effects';
import { compareText, rankOfUnit } from '../values/text-order.ts';
import { sortedUnits } from './sorted-units.ts';
import type { TextUnits } from './sorted-units.ts';

/** The indexes of the texts, the least one first; equal ones as they come. */
export function sortedTexts(texts: readonly string[]): Work<Int32Array> {
  return sortedUnits(new StringUnits(texts));
}

/** UTF-16, by rank. */
class StringUnits implements TextUnits {
  readonly count: number;
  readonly unitsPerWord = 2;
  readonly #texts: readonly string[];

  constructor(texts: readonly string[]) {
    this.#texts = texts;
    this.count = texts.length;
  }

  lengthOf(text: number): number {
    return (this.#texts[text] as string).length;
  }

  compare(one: number, other: number): number {
    return compareText(this.#texts[one] as string, this.#texts[other] as string);
  }

  common(one: number, other: number, from: number, most: number): number {
    const [a, b] = [this.#texts[one] as string, this.#texts[other] as string];
    let unit = from;
    // Behind its end a text has NaN.
    while (unit < most && a.charCodeAt(unit) === b.charCodeAt(unit)) unit += 1;
    return unit;
  }

  words(texts: Int32Array, unit: number): Uint32Array {
    const words = new Uint32Array(texts.length);
    for (let place = 0; place < texts.length; place += 1) {
      const text = this.#texts[texts[place] as number] as string;
      const high = unit < text.length ? rankOfUnit(text.charCodeAt(unit)) : 0;
      const low = unit + 1 < text.length ? rankOfUnit(text.charCodeAt(unit + 1)) : 0;
      words[place] = high * 2 ** 16 + low;
    }
    return words;
  }
}
