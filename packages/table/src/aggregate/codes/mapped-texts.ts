// Texts of the language by number, from 0 on, in the order in which they are first met.
import type { Texts } from './hashed-texts.ts';

export class MappedTexts implements Texts {
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];

  get count(): number {
    return this.#texts.length;
  }

  numberOf(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.#texts.push(text) - 1;
      this.#numbers.set(text, number);
    }
    return number;
  }

  textOf(number: number): string {
    return this.#texts[number] ?? '';
  }

  /** By number. */
  all(): readonly string[] {
    return this.#texts;
  }
}
