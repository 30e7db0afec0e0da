// Different texts by number, from 0 on as they come: in a Map where they come as texts of the language; see
// kept-bytes.ts for others.
import type { Work } from '@colkit/io/effects';
import { MappedTexts } from '../aggregate/codes/mapped-texts.ts';
import type { ByteTexts } from '../values/known-texts.ts';
import { sortedTexts } from './sorted-texts.ts';

/** The texts of some rows, each once or more often. */
export interface TextBlock {
  readonly texts: readonly string[];
  /** The same, where they lie so in memory: `texts` makes them when it is looked at. */
  readonly utf8?: ByteTexts;
}

export interface NumberedTexts {
  readonly count: number;
  /** The numbers of some texts of a block. */
  number(block: TextBlock, entries: Uint32Array): Uint32Array;
  textOf(number: number): string;
  /** By number. */
  all(): readonly string[];
  /** Their numbers, that of the least text first. */
  sorted(): Work<Int32Array>;
  /** Those with these numbers alone, numbered in this order. */
  only(numbers: Uint32Array): NumberedTexts;
}

export class KeptStrings implements NumberedTexts {
  readonly #known = new MappedTexts();

  constructor(texts: Iterable<string> = []) {
    for (const text of texts) this.#known.numberOf(text);
  }

  get count(): number {
    return this.#known.count;
  }

  number({ texts }: TextBlock, entries: Uint32Array): Uint32Array {
    const numbers = new Uint32Array(entries.length);
    for (let index = 0; index < entries.length; index += 1)
      numbers[index] = this.#known.numberOf(texts[entries[index] as number] as string);
    return numbers;
  }

  textOf(number: number): string {
    return this.#known.textOf(number);
  }

  all(): readonly string[] {
    return this.#known.all();
  }

  sorted(): Work<Int32Array> {
    return sortedTexts(this.all());
  }

  only(numbers: Uint32Array): NumberedTexts {
    return new KeptStrings(Array.from(numbers, (number) => this.textOf(number)));
  }
}
