// Random predicates over a table, from a seed: constants are drawn near the values that are there and at the edges
// where representations change.
import { INTEGER_EDGES } from '@colkit/testkit';
import type { OracleColumn, OracleTable } from '@colkit/testkit';
import { col, Expression } from '../../src/index.ts';
import { evaluate } from './oracle.ts';
import type { Constant, Op, Tree } from './oracle.ts';

export class Draw {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** An integer in [0, below). */
  below(below: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return Math.floor((((((this.#state >>> 8) ^ (this.#state << 3)) >>> 0) % 0x1000000) / 0x1000000) * below);
  }

  of<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }
}

export const OPS: readonly Op[] = ['eq', 'ne', 'lt', 'le', 'gt', 'ge'];
const EDGES: readonly (number | bigint)[] = [
  0,
  -0,
  1,
  -1,
  0.5,
  -1.5,
  2 ** 53,
  2 ** 53 - 1,
  1 - 2 ** 53,
  2 ** 53 + 2,
  -(2 ** 53),
  2 ** 63,
  -(2 ** 63),
  2 ** 64,
  1e300,
  -1e300,
  NaN,
  Infinity,
  -Infinity,
  2n ** 53n,
  2n ** 53n + 1n,
  2n ** 53n - 1n,
  -(2n ** 53n) - 1n,
  2n ** 63n,
  2n ** 63n - 1n,
  -(2n ** 63n),
  -(2n ** 63n) - 1n,
  2n ** 64n - 1n,
  2n ** 64n,
  10n ** 400n,
  -(10n ** 400n),
  127,
  128,
  -129,
  255,
  256,
  2 ** 31,
  2 ** 32,
  65504,
  2.5,
  ...INTEGER_EDGES,
];
const TEXTS = ['', '\0', 'a', 'a\0', 'z', '\u{ff61}', '\u{1f600}', '\u{e000}', '\uffff', 'ÿ', 'aaa', '\ufffd'];

const isNumeric = ({ dtype }: OracleColumn): boolean => /^(u?int|float)/u.test(dtype);

export function randomCondition(draw: Draw, table: OracleTable, depth: number): Tree {
  if (depth > 0 && draw.below(3) > 0) {
    const kind = draw.of(['and', 'or', 'not'] as const);
    if (kind === 'not') return { kind, operand: randomCondition(draw, table, depth - 1) };
    return { kind, left: randomCondition(draw, table, depth - 1), right: randomCondition(draw, table, depth - 1) };
  }
  return randomLeaf(draw, table, depth);
}

function randomLeaf(draw: Draw, table: OracleTable, depth: number): Tree {
  const column = draw.of(table.columns);
  const operand: Tree = { kind: 'column', column };
  const choice = draw.below(20);
  if (choice === 0) return { kind: 'isNull', operand };
  if (choice === 1 && column.dtype === 'bool') return operand;
  if (choice === 2) return { kind: 'constant', value: draw.of([true, false, null]) };
  if (choice === 3 && depth > 0)
    return {
      kind: 'compare',
      op: draw.of(OPS),
      left: randomCondition(draw, table, depth - 2),
      right: randomCondition(draw, table, depth - 2),
    };
  if (choice === 4) return { kind: 'isNull', operand: isNumeric(column) ? randomNumber(draw, table, 2) : operand };
  if (column.dtype === 'binary') {
    const constants = [nearValue(draw, column), nearValue(draw, column), null] as (Uint8Array | null)[];
    return draw.below(2) === 0
      ? { kind: 'isIn', operand, values: constants }
      : {
          kind: 'compare',
          op: draw.of(['eq', 'ne']),
          left: operand,
          right: { kind: 'constant', value: constants[0]! },
        };
  }
  if (choice < 8)
    return { kind: 'isIn', operand, values: Array.from({ length: draw.below(5) }, () => nearValue(draw, column)) };
  if (choice < 10)
    return {
      kind: 'between',
      operand,
      low: { kind: 'constant', value: nearValue(draw, column) },
      high: { kind: 'constant', value: nearValue(draw, column) },
    };
  if (choice === 10 && isText(column))
    return {
      kind: 'like',
      operand,
      pattern: randomPattern(draw, String(nearValue(draw, column) ?? '')),
      caseless: draw.below(4) === 0,
    };
  if (choice === 11 && isText(column))
    return { kind: 'startsWith', operand, prefix: String(nearValue(draw, column) ?? '').slice(0, draw.below(3)) };
  if (choice < 15) {
    const partner = draw.of(table.columns.filter((other) => comparable(column, other)));
    if (draw.below(4) === 0)
      return { kind: 'isDistinctFrom', left: operand, right: { kind: 'column', column: partner } };
    return { kind: 'compare', op: draw.of(OPS), left: operand, right: { kind: 'column', column: partner } };
  }
  if (choice < 18 && isNumeric(column))
    return {
      kind: 'compare',
      op: draw.of(OPS),
      left: randomNumber(draw, table, 3),
      right: randomNumber(draw, table, 1),
    };
  if (choice < 19 && column.dtype.startsWith('datetime')) return randomPart(draw, column);
  const constant: Tree = { kind: 'constant', value: nearValue(draw, column) };
  return draw.below(2) === 0
    ? { kind: 'compare', op: draw.of(OPS), left: operand, right: constant }
    : { kind: 'compare', op: draw.of(OPS), left: constant, right: operand };
}

const PARTS = ['year', 'year', 'month', 'day', 'hour', 'minute', 'second', 'weekday'] as const;

/** A part of a moment beside a number near it, or beside another part. */
export function randomPart(draw: Draw, column: OracleColumn): Tree {
  const part = (): Tree => ({ kind: 'part', part: draw.of(PARTS), operand: { kind: 'column', column } });
  const left = part();
  const own = column.values.length === 0 ? null : evaluate(left, draw.below(column.values.length));
  const near = Number(own ?? 1970) + draw.of([0, 0, 1, -1, 0.5]);
  const right: Tree =
    draw.below(4) === 0 ? part() : { kind: 'constant', value: draw.below(4) > 0 ? near : draw.of(EDGES) };
  return draw.below(4) === 0
    ? { kind: 'compare', op: draw.of(OPS), left: right, right: left }
    : { kind: 'compare', op: draw.of(OPS), left, right };
}

export function randomNumber(draw: Draw, table: OracleTable, depth: number): Tree {
  const columns = table.columns.filter(isNumeric);
  if (depth > 0 && draw.below(2) === 0) {
    if (draw.below(5) === 0) return { kind: 'neg', operand: randomNumber(draw, table, depth - 1) };
    // A column to a small power is exact.
    if (draw.below(6) === 0)
      return {
        kind: 'arithmetic',
        op: 'pow',
        left: randomNumber(draw, table, 0),
        right: { kind: 'constant', value: draw.below(3) },
      };
    return {
      kind: 'arithmetic',
      op: draw.of(['add', 'sub', 'mul', 'div', 'mod', 'floorDiv']),
      left: randomNumber(draw, table, depth - 1),
      right: randomNumber(draw, table, depth - 1),
    };
  }
  if (columns.length > 0 && draw.below(3) > 0) return { kind: 'column', column: draw.of(columns) };
  return { kind: 'constant', value: draw.of([...EDGES.slice(0, 24), 2, 3, 7, -7, null]) };
}

/** Parts of a text, and characters of others, between wildcards. */
function randomPattern(draw: Draw, text: string): string {
  const characters = Array.from(text);
  return characters
    .map((character) => draw.of([character, character, '_', '%', '', 'a', character.toUpperCase()]))
    .join('')
    .concat(draw.of(['', '%', '%%', '_', '%_']));
}

const isText = ({ dtype }: OracleColumn): boolean => dtype === 'string' || /^[SU]\d/u.test(dtype);

function comparable(column: OracleColumn, other: OracleColumn): boolean {
  if (isNumeric(column)) return isNumeric(other);
  if (isText(column)) return isText(other);
  return column.dtype === other.dtype || (column.dtype.startsWith('datetime') && other.dtype.startsWith('datetime'));
}

/** A constant that may be compared with the column. */
export function nearValue(draw: Draw, column: OracleColumn): Constant {
  if (draw.below(20) === 0) return null;
  const own = draw.of([...column.values, null]) as Constant;
  if (column.dtype === 'bool') return draw.below(2) === 0;
  if (column.dtype === 'binary') return (own as Uint8Array | null) ?? Uint8Array.of(1);
  if (isText(column)) return draw.below(2) === 0 ? ((own as string | null) ?? '') : draw.of(TEXTS);
  if (column.dtype.startsWith('timedelta'))
    return draw.of([own as bigint | null, 0n, -(2n ** 63n), 2n ** 63n - 1n, 2n ** 70n]) ?? 5n;
  if (column.dtype.startsWith('datetime')) return momentNear(draw, own as bigint | null);
  if (draw.below(2) === 0 || own === null) return draw.of(EDGES);
  const shift = draw.of([0, 0, 1, -1, 0.5]);
  if (typeof own === 'bigint') return Number.isInteger(shift) ? own + BigInt(shift) : Number(own) + shift;
  return (own as number) + shift;
}

function momentNear(draw: Draw, own: bigint | null): Constant {
  const dates = [
    new Date(0),
    new Date('2024-02-29T12:30:00.123Z'),
    new Date(-1),
    new Date(8.64e15),
    new Date(-8.64e15),
  ];
  return (
    draw.of<Constant>([
      own,
      own === null ? 7n : own + 1n,
      -(2n ** 63n),
      2n ** 63n,
      draw.of(dates),
      '1970-01-01T00:00:00Z',
      '2024-02-29T12:30:00.5Z',
      'NaT',
    ]) ?? 0n
  );
}

/** The tree as col() builds it. */
export function toExpression(tree: Tree): Expression<boolean> {
  return build(tree) as Expression<boolean>;
}

function build(tree: Tree): Expression {
  switch (tree.kind) {
    case 'column':
      return col(tree.column.name);
    case 'constant':
      return constant(tree.value);
    case 'neg':
      return build(tree.operand).neg();
    case 'part':
      return build(tree.operand)[tree.part]();
    case 'arithmetic':
      return build(tree.left)[tree.op](operand(tree.right));
    case 'not':
      return build(tree.operand).not();
    case 'and':
      return build(tree.left).and(toExpression(tree.right));
    case 'or':
      return build(tree.left).or(toExpression(tree.right));
    case 'compare':
      return build(tree.left)[tree.op](operand(tree.right));
    case 'between':
      return build(tree.operand).between(operand(tree.low), operand(tree.high));
    case 'isIn':
      return build(tree.operand).isIn(tree.values);
    case 'isNull':
      return build(tree.operand).isNull();
    case 'startsWith':
      return build(tree.operand).startsWith(tree.prefix);
    case 'like':
      return tree.caseless ? build(tree.operand).ilike(tree.pattern) : build(tree.operand).like(tree.pattern);
    case 'isDistinctFrom':
      return build(tree.left).isDistinctFrom(operand(tree.right));
  }
}

function operand(tree: Tree): Expression | Constant {
  return tree.kind === 'constant' ? tree.value : build(tree);
}

/** There is no method that makes a constant, but a tree may begin with one. */
function constant(value: Constant): Expression {
  return new Expression({ kind: 'value', value, position: -1, depth: 1 });
}
