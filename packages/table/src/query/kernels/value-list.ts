// Which numbers are one of a list, however long it is: their patterns are looked up in a table with free slots. The
// addon takes the same table (native/src/pages/column_select.h, `SelectListed`).
import { arrayTypeOf, isFloat } from '@colkit/io';
import type { DTypeInfo, FixedArray } from '@colkit/io';
import type { ColumnLeaf, Literal } from '../bound-predicate.ts';

type ListLeaf = Extract<ColumnLeaf, { kind: 'in' }>;

/** Before the slots: what free ones hold, which is the first value, and two words more for the addon. */
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

export function newList(values: readonly Literal[], info: DTypeInfo): Uint32Array {
  const { words, width, count } = patternsOf(itemsOf(values, info));
  let slots = FEWEST_SLOTS;
  while (slots < SLOTS_PER_VALUE * count) slots *= 2;
  const list = new Uint32Array(HEAD + 2 * slots);
  const put = (at: number, index: number): void => {
    list[at] = words[width * index] ?? 0;
    // Of no value at all: what no item of four bytes has.
    list[at + 1] = count === 0 ? 1 : width === 1 ? 0 : (words[2 * index + 1] as number);
  };
  for (let at = 0; at < list.length; at += 2) put(at, 0);
  for (let i = 0; i < count; i += 1) put(slotOf(list, words, width, i), i);
  return list;
}

/** As a column has them; both zeros, where one of them is among floats. Halves are looked up as floats. */
function itemsOf(values: readonly Literal[], info: DTypeInfo): FixedArray {
  if (!isFloat(info)) return (arrayTypeOf(info) as Int32ArrayConstructor).from(values as readonly number[]);
  const floats = values.flatMap((value) => (value === 0 ? [0, -0] : [Number(value)]));
  return info.itemBytes === 8
    ? Float64Array.from(floats)
    : Float32Array.from(floats.filter((value) => Math.fround(value) === value));
}

/** Sets mask[i] to 1 where item i is listed, else to 0. */
export function markListed(list: Uint32Array, items: FixedArray, mask: Uint8Array): void {
  const { words, width, count } = patternsOf(items);
  for (let i = 0; i < count; i += 1) mask[i] = isListed(list, words, width, i);
}

/** The rows whose item is listed, or, with `flip`, is not. `rows` null: rows [0, count); `out` may be `rows`. */
export function selectInList(
  list: Uint32Array,
  items: FixedArray,
  flip: 0 | 1,
  rows: Int32Array | null,
  count: number,
  out: Int32Array,
): number {
  const { words, width } = patternsOf(items);
  let used = 0;
  for (let index = 0; index < count; index += 1) {
    const row = rows === null ? index : (rows[index] as number);
    out[used] = row;
    used += isListed(list, words, width, row) ^ flip;
  }
  return used;
}

type Words = Uint8Array | Uint16Array | Uint32Array;

/** Items as unsigned integers of their width, those of eight bytes as two halves. */
function patternsOf({ buffer, byteOffset, length: count, BYTES_PER_ELEMENT: itemBytes }: FixedArray) {
  const width = itemBytes === 8 ? 2 : 1;
  const type = (itemBytes === 1 ? Uint8Array : itemBytes === 2 ? Uint16Array : Uint32Array) as Uint32ArrayConstructor;
  return { words: new type(buffer, byteOffset, width * count) as Words, width, count };
}

function isListed(list: Uint32Array, words: Words, width: number, index: number): 0 | 1 {
  const at = slotOf(list, words, width, index);
  const high = width === 1 ? 0 : words[2 * index + 1];
  return list[at] === words[width * index] && list[at + 1] === high ? 1 : 0;
}

/** Where a pattern is, or the free slot where it would be: that holds the first value of the list. */
function slotOf(list: Uint32Array, words: Words, width: number, index: number): number {
  const low = words[width * index] as number;
  const high = width === 1 ? 0 : (words[2 * index + 1] as number);
  const last = list.length - HEAD - 1;
  const mixed = low ^ Math.imul(high, 0x85ebca6b);
  const hash = Math.imul(mixed ^ (mixed >>> 15), 0x9e3779b1);
  for (let slot = 2 * (hash ^ (hash >>> 16)); ; slot += 2) {
    const at = HEAD + (slot & last);
    const [ofLow, ofHigh] = [list[at], list[at + 1]];
    if ((ofLow === low && ofHigh === high) || (ofLow === list[0] && ofHigh === list[1])) return at;
  }
}
