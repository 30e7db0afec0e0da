// Which packed items are one of many texts: by a hash of their characters, without a string for each.
import { isWellFormed } from '../../values/well-formed.ts';
import { lengthOfItem, unitAt } from './items.ts';
import type { ItemMatcher, Items } from './items.ts';

/** The constants of a list by their code points. */
export class ItemList implements ItemMatcher {
  /** Those of all constants, back to back, and where each ends. */
  readonly #points: readonly number[];
  readonly #ends: readonly number[];
  /** 1 + the constant's place; 0: free. There are more than twice as many as constants. */
  readonly #slots: Uint32Array;

  constructor(texts: readonly string[]) {
    const points: number[] = [];
    const ends: number[] = [];
    // No item has half a character.
    for (const text of texts.filter(isWellFormed)) {
      for (const character of text) points.push(character.codePointAt(0) as number);
      ends.push(points.length);
    }
    this.#points = points;
    this.#ends = ends;
    this.#slots = new Uint32Array(2 ** (2 + Math.ceil(Math.log2(ends.length + 1))));
    for (let place = 0, first = 0; place < ends.length; place += 1) {
      const end = ends[place] as number;
      let hash = 0;
      for (let at = first; at < end; at += 1) hash = mixed(hash, points[at] as number);
      let slot = hash & (this.#slots.length - 1);
      while (this.#slots[slot] !== 0) slot = (slot + 1) & (this.#slots.length - 1);
      this.#slots[slot] = place + 1;
      first = end;
    }
  }

  has(items: Items, row: number): boolean {
    const first = row * items.length;
    const end = first + lengthOfItem(items, row);
    let hash = 0;
    for (let at = first; at < end; at += 1) hash = mixed(hash, unitAt(items, at));
    const slots = this.#slots;
    for (let slot = hash & (slots.length - 1); ; slot = (slot + 1) & (slots.length - 1)) {
      const taken = slots[slot] as number;
      if (taken === 0) return false;
      if (this.#isAt(taken - 1, items, first, end)) return true;
    }
  }

  #isAt(place: number, items: Items, first: number, end: number): boolean {
    const start = place === 0 ? 0 : (this.#ends[place - 1] as number);
    if ((this.#ends[place] as number) - start !== end - first) return false;
    for (let at = first; at < end; at += 1) if (unitAt(items, at) !== this.#points[start + at - first]) return false;
    return true;
  }
}

function mixed(hash: number, unit: number): number {
  const next = Math.imul(hash ^ unit, 0x9e37_79b1);
  return next ^ (next >>> 15);
}
