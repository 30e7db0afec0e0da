// Which packed items match a LIKE pattern: by their characters, without a string for each. As like.ts has it, where a
// text is one of the language.
import { lengthOfItem, unitAt } from './items.ts';
import type { ItemMatcher, Items } from './items.ts';
import { foldCase } from './like.ts';
import type { LikePattern } from './like.ts';

/** In place of a code point: any one. */
const ANY = -1;
const FIRST_POINTS = 64;

/** Code points of characters in lower case, by those of the characters. */
const FOLDED = new Map<number, number>();

export class ItemPattern implements ItemMatcher {
  readonly #caseless: boolean;
  /** What stands between the `%`: code points, or ANY. */
  readonly #segments: readonly Int32Array[];
  /** Of the item that is looked at. */
  #points = new Int32Array(FIRST_POINTS);

  constructor({ caseless, segments }: LikePattern) {
    this.#caseless = caseless;
    this.#segments = segments.map((units) =>
      Int32Array.from(units, (unit) => (unit === null ? ANY : (unit.codePointAt(0) as number))),
    );
  }

  has(items: Items, row: number): boolean {
    const end = this.#load(items, row);
    const segments = this.#segments;
    const first = segments[0] as Int32Array;
    if (!this.#isAt(first, 0, end)) return false;
    if (segments.length === 1) return first.length === end;
    let from = first.length;
    for (let index = 1; index < segments.length - 1; index += 1) {
      const segment = segments[index] as Int32Array;
      while (from + segment.length <= end && !this.#isAt(segment, from, end)) from += 1;
      from += segment.length;
      if (from > end) return false;
    }
    const last = segments[segments.length - 1] as Int32Array;
    return end - last.length >= from && this.#isAt(last, end - last.length, end);
  }

  /** @returns how many characters the item has. */
  #load(items: Items, row: number): number {
    if (this.#points.length < items.length) this.#points = new Int32Array(items.length);
    const points = this.#points;
    const first = row * items.length;
    const end = lengthOfItem(items, row);
    for (let at = 0; at < end; at += 1) {
      const point = unitAt(items, first + at);
      points[at] = this.#caseless ? folded(point) : point;
    }
    return end;
  }

  #isAt(segment: Int32Array, from: number, end: number): boolean {
    if (from + segment.length > end) return false;
    for (let at = 0; at < segment.length; at += 1) {
      const point = segment[at] as number;
      if (point !== ANY && point !== this.#points[from + at]) return false;
    }
    return true;
  }
}

function folded(point: number): number {
  if (point < 0x80) return point >= 0x41 && point <= 0x5a ? point + 0x20 : point;
  let lower = FOLDED.get(point);
  if (lower === undefined) FOLDED.set(point, (lower = foldCase(String.fromCodePoint(point)).codePointAt(0) as number));
  return lower;
}
