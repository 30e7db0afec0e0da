// Texts -> their order: by numbers of their units where they first differ, several units at a time, and by comparisons
// among the few that share those.
import { TURN } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { RadixOrder } from './radix-order.ts';

/** Texts by number, as units that order as the texts do. */
export interface TextUnits {
  readonly count: number;
  /** A word is so many units, the first one its highest bits. */
  readonly unitsPerWord: number;
  lengthOf(text: number): number;
  compare(one: number, other: number): number;
  /** How many units two texts share, from a unit on that they both have or end before, up to `most`. */
  common(one: number, other: number, from: number, most: number): number;
  /** The word of each text that begins at a unit; zeros behind its end. */
  words(texts: Int32Array, unit: number): Uint32Array;
}

/** Texts whose first `shared` units are the same: places in the order. */
interface Alike {
  readonly from: number;
  readonly to: number;
  readonly shared: number;
}

/** Fewer texts are compared with each other. */
const FEW_TEXTS = 64;
/** Looked at in one go. */
const WORDS = 3;

/** The numbers of the texts, the least one first; equal ones as they come. */
export function* sortedUnits(units: TextUnits): Work<Int32Array> {
  const order = new Int32Array(units.count);
  for (let index = 0; index < order.length; index += 1) order[index] = index;
  // A stack, since texts may share thousands of units.
  const open: Alike[] = [{ from: 0, to: order.length, shared: 0 }];
  for (let range = open.pop(); range !== undefined; range = open.pop()) {
    const { from, to, shared } = range;
    const part = order.subarray(from, to);
    // Behind their ends texts have nothing that could tell them apart.
    const isOver = part.every((text) => units.lengthOf(text) <= shared);
    if (part.length < FEW_TEXTS || isOver) part.sort((one, other) => units.compare(one, other));
    else for (const alike of yield* sortPart(units, part, range)) open.push(alike);
    yield TURN;
  }
  return order;
}

/** Sorts by the units behind those that are shared. @returns the ranges that have these in common too. */
function* sortPart(units: TextUnits, part: Int32Array, { from, shared }: Alike): Work<Alike[]> {
  const start = commonUnits(units, part, shared);
  const words: Uint32Array[] = [];
  for (let word = 0; word < WORDS; word += 1) {
    words.push(units.words(part, start + word * units.unitsPerWord));
    yield TURN;
  }
  const radix = new RadixOrder(part.length);
  for (const each of words.toReversed()) yield* radix.by(each);
  const { order } = radix;
  const before = part.slice();
  for (let place = 0; place < part.length; place += 1) part[place] = before[order[place] as number] as number;
  const alike: Alike[] = [];
  for (let first = 0; first < part.length; ) {
    let last = first + 1;
    while (last < part.length && areAlike(words, order[first] as number, order[last] as number)) last += 1;
    if (last - first > 1)
      alike.push({ from: from + first, to: from + last, shared: start + WORDS * units.unitsPerWord });
    first = last;
  }
  return alike;
}

/** How many units all of them begin with. */
function commonUnits(units: TextUnits, part: Int32Array, shared: number): number {
  const first = part[0] as number;
  let common = units.lengthOf(first);
  for (const text of part) common = Math.max(shared, units.common(first, text, shared, common));
  return common;
}

function areAlike(words: readonly Uint32Array[], one: number, other: number): boolean {
  return words.every((each) => each[one] === each[other]);
}
