// Which packed items match a LIKE pattern: by their characters, without a string for each. As like.ts has it, where a
// text is one of the language.
import { wordsOf } from '../../values/fixed-strings.ts';
import { lengthOfItem, unitAt } from './items.ts';
import type { ItemMatcher, Items } from './items.ts';
import { foldCase } from './like.ts';
import type { LikePattern } from './like.ts';

/** In place of a code point: any one. */
const ANY = -1;
const FIRST_POINTS = 64;
const REPLACEMENT = 0xfffd;

/** Code points of characters in lower case, by those of the characters. */
const FOLDED = new Map<number, number>();

/** Characters of items, or code points. */
type Units = Uint8Array | Uint32Array | Int32Array;

export class ItemPattern implements ItemMatcher {
  readonly #caseless: boolean;
  /** What stands between the `%`: code points, or ANY. */
  readonly #segments: readonly Int32Array[];
  /** Whether it asks for what others read as, too. */
  readonly #asksForReplacement: boolean;
  /** The items that were looked at last, and their characters where they are compared as they lie. */
  #items: Items | null = null;
  #units: Units | null = null;
  /** Else those of the item that is looked at. */
  #points = new Int32Array(FIRST_POINTS);

  constructor({ caseless, segments }: LikePattern) {
    this.#caseless = caseless;
    this.#segments = segments.map((units) =>
      Int32Array.from(units, (unit) => (unit === null ? ANY : (unit.codePointAt(0) as number))),
    );
    this.#asksForReplacement = this.#segments.some((segment) => segment.includes(REPLACEMENT));
  }

  has(items: Items, row: number): boolean {
    if (items !== this.#items) {
      this.#items = items;
      this.#units = this.#unitsOf(items);
    }
    const units = this.#units;
    if (units === null) {
      const length = lengthOfItem(items, row);
      return this.#matches(this.#load(items, row, length), 0, length);
    }
    const start = row * items.length;
    let end = start + items.length;
    while (end > start && units[end - 1] === 0) end -= 1;
    return this.#matches(units, start, end);
  }

  #matches(units: Units, start: number, end: number): boolean {
    const segments = this.#segments;
    const first = segments[0] as Int32Array;
    if (!isAt(units, first, start, end)) return false;
    let from = start + first.length;
    if (segments.length === 1) return from === end;
    for (let index = 1; index < segments.length - 1; index += 1) {
      const segment = segments[index] as Int32Array;
      from = placeOf(units, segment, from, end);
      if (from < 0) return false;
      from += segment.length;
    }
    const last = segments[segments.length - 1] as Int32Array;
    return end - last.length >= from && isAt(units, last, end - last.length, end);
  }

  /** Null where characters have to be folded, or some read as another one that is asked for. */
  #unitsOf({ bytes, unitBytes }: Items): Units | null {
    if (this.#caseless || this.#asksForReplacement) return null;
    return unitBytes === 1 ? bytes : wordsOf(bytes);
  }

  #load(items: Items, row: number, length: number): Int32Array {
    if (this.#points.length < length) this.#points = new Int32Array(items.length);
    const points = this.#points;
    const first = row * items.length;
    for (let at = 0; at < length; at += 1) {
      const point = unitAt(items, first + at);
      points[at] = this.#caseless ? folded(point) : point;
    }
    return points;
  }
}

function isAt(units: Units, segment: Int32Array, from: number, end: number): boolean {
  if (from + segment.length > end) return false;
  for (let at = 0; at < segment.length; at += 1) {
    const point = segment[at] as number;
    if (point !== ANY && point !== units[from + at]) return false;
  }
  return true;
}

/** Where the first such segment from `from` on begins; -1 where there is none. */
function placeOf(units: Units, segment: Int32Array, from: number, end: number): number {
  const first = segment[0] ?? ANY;
  const last = end - segment.length;
  for (let at = from; at <= last; at += 1)
    if ((first === ANY || units[at] === first) && isAt(units, segment, at, end)) return at;
  return -1;
}

function folded(point: number): number {
  if (point < 0x80) return point >= 0x41 && point <= 0x5a ? point + 0x20 : point;
  let lower = FOLDED.get(point);
  if (lower === undefined) FOLDED.set(point, (lower = foldCase(String.fromCodePoint(point)).codePointAt(0) as number));
  return lower;
}
