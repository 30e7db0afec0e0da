// Which packed items of S and U columns satisfy a leaf, without a string for each: their characters are compared with
// the constant's code points. The NULs that pad an item are smaller than every character and no part of its text.
import { assertNever } from '@colkit/io';
import { scalarValue } from '../../values/fixed-strings.ts';
import { isWellFormed } from '../../values/well-formed.ts';
import type { TextLeaf } from './text.ts';

/** Packed items of `length` characters of 1 (S) or 4 bytes (U). */
export interface Items {
  readonly bytes: Uint8Array;
  readonly length: number;
  readonly unitBytes: 1 | 4;
}

/** What tells items by their characters. */
export interface ItemMatcher {
  has(items: Items, row: number): boolean;
}

/** Code points of the bounds; null: open. */
interface ItemRange {
  readonly low: Uint32Array | null;
  readonly lowOpen: boolean;
  readonly high: Uint32Array | null;
  readonly highOpen: boolean;
}

/**
 * A leaf as bounds and a prefix; null for lists and patterns, and for constants that no item's characters can be
 * compared with.
 */
interface ItemTest extends ItemRange {
  readonly prefix: Uint32Array | null;
}

export function itemTest(leaf: TextLeaf): ItemTest | null {
  if (leaf.kind === 'in' || leaf.kind === 'like') return null;
  const constants =
    leaf.kind === 'between' ? [leaf.low, leaf.high] : leaf.kind === 'compare' ? [leaf.value] : [leaf.prefix];
  if (constants.some((value) => typeof value !== 'string' || !isWellFormed(value))) return null;
  const open = { low: null, lowOpen: false, high: null, highOpen: false, prefix: null };
  const points = (value: unknown): Uint32Array =>
    Uint32Array.from(String(value), (character) => character.codePointAt(0) ?? 0);
  switch (leaf.kind) {
    case 'between':
      return { ...open, low: points(leaf.low), high: points(leaf.high) };
    case 'startsWith':
      return leaf.prefix.endsWith('\0') ? null : { ...open, prefix: points(leaf.prefix) };
    case 'compare': {
      const value = points(leaf.value);
      switch (leaf.op) {
        case 'eq':
          return { ...open, low: value, high: value };
        case 'lt':
          return { ...open, high: value, highOpen: true };
        case 'le':
          return { ...open, high: value };
        case 'gt':
          return { ...open, low: value, lowOpen: true };
        case 'ge':
          return { ...open, low: value };
        default:
          return assertNever(leaf.op);
      }
    }
    default:
      return assertNever(leaf);
  }
}

/** What tells items by bounds and a prefix. */
export function rangeMatcher(test: ItemTest): ItemMatcher {
  return { has: (items, row) => passes(items, row, test) };
}

/** `rows` null: rows [0, count); `out` may be `rows`. */
export function selectItems(
  items: Items,
  matcher: ItemMatcher,
  flip: 0 | 1,
  rows: Int32Array | null,
  count: number,
  out: Int32Array,
): number {
  let used = 0;
  for (let index = 0; index < count; index += 1) {
    const row = rows === null ? index : (rows[index] as number);
    out[used] = row;
    used += Number(matcher.has(items, row)) ^ flip;
  }
  return used;
}

function passes(items: Items, row: number, { low, lowOpen, high, highOpen, prefix }: ItemTest): boolean {
  if (prefix !== null) return beginsWith(items, row, prefix);
  // Equality: one look.
  if (low === high && low !== null) return compareItem(items, row, low) === 0;
  if (low !== null) {
    const order = compareItem(items, row, low);
    if (lowOpen ? order <= 0 : order < 0) return false;
  }
  if (high === null) return true;
  const order = compareItem(items, row, high);
  return highOpen ? order < 0 : order <= 0;
}

function compareItem(items: Items, row: number, points: Uint32Array): number {
  const { length } = items;
  const shared = Math.min(length, points.length);
  for (let position = 0; position < shared; position += 1) {
    const difference = unitAt(items, row * length + position) - (points[position] as number);
    if (difference !== 0) return difference;
  }
  for (let position = shared; position < length; position += 1)
    if (unitAt(items, row * length + position) !== 0) return 1;
  // All characters are the same, but an item never ends in NUL.
  return points.length > length || points[points.length - 1] === 0 ? -1 : 0;
}

function beginsWith(items: Items, row: number, prefix: Uint32Array): boolean {
  if (prefix.length > items.length) return false;
  for (let position = 0; position < prefix.length; position += 1)
    if (unitAt(items, row * items.length + position) !== prefix[position]) return false;
  return true;
}

/** How many characters an item has: the NULs that pad it are none. */
export function lengthOfItem(items: Items, row: number): number {
  const first = row * items.length;
  let length = items.length;
  while (length > 0 && unitAt(items, first + length - 1) === 0) length -= 1;
  return length;
}

/** What is no character reads as U+FFFD, as in the strings that such items become. */
export function unitAt({ bytes, unitBytes }: Items, unit: number): number {
  if (unitBytes === 1) return bytes[unit] as number;
  const at = 4 * unit;
  const point =
    ((bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24)) >>>
    0;
  return scalarValue(point);
}
