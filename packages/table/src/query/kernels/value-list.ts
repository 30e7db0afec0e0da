// Which numbers are one of a list, however long it is: their patterns are looked up in a table with free slots. The
// addon takes the same table (native/src/pages/column_select.h, `SelectListed`).
import { isFloat } from '@colkit/io';
import type { DTypeInfo } from '@colkit/io';
import type { ColumnLeaf, Literal } from '../bound-predicate.ts';

type ListLeaf = Extract<ColumnLeaf, { kind: 'in' }>;
/** Items as unsigned integers of their width; of eight bytes as their halves. */
type Patterns = Uint8Array | Uint16Array | Uint32Array;

/** Before the slots: what free ones hold, and one pair more for the addon. */
const HEAD = 4;
const SLOTS_PER_VALUE = 2;
const FEWEST_SLOTS = 8;

/** A leaf is asked about page after page. */
const known = new WeakMap<ListLeaf, Uint32Array>();

/** The table of a leaf's values, which are numbers. */
export function listOf(leaf: ListLeaf): Uint32Array {
  let list = known.get(leaf);
  if (list === undefined) known.set(leaf, (list = newList(leaf.values, leaf.column.info)));
  return list;
}

/** Halves are looked up as doubles. */
export function newList(values: readonly Literal[], info: DTypeInfo): Uint32Array {
  const patterns = patternsOf(values, info);
  const count = patterns.length / 2;
  let slots = FEWEST_SLOTS;
  while (slots < SLOTS_PER_VALUE * count) slots *= 2;
  const list = new Uint32Array(HEAD + 2 * slots);
  const [low, high] = freePattern(patterns);
  for (let at = HEAD; at < list.length; at += 2) {
    list[at] = low;
    list[at + 1] = high;
  }
  list[0] = low;
  list[1] = high;
  for (let i = 0; i < patterns.length; i += 2) {
    const at = slotOf(list, patterns[i] as number, patterns[i + 1] as number);
    list[at] = patterns[i] as number;
    list[at + 1] = patterns[i + 1] as number;
  }
  return list;
}

/** Sets mask[i] to 1 where value i is listed, else to 0. @param width 2 where items are halves of values, else 1. */
export function markListed(list: Uint32Array, items: Patterns, width: 1 | 2, mask: Uint8Array): void {
  const count = items.length / width;
  for (let i = 0; i < count; i += 1) mask[i] = isListed(list, items, width, i);
}

/** The rows whose value is listed, or, with `flip`, is not. `rows` null: rows [0, count); `out` may be `rows`. */
export function selectInList(
  list: Uint32Array,
  items: Patterns,
  width: 1 | 2,
  flip: 0 | 1,
  rows: Int32Array | null,
  count: number,
  out: Int32Array,
): number {
  let used = 0;
  for (let index = 0; index < count; index += 1) {
    const row = rows === null ? index : (rows[index] as number);
    out[used] = row;
    used += isListed(list, items, width, row) ^ flip;
  }
  return used;
}

function isListed(list: Uint32Array, items: Patterns, width: 1 | 2, index: number): 0 | 1 {
  const low = items[width * index] as number;
  const high = width === 1 ? 0 : (items[2 * index + 1] as number);
  const at = slotOf(list, low, high);
  return list[at] === low && list[at + 1] === high && (low !== list[0] || high !== list[1]) ? 1 : 0;
}

/** Where a pattern is, or the free slot where it would be. */
function slotOf(list: Uint32Array, low: number, high: number): number {
  const last = list.length - HEAD - 1;
  const [freeLow, freeHigh] = [list[0], list[1]];
  const mixed = low ^ Math.imul(high, 0x85ebca6b);
  const hash = Math.imul(mixed ^ (mixed >>> 15), 0x9e3779b1);
  let at = (2 * (hash ^ (hash >>> 16))) & last;
  for (;;) {
    const [slotLow, slotHigh] = [list[HEAD + at], list[HEAD + at + 1]];
    if ((slotLow === low && slotHigh === high) || (slotLow === freeLow && slotHigh === freeHigh)) return HEAD + at;
    at = (at + 2) & last;
  }
}

/** One that is none of them: there are fewer than candidates. */
function freePattern(patterns: Uint32Array): readonly [low: number, high: number] {
  const isTaken = new Uint8Array(patterns.length / 2 + 1);
  for (let i = 0; i < patterns.length; i += 2) if (patterns[i + 1] === 1) isTaken[patterns[i] as number] = 1;
  return [isTaken.indexOf(0), 1];
}

/** Two words for each value: both zeros, where one of them is among floats. */
function patternsOf(values: readonly Literal[], info: DTypeInfo): Uint32Array {
  const { itemBytes } = info;
  if (!isFloat(info)) {
    if (itemBytes === 8) return new Uint32Array(BigUint64Array.from(values as readonly bigint[]).buffer);
    const mask = itemBytes === 4 ? -1 : 2 ** (8 * itemBytes) - 1;
    return pairs(Uint32Array.from(values as readonly number[], (value) => value & mask));
  }
  const floats = values.flatMap((value) => (value === 0 ? [0, -0] : [Number(value)]));
  return itemBytes === 4
    ? pairs(new Uint32Array(Float32Array.from(floats.filter((value) => Math.fround(value) === value)).buffer))
    : new Uint32Array(Float64Array.from(floats).buffer);
}

function pairs(words: Uint32Array): Uint32Array {
  const both = new Uint32Array(2 * words.length);
  for (let i = 0; i < words.length; i += 1) both[2 * i] = words[i] as number;
  return both;
}
