// Texts -> their order by code point: by numbers of their units where they first differ, a few units at a time, and by
// comparisons among the few that share those.
import { compareText, rankOfUnit } from '../values/text-order.ts';
import { RadixOrder } from './radix-order.ts';

/** Fewer texts are compared with each other. */
const FEW_TEXTS = 64;
const UNITS_PER_WORD = 2;
/** Looked at in one go. */
const WORDS = 3;

/** The indexes of the texts, the least one first; equal ones as they come. */
export function sortedTexts(texts: readonly string[]): Int32Array {
  const order = new Int32Array(texts.length);
  for (let index = 0; index < order.length; index += 1) order[index] = index;
  // Ranges of the order whose texts share so many units; a stack, since texts may share thousands.
  const open = [{ from: 0, to: order.length, shared: 0 }];
  for (let range = open.pop(); range !== undefined; range = open.pop()) {
    const { from, to, shared } = range;
    const part = order.subarray(from, to);
    // Behind their ends texts have nothing that could tell them apart.
    const isOver = part.every((index) => (texts[index] as string).length <= shared);
    if (part.length < FEW_TEXTS || isOver)
      part.sort((one, other) => compareText(texts[one] as string, texts[other] as string));
    else for (const alike of sortPart(texts, part, from, shared)) open.push(alike);
  }
  return order;
}

/** Sorts by the units behind those that are shared. @returns the ranges that have these in common too. */
function sortPart(
  texts: readonly string[],
  part: Int32Array,
  from: number,
  shared: number,
): { readonly from: number; readonly to: number; readonly shared: number }[] {
  const start = commonUnits(texts, part, shared);
  const words = Array.from({ length: WORDS }, (_, word) => wordsOf(texts, part, start + word * UNITS_PER_WORD));
  const radix = new RadixOrder(part.length);
  for (const each of words.toReversed()) radix.by(each);
  const { order } = radix;
  const before = part.slice();
  for (let place = 0; place < part.length; place += 1) part[place] = before[order[place] as number] as number;
  const alike: { readonly from: number; readonly to: number; readonly shared: number }[] = [];
  for (let first = 0; first < part.length; ) {
    let last = first + 1;
    while (last < part.length && areAlike(words, order[first] as number, order[last] as number)) last += 1;
    if (last - first > 1) alike.push({ from: from + first, to: from + last, shared: start + WORDS * UNITS_PER_WORD });
    first = last;
  }
  return alike;
}

/** How many units all of them begin with. */
function commonUnits(texts: readonly string[], part: Int32Array, shared: number): number {
  const first = texts[part[0] as number] as string;
  let common = first.length;
  for (const index of part) {
    const text = texts[index] as string;
    let unit = shared;
    while (unit < common && text.charCodeAt(unit) === first.charCodeAt(unit)) unit += 1;
    common = Math.max(shared, Math.min(common, unit));
  }
  return common;
}

/** The ranks of two units of each text; the least one behind its end, too. */
function wordsOf(texts: readonly string[], part: Int32Array, unit: number): Uint32Array {
  const words = new Uint32Array(part.length);
  for (let place = 0; place < part.length; place += 1) {
    const text = texts[part[place] as number] as string;
    const high = unit < text.length ? rankOfUnit(text.charCodeAt(unit)) : 0;
    const low = unit + 1 < text.length ? rankOfUnit(text.charCodeAt(unit + 1)) : 0;
    words[place] = high * 2 ** 16 + low;
  }
  return words;
}

function areAlike(words: readonly Uint32Array[], one: number, other: number): boolean {
  return words.every((each) => each[one] === each[other]);
}
