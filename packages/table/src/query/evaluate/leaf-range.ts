// A leaf over numbers -> the closed range of values that it matches: what the kernels compare with.
import { assertNever, integerRange, isFloat, isTime } from '@colkit/io';

import type { ColumnLeaf, ColumnRef, Literal } from '../bound-predicate.ts';
import { nextDown, nextUp } from '../../values/floats/next-double.ts';

type RangeLeaf = Extract<ColumnLeaf, { kind: 'compare' | 'between' | 'in' }>;

/** For bools, floats and integers of up to 32 bits. A bound of NaN: no value. */
export function numberRange(leaf: RangeLeaf): readonly [low: number, high: number] {
  switch (leaf.kind) {
    case 'compare':
      return typeof leaf.value === 'boolean'
        ? boolRange(leaf.value)
        : compareRange(leaf.op, Number(leaf.value), isWhole(leaf.column));
    case 'between':
      return [Number(leaf.low), Number(leaf.high)];
    case 'in':
      return typeof leaf.values[0] === 'boolean' ? [0, 255] : [Number(leaf.values[0]), Number(leaf.values.at(-1))];
    default:
      return assertNever(leaf);
  }
}

/** Stored bytes: all but 0 are true. */
function boolRange(value: boolean): readonly [number, number] {
  return value ? [1, 255] : [0, 0];
}

function isWhole({ info }: ColumnRef): boolean {
  return !isFloat(info);
}

function compareRange(
  op: Extract<ColumnLeaf, { kind: 'compare' }>['op'],
  value: number,
  whole: boolean,
): readonly [number, number] {
  switch (op) {
    case 'eq':
      return [value, value];
    case 'lt':
      return [-Infinity, whole ? value - 1 : nextDown(value)];
    case 'le':
      return [-Infinity, value];
    case 'gt':
      return [whole ? value + 1 : nextUp(value), Infinity];
    case 'ge':
      return [value, Infinity];
    default:
      return assertNever(op);
  }
}

/** For 64-bit integers and ticks, of which NaT is in no range. low > high: no value. */
export function bigintRange(leaf: RangeLeaf): readonly [low: bigint, high: bigint] {
  const { info } = leaf.column;
  const [smallest, most] = integerRange(info);
  const least = isTime(info) ? smallest + 1n : smallest;
  switch (leaf.kind) {
    case 'compare': {
      const value = wide(leaf.value);
      switch (leaf.op) {
        case 'eq':
          return [value, value];
        case 'lt':
          return [least, value - 1n];
        case 'le':
          return [least, value];
        case 'gt':
          return [value + 1n, most];
        case 'ge':
          return [value, most];
        default:
          return assertNever(leaf.op);
      }
    }
    case 'between':
      return [wide(leaf.low), wide(leaf.high)];
    case 'in':
      return [wide(leaf.values[0]), wide(leaf.values.at(-1))];
    default:
      return assertNever(leaf);
  }
}

function wide(value: Literal | undefined): bigint {
  return typeof value === 'bigint' ? value : BigInt(Number(value ?? 0));
}
