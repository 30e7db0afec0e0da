// Predicates as plain trees, and what they mean, worked out row by row in three-valued logic: written from the page of
// rules, sharing no code with what it checks. Integers are bigints here whatever their width, floats are numbers,
// moments are attoseconds.
import type { OracleColumn } from '@colkit/testkit';

export type Op = 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge';
export type Constant = boolean | number | bigint | string | Date | Uint8Array | null;

export type Tree =
  | { readonly kind: 'column'; readonly column: OracleColumn }
  | { readonly kind: 'constant'; readonly value: Constant }
  | {
      readonly kind: 'arithmetic';
      readonly op: ArithmeticOperator;
      readonly left: Tree;
      readonly right: Tree;
    }
  | { readonly kind: 'neg'; readonly operand: Tree }
  | { readonly kind: 'part'; readonly part: Part; readonly operand: Tree }
  | { readonly kind: 'and' | 'or'; readonly left: Tree; readonly right: Tree }
  | { readonly kind: 'not'; readonly operand: Tree }
  | { readonly kind: 'compare'; readonly op: Op; readonly left: Tree; readonly right: Tree }
  | { readonly kind: 'between'; readonly operand: Tree; readonly low: Tree; readonly high: Tree }
  | { readonly kind: 'isIn'; readonly operand: Tree; readonly values: readonly Constant[] }
  | { readonly kind: 'isNull'; readonly operand: Tree }
  | { readonly kind: 'startsWith'; readonly operand: Tree; readonly prefix: string }
  | { readonly kind: 'like'; readonly operand: Tree; readonly pattern: string; readonly caseless: boolean }
  | { readonly kind: 'isDistinctFrom'; readonly left: Tree; readonly right: Tree };

export type Part = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'weekday';
export type ArithmeticOperator = 'add' | 'sub' | 'mul' | 'div' | 'mod' | 'floorDiv' | 'pow';

/** A value: integers as bigint; moments as { at }, NaN where there is none. */
export type Value = boolean | number | bigint | string | Uint8Array | { readonly at: bigint | number } | null;

export function evaluate(tree: Tree, row: number): Value {
  switch (tree.kind) {
    case 'column':
      return valueOf(tree.column.values[row], tree.column.dtype);
    case 'constant':
      return constantOf(tree.value);
    case 'neg': {
      const value = evaluate(tree.operand, row) as number | bigint | null;
      return value === null ? null : typeof value === 'bigint' ? -value : -value;
    }
    case 'part': {
      const moment = evaluate(tree.operand, row) as { readonly at: bigint | number } | null;
      return moment === null || typeof moment.at === 'number' ? null : partOf(tree.part, moment.at);
    }
    case 'arithmetic':
      return arithmetic(
        tree.op,
        evaluate(tree.left, row) as number | bigint | null,
        evaluate(tree.right, row) as number | bigint | null,
      );
    case 'not': {
      const value = evaluate(tree.operand, row);
      return value === null ? null : value !== true;
    }
    case 'and':
    case 'or': {
      const sides = [evaluate(tree.left, row), evaluate(tree.right, row)];
      const decisive = tree.kind === 'or';
      return sides.includes(decisive) ? decisive : sides.includes(null) ? null : !decisive;
    }
    case 'compare':
      return compare(tree.op, tree.left, tree.right, row);
    case 'between':
      return evaluate(
        {
          kind: 'and',
          left: { kind: 'compare', op: 'ge', left: tree.operand, right: tree.low },
          right: { kind: 'compare', op: 'le', left: tree.operand, right: tree.high },
        },
        row,
      );
    case 'isIn': {
      if (evaluate(tree.operand, row) === null) return null;
      return tree.values.some(
        (value) => value !== null && compare('eq', tree.operand, { kind: 'constant', value }, row) === true,
      );
    }
    case 'isNull':
      return evaluate(tree.operand, row) === null;
    case 'startsWith': {
      const value = evaluate(tree.operand, row);
      return value === null ? null : (value as string).slice(0, tree.prefix.length) === tree.prefix;
    }
    case 'like': {
      const value = evaluate(tree.operand, row);
      return value === null ? null : likeRegExp(tree.pattern, tree.caseless).test(value as string);
    }
    case 'isDistinctFrom': {
      const [left, right] = [evaluate(tree.left, row), evaluate(tree.right, row)];
      if (left === null || right === null) return left !== right;
      return compare('ne', tree.left, tree.right, row);
    }
  }
}

/** What the standard says, in another notation; `u` makes a character of a surrogate pair. */
function likeRegExp(pattern: string, caseless: boolean): RegExp {
  const body = pattern
    .replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&')
    .replace(/%/gu, '[^]*')
    .replace(/_/gu, '[^]');
  return new RegExp(`^${body}$`, caseless ? 'iu' : 'u');
}

const NAT = -(2n ** 63n);
const TICK: Readonly<Record<string, bigint>> = {
  'datetime64[D]': 86_400n * 10n ** 18n,
  'datetime64[us]': 10n ** 12n,
  'datetime64[25s]': 25n * 10n ** 18n,
  'datetime64[s]': 10n ** 18n,
  'datetime64[ns]': 10n ** 9n,
  'timedelta64[ns]': 1n,
};

function valueOf(value: unknown, dtype: string): Value {
  if (value === null) return null;
  if (/^u?int/u.test(dtype)) return BigInt(value as number | bigint);
  const tick = TICK[dtype];
  if (tick !== undefined) return { at: value === NAT ? Number.NaN : (value as bigint) * tick };
  return value as Value;
}

function constantOf(value: Constant): Value {
  if (typeof value === 'number' && Number.isSafeInteger(value) && !Object.is(value, -0)) return BigInt(value);
  if (value instanceof Date)
    return { at: Number.isNaN(value.getTime()) ? Number.NaN : BigInt(value.getTime()) * 10n ** 15n };
  return value;
}

const ATTOSECONDS_OF_DAY = 86_400n * 10n ** 18n;

/** By Date, in the 400 years from 2000 on: calendars repeat themselves after as many. */
function partOf(part: Part, at: bigint): bigint | null {
  const period = 146_097n * ATTOSECONDS_OF_DAY;
  const start = 10_957n * ATTOSECONDS_OF_DAY;
  const within = (((at - start) % period) + period) % period;
  const date = new Date(Number((start + within) / 10n ** 15n));
  switch (part) {
    case 'year': {
      const year = BigInt(date.getUTCFullYear()) + 400n * ((at - start - within) / period);
      return Number.isSafeInteger(Number(year)) ? year : null;
    }
    case 'month':
      return BigInt(date.getUTCMonth() + 1);
    case 'day':
      return BigInt(date.getUTCDate());
    case 'hour':
      return BigInt(date.getUTCHours());
    case 'minute':
      return BigInt(date.getUTCMinutes());
    case 'second':
      return BigInt(date.getUTCSeconds());
    case 'weekday':
      return BigInt((date.getUTCDay() + 6) % 7);
  }
}

function arithmetic(
  op: ArithmeticOperator,
  left: number | bigint | null,
  right: number | bigint | null,
): number | bigint | null {
  if (left === null || right === null) return null;
  if (typeof left === 'bigint' && typeof right === 'bigint' && op !== 'div') {
    if (op === 'mod') return right === 0n ? null : ((left % right) + right) % right;
    if (op === 'floorDiv') return right === 0n ? null : floorOfQuotient(left, right);
    if (op === 'pow') return left ** right;
    return op === 'add' ? left + right : op === 'sub' ? left - right : left * right;
  }
  const [a, b] = [Number(left), Number(right)];
  if (op === 'pow') return a === 1 ? 1 : a ** b;
  if (op === 'floorDiv') return floorDivided(a, b);
  if (op === 'mod') {
    // What Python's float % gives, by its definition.
    if (b === 0 || Number.isNaN(a) || Number.isNaN(b) || !Number.isFinite(a)) return Number.NaN;
    const rest = a % b;
    if (rest === 0) return b < 0 ? -0 : 0;
    return rest < 0 !== b < 0 ? rest + b : rest;
  }
  return op === 'add' ? a + b : op === 'sub' ? a - b : op === 'mul' ? a * b : a / b;
}

/** By the rational numbers that doubles are, where the answer is exact. */
function floorDivided(a: number, b: number): number {
  if (b === 0 || !Number.isFinite(a)) return Number.isFinite(a) || b === 0 ? a / b : Number.NaN;
  if (!Number.isFinite(b)) return Number.isNaN(b) ? b : a !== 0 && a < 0 !== b < 0 ? -1 : 0;
  const [[p, q], [r, s]] = [rational(a), rational(b)];
  return Number(floorOfQuotient(p * s, q * r));
}

const floorOfQuotient = (left: bigint, right: bigint): bigint =>
  left / right - (left % right !== 0n && left < 0n !== right < 0n ? 1n : 0n);

function rational(value: number): [bigint, bigint] {
  let denominator = 1n;
  let rest = value;
  for (; !Number.isInteger(rest); rest *= 2) denominator *= 2n;
  return [BigInt(rest), denominator];
}

function compare(op: Op, leftTree: Tree, rightTree: Tree, row: number): boolean | null {
  let [left, right] = [evaluate(leftTree, row), evaluate(rightTree, row)];
  if (left === null || right === null) return null;
  left = asMoment(left, right, leftTree, rightTree);
  right = asMoment(right, left, rightTree, leftTree);
  const order = orderOf(left, right);
  switch (op) {
    case 'eq':
      return order === 0;
    case 'ne':
      return order !== 0;
    case 'lt':
      return order !== null && order < 0;
    case 'le':
      return order !== null && order <= 0;
    case 'gt':
      return order !== null && order > 0;
    case 'ge':
      return order !== null && order >= 0;
  }
}

/** Text and ticks beside a column of moments. */
function asMoment(
  value: NonNullable<Value>,
  other: NonNullable<Value>,
  own: Tree,
  otherTree: Tree,
): NonNullable<Value> {
  if (own.kind !== 'constant' || typeof other !== 'object' || other instanceof Uint8Array) return value;
  if (typeof value === 'string')
    return value === 'NaT' ? { at: Number.NaN } : { at: BigInt(Date.parse(value)) * 10n ** 15n };
  const tick = otherTree.kind === 'column' ? TICK[otherTree.column.dtype] : undefined;
  return typeof value === 'bigint' && tick !== undefined ? { at: value === NAT ? Number.NaN : value * tick } : value;
}

function orderOf(left: NonNullable<Value>, right: NonNullable<Value>): number | null {
  if (typeof left === 'string' && typeof right === 'string') return listOrder(points(left), points(right));
  if (left instanceof Uint8Array && right instanceof Uint8Array) return listOrder([...left], [...right]);
  const a = (typeof left === 'object' && 'at' in left ? left.at : left) as number | bigint;
  const b = (typeof right === 'object' && 'at' in right ? right.at : right) as number | bigint;
  // JavaScript compares a bigint with a number by their mathematical values.
  return a < b ? -1 : a > b ? 1 : a >= b ? 0 : null;
}

const points = (text: string): number[] => Array.from(text, (character) => character.codePointAt(0)!);

function listOrder(left: readonly number[], right: readonly number[]): number {
  for (let index = 0; index < Math.min(left.length, right.length); index += 1)
    if (left[index] !== right[index]) return left[index]! - right[index]!;
  return left.length - right.length;
}
