// A bound predicate -> what the addon is asked of raw columns, with the same answer for every row: bounds of the items'
// own type, bounds of texts as code points. Columns have no nulls.
import { RAW_LIMITS, assertNever, floatsOfHalves, halfKey } from '@colkit/io';
import type { RawBound, RawColumn, RawNode } from '@colkit/io';
import type { BoundNode, ColumnLeaf, ColumnRef, GeneralLeaf, Literal } from '../query/bound-predicate.ts';
import { bigintRange, numberRange } from '../query/evaluate/leaf-range.ts';
import { itemTest } from '../query/kernels/items.ts';
import { rawComparison, rawValue } from './raw-value.ts';

/** Values of a list that are looked for one by one. */
const MOST_LISTED = 32;

/** A column as the addon sees it; null where it does not. */
export type RawColumnOf = (column: ColumnRef) => RawColumn | null;

/** Null where something of it is not for the addon. */
export function rawPredicate(root: BoundNode, columnOf: RawColumnOf): RawNode | null {
  const node = rawNode(root, columnOf);
  return node === null || depthOf(node) > RAW_LIMITS.depth || sizeOf(node) > RAW_LIMITS.nodes ? null : node;
}

function rawNode(node: BoundNode, columnOf: RawColumnOf): RawNode | null {
  switch (node.kind) {
    case 'constant':
      return { operation: 'constant', matches: node.matches };
    case 'and':
    case 'or': {
      const terms: RawNode[] = [];
      for (const term of node.terms) {
        const raw = rawNode(term, columnOf);
        if (raw === null) return null;
        terms.push(raw);
      }
      return { operation: node.kind, terms };
    }
    case 'not':
      return rawLeaf(node.term, true, columnOf);
    default:
      return rawLeaf(node, false, columnOf);
  }
}

function rawLeaf(leaf: ColumnLeaf | GeneralLeaf, isFlipped: boolean, columnOf: RawColumnOf): RawNode | null {
  switch (leaf.kind) {
    case 'isNull':
      return { operation: 'constant', matches: isFlipped };
    case 'compareValues': {
      const [left, right] = [rawValue(leaf.left, columnOf), rawValue(leaf.right, columnOf)];
      if (left === null || right === null) return null;
      return rawComparison(leaf.op, left.value, right.value, isFlipped);
    }
    case 'like':
    case 'inValues':
    case 'isNullValue':
      return null;
    case 'compare':
    case 'between':
    case 'startsWith':
    case 'in': {
      const column = columnOf(leaf.column);
      if (column === null) return null;
      if (column.type === 'bytes' || column.type === 'points') return textNode(leaf, column, isFlipped);
      if (leaf.kind === 'startsWith') return null;
      if (leaf.kind === 'in' && typeof leaf.values[0] !== 'boolean')
        return listNode(leaf, isFlipped, (value) =>
          numberNode({ kind: 'compare', column: leaf.column, op: 'eq', value }, column, isFlipped),
        );
      return numberNode(leaf, column, isFlipped);
    }
    default:
      return assertNever(leaf);
  }
}

type ListLeaf = Extract<ColumnLeaf, { kind: 'in' }>;
type RangeLeaf = Extract<ColumnLeaf, { kind: 'compare' | 'between' | 'in' }>;

/** One of the values; flipped: none of them. */
function listNode(leaf: ListLeaf, isFlipped: boolean, nodeOf: (value: Literal) => RawNode | null): RawNode | null {
  if (leaf.values.length > MOST_LISTED) return null;
  const terms: RawNode[] = [];
  for (const value of leaf.values) {
    const term = nodeOf(value);
    if (term === null) return null;
    terms.push(term);
  }
  if (terms.length === 0) return { operation: 'constant', matches: isFlipped };
  return { operation: isFlipped ? 'and' : 'or', terms };
}

function numberNode(leaf: RangeLeaf, column: RawColumn, isFlipped: boolean): RawNode {
  const range = itemRange(leaf, column);
  if (range === null) return { operation: 'constant', matches: isFlipped };
  return { operation: 'within', column, isFlipped, low: range[0], high: range[1] };
}

/** Bounds among the values of the type; null: there is none between them. */
function itemRange(leaf: RangeLeaf, { type }: RawColumn): readonly [number, number] | readonly [bigint, bigint] | null {
  switch (type) {
    case 'int64':
    case 'uint64':
    case 'ticks': {
      const [low, high] = bigintRange(leaf);
      return low > high ? null : [low, high];
    }
    case 'float64': {
      const [low, high] = numberRange(leaf);
      return low <= high ? [low, high] : null;
    }
    case 'float32': {
      const [low, high] = numberRange(leaf);
      return ordered(nextFloat(low, 1), nextFloat(high, -1));
    }
    case 'float16': {
      const [low, high] = numberRange(leaf);
      return low <= high ? ordered(halfAtLeast(low), -halfAtLeast(-high)) : null;
    }
    case 'bool':
    case 'int8':
    case 'int16':
    case 'int32':
    case 'uint8':
    case 'uint16':
    case 'uint32': {
      const [low, high] = numberRange(leaf);
      const [least, most] = WHOLE[type];
      return ordered(Math.max(least, Math.ceil(low)), Math.min(most, Math.floor(high)));
    }
    default:
      return null;
  }
}

const WHOLE = {
  bool: [0, 255],
  int8: [-128, 127],
  int16: [-32_768, 32_767],
  int32: [-(2 ** 31), 2 ** 31 - 1],
  uint8: [0, 255],
  uint16: [0, 65_535],
  uint32: [0, 2 ** 32 - 1],
} as const;

/** Bounds of NaN are in no order. */
function ordered(low: number, high: number): readonly [number, number] | null {
  return low <= high ? [low, high] : null;
}

/** The value itself where it is a float32, else the next one upwards (1) or downwards (-1). */
function nextFloat(value: number, direction: 1 | -1): number {
  const near = Math.fround(value);
  if (Number.isNaN(near) || (near - value) * direction >= 0 || near === value) return near;
  // The float's neighbour: one more or one less in its bits, away from 0 or towards it.
  const float = Float32Array.of(near);
  const bits = new Int32Array(float.buffer);
  if (near === 0) return direction * 2 ** -149;
  bits[0] = (bits[0] as number) + (near > 0 === (direction === 1) ? 1 : -1);
  return float[0] as number;
}

const HALF_INFINITY = 0x7c00;
const half = new Uint16Array(1);
const halfBytes = new Uint8Array(half.buffer);

function halfOfKey(key: number): number {
  half[0] = key < 0 ? 0x8000 | -key : key;
  return floatsOfHalves(halfBytes)[0] as number;
}

/** The key of the smallest half that is not below a value. */
function halfAtLeast(value: number): number {
  let [low, high] = [halfKey(0x8000 | HALF_INFINITY), HALF_INFINITY];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (halfOfKey(middle) >= value) high = middle;
    else low = middle + 1;
  }
  return low;
}

function textNode(
  leaf: Exclude<ColumnLeaf, { kind: 'isNull' | 'like' }>,
  column: RawColumn,
  isFlipped: boolean,
): RawNode | null {
  if (leaf.kind === 'in')
    return listNode(leaf, isFlipped, (value) =>
      textNode({ kind: 'compare', column: leaf.column, op: 'eq', value }, column, isFlipped),
    );
  const test = itemTest(leaf);
  if (test === null) return null;
  if (test.prefix !== null) return { operation: 'prefix', column, isFlipped, prefix: test.prefix };
  const low = boundOf(test.low, test.lowOpen);
  return {
    operation: 'text',
    column,
    isFlipped,
    low,
    high: test.high === test.low ? low : boundOf(test.high, test.highOpen),
  };
}

function boundOf(points: Uint32Array | null, isOpen: boolean): RawBound | null {
  return points === null ? null : { points, isOpen };
}

/** Masks that are kept while it is evaluated: of each term one, beside that of the terms before it. */
function depthOf(node: RawNode): number {
  if (node.operation !== 'and' && node.operation !== 'or') return 1;
  return node.terms.reduce((depth, term, index) => Math.max(depth, depthOf(term) + Math.min(index, 1)), 0);
}

function sizeOf(node: RawNode): number {
  if (node.operation !== 'and' && node.operation !== 'or') return 1;
  return node.terms.reduce((size, term) => size + sizeOf(term), node.terms.length - 1);
}
