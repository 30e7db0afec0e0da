// Random tables and random predicates, and the brute force that says which rows match: three-valued logic on plain
// cells, written to be obviously right.
import fc from 'fast-check';
import {
  CLUSTERS,
  FLOAT32_EDGES,
  FLOAT64_EDGES,
  clusterArbitrary,
  float32Arbitrary,
  float64Arbitrary,
  integerArbitrary,
  integerEdges,
} from '@colkit/testkit';
import { col } from '@colkit/table';
import type { Expression } from '@colkit/table';
import type { Cell } from './cells.ts';
import type { TestColumn } from './table.ts';

export interface RandomColumn {
  readonly column: TestColumn;
  readonly cells: readonly Cell[];
}

type Truth = boolean | null;
type Op = 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge';
type Value = number | bigint | string | boolean | Date;

export type Tree =
  | { readonly kind: 'compare'; readonly column: number; readonly op: Op; readonly value: Value }
  | { readonly kind: 'between'; readonly column: number; readonly low: Value; readonly high: Value }
  | { readonly kind: 'in'; readonly column: number; readonly values: readonly Value[] }
  | { readonly kind: 'starts'; readonly column: number; readonly prefix: string }
  | { readonly kind: 'null' | 'present'; readonly column: number }
  /** left + right compared with a number: a general expression. */
  | { readonly kind: 'sum'; readonly column: number; readonly other: number; readonly op: Op; readonly value: number }
  | { readonly kind: 'and' | 'or'; readonly left: Tree; readonly right: Tree }
  | { readonly kind: 'not'; readonly term: Tree };

const LONG = 'x'.repeat(63);
const TEXTS = [
  '',
  'a',
  'ab',
  'b',
  'EMEA',
  'APAC',
  'z',
  'ż',
  '😀',
  '｡',
  '\u{10ffff}',
  `${LONG}é`,
  `${LONG}\u{10ffff}tail`,
  `${LONG}ab`,
  `${LONG}abc`,
  'x',
];
const FLOATS = [...FLOAT64_EDGES, 2.25, 100];
const LEAST = -(2n ** 63n);
const MOST = 2n ** 63n - 1n;
const BIG = integerEdges(LEAST, MOST);
/** Doubles beside integers that they cannot hold, and those that they can. */
const BIG_NUMBERS = [
  2 ** 53,
  2 ** 53 + 2,
  -(2 ** 53),
  -(2 ** 53) - 2,
  2 ** 63,
  -(2 ** 63),
  2 ** 64,
  2 ** 31,
  2 ** 32,
  0.5,
  -Infinity,
];
const nearby = fc
  .tuple(fc.constantFrom(...CLUSTERS), fc.integer({ min: -45, max: 45 }))
  .map(([value, offset]) => value + BigInt(offset));

interface Domain {
  readonly type: TestColumn['type'];
  readonly cell: fc.Arbitrary<Cell>;
  readonly constant: fc.Arbitrary<Value>;
  /** Where the cells of a column have to do with each other. */
  readonly cells?: (rows: number) => fc.Arbitrary<Cell[]>;
}

/**
 * Values that a column is drawn from, and constants that it is compared with: the same and their neighbours, of other
 * numeric types too.
 */
const DOMAINS: Readonly<Record<string, Domain>> = {
  small: {
    type: 'int32',
    cell: fc.integer({ min: -20, max: 20 }),
    constant: fc.oneof(fc.integer({ min: -22, max: 22 }), fc.constantFrom<Value>(0.5, -3.25, 1e20, -Infinity, NaN, 5n)),
  },
  byte: {
    type: 'int8',
    cell: fc.integer({ min: -128, max: 127 }),
    constant: fc.oneof(fc.integer({ min: -130, max: 130 }), fc.constant(7.5)),
  },
  unsigned: {
    type: 'uint64',
    cell: fc.oneof(fc.bigInt({ min: 0n, max: 50n }), fc.constantFrom(...integerEdges(0n, 2n ** 64n - 1n))),
    constant: fc.oneof(
      fc.bigInt({ min: -2n, max: 52n }),
      fc.constantFrom<Value>(...integerEdges(0n, 2n ** 64n - 1n), ...BIG_NUMBERS, -1),
    ),
  },
  unsignedNear: {
    type: 'uint64',
    cell: integerArbitrary(0n, 2n ** 64n - 1n),
    cells: (rows) => clusterArbitrary(0n, 2n ** 64n - 1n, rows),
    constant: fc.oneof(nearby, fc.constantFrom<Value>(...BIG_NUMBERS)),
  },
  wide: {
    type: 'int64',
    cell: fc.oneof(fc.bigInt({ min: -30n, max: 30n }), fc.constantFrom(...BIG)),
    constant: fc.oneof(fc.bigInt({ min: -31n, max: 31n }), fc.constantFrom<Value>(...BIG, ...BIG_NUMBERS)),
  },
  near: {
    type: 'int64',
    cell: integerArbitrary(LEAST, MOST),
    cells: (rows) => clusterArbitrary(LEAST, MOST, rows),
    constant: fc.oneof(nearby, fc.constantFrom<Value>(...BIG_NUMBERS)),
  },
  steps: {
    type: 'int64',
    cell: integerArbitrary(LEAST, MOST),
    cells: (rows) =>
      fc
        .tuple(nearby, fc.integer({ min: -5, max: 5 }))
        .map(([first, step]) =>
          Array.from({ length: rows }, (_, row) => BigInt.asIntN(64, first + BigInt(step * (row - (rows >> 1))))),
        ),
    constant: fc.oneof(nearby, fc.constantFrom<Value>(...BIG_NUMBERS)),
  },
  word: {
    type: 'int32',
    cell: integerArbitrary(-(2n ** 31n), 2n ** 31n - 1n).map(Number),
    constant: fc.oneof(integerArbitrary(-(2n ** 33n), 2n ** 33n), fc.constantFrom<Value>(...BIG_NUMBERS)),
  },
  unsignedWord: {
    type: 'uint32',
    cell: integerArbitrary(0n, 2n ** 32n - 1n).map(Number),
    cells: (rows) => clusterArbitrary(0n, 2n ** 32n - 1n, rows).map((values) => values.map(Number)),
    constant: fc.oneof(integerArbitrary(-(2n ** 33n), 2n ** 33n), fc.constantFrom<Value>(...BIG_NUMBERS)),
  },
  cents: {
    type: 'float64',
    cell: fc.integer({ min: -500, max: 5000 }).map((value) => (value === 0 ? 0 : value / 100)),
    constant: fc.oneof(
      fc.integer({ min: -500, max: 5000 }).map((value) => value / 100),
      fc.constantFrom<Value>(0.005, -0, 3n),
    ),
  },
  float: {
    type: 'float64',
    cell: fc.oneof(fc.constantFrom(...FLOATS), float64Arbitrary),
    constant: fc.oneof(fc.constantFrom<Value>(...FLOATS, ...BIG), fc.double()),
  },
  whole: {
    type: 'float64',
    cell: fc.integer(),
    cells: (rows) => clusterArbitrary(-(2n ** 53n), 2n ** 53n, rows).map((values) => values.map(Number)),
    constant: fc.oneof(nearby, fc.constantFrom<Value>(...FLOATS)),
  },
  single: {
    type: 'float32',
    cell: fc.oneof(fc.constantFrom(...FLOATS, ...FLOAT32_EDGES), float32Arbitrary).map((value) => Math.fround(value)),
    constant: fc.oneof(fc.constantFrom<Value>(...FLOATS, ...FLOAT32_EDGES, ...BIG), fc.float(), fc.constant(0.1)),
  },
  text: { type: 'string', cell: fc.constantFrom(...TEXTS), constant: fc.constantFrom(...TEXTS, 'A', `${LONG}zz`) },
  code: {
    type: 'string',
    cell: fc.integer({ min: 0, max: 9999 }).map((value) => `item-${String(value).padStart(4, '0')}`),
    constant: fc.integer({ min: 0, max: 9999 }).map((value) => `item-${String(value).padStart(4, '0')}`),
  },
  flag: { type: 'bool', cell: fc.boolean(), constant: fc.boolean() },
  time: {
    type: 'datetime',
    cell: fc.oneof(
      {
        weight: 20,
        arbitrary: fc.integer({ min: -5, max: 500 }).map((value) => 1_700_000_000_000_000n + 500n * BigInt(value)),
      },
      { weight: 1, arbitrary: fc.constant(-(2n ** 63n)) },
    ),
    constant: fc.integer({ min: -3, max: 260 }).map((value) => new Date(1_700_000_000_000 + value)),
  },
  day: {
    type: 'date',
    cell: fc.integer({ min: -3, max: 30 }).map((value) => BigInt(value)),
    constant: fc.integer({ min: -4 * 24, max: 31 * 24 }).map((value) => new Date(value * 3_600_000)),
  },
};
const KINDS = Object.keys(DOMAINS);

/** Shapes that statistics can do something with: sorted, in clusters, constant; and ones they cannot. */
const SHAPES = ['random', 'sorted', 'runs', 'constant'] as const;

export const tableArbitrary: fc.Arbitrary<readonly RandomColumn[]> = fc
  .tuple(fc.integer({ min: 1, max: 300 }), fc.array(fc.constantFrom(...KINDS), { minLength: 1, maxLength: 4 }))
  .chain(([rows, kinds]) => fc.tuple(...kinds.map((kind, number) => columnArbitrary(kind, number, rows))));

function columnArbitrary(kind: string, number: number, rows: number): fc.Arbitrary<RandomColumn> {
  const { type, cell, cells: all } = DOMAINS[kind]!;
  return fc
    .tuple(
      all?.(rows) ?? fc.array(cell, { minLength: rows, maxLength: rows }),
      fc.constantFrom(...SHAPES),
      fc.constantFrom(0, 0, 0.1, 0.6, 1),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: rows, maxLength: rows }),
      fc.boolean(),
    )
    .map(([drawn, shape, nullShare, draws, inStretches]) => {
      const cells: Cell[] =
        shape === 'sorted'
          ? [...drawn].sort(byOrder)
          : drawn.map((value, row) =>
              shape === 'runs' ? drawn[row - (row % 17)]! : shape === 'constant' ? drawn[0]! : value,
            );
      const withNulls = cells.map((value, row) =>
        (inStretches ? draws[row >> 5]! : draws[row]!) < nullShare ? null : value,
      );
      return { cells: withNulls, column: testColumn(`${kind} ${number}`, type, withNulls, nullShare > 0) };
    });
}

function byOrder(a: Cell, b: Cell): number {
  return compare(a as Value, b as Value) ?? (Number.isNaN(a) ? 1 : 0) - (Number.isNaN(b) ? 1 : 0);
}

const ARRAYS: Readonly<
  Record<
    string,
    {
      from(numbers: readonly number[]): Int8Array | Int32Array | Uint32Array | Float32Array | Float64Array | Uint8Array;
    }
  >
> = {
  int8: Int8Array,
  int32: Int32Array,
  uint32: Uint32Array,
  float32: Float32Array,
  float64: Float64Array,
  bool: Uint8Array,
};

function testColumn(name: string, type: TestColumn['type'], cells: readonly Cell[], nullable: boolean): TestColumn {
  if (type === 'string') return { name, type, values: cells as (string | null)[] };
  const validity = new Uint8Array(Math.ceil(cells.length / 8));
  cells.forEach((cell, row) => {
    if (cell !== null) validity[row >>> 3]! |= 1 << (row & 7);
  });
  const values =
    type === 'uint64'
      ? BigUint64Array.from(cells, (cell) => (cell ?? 0n) as bigint)
      : type === 'int64' || type === 'datetime' || type === 'date'
        ? BigInt64Array.from(cells, (cell) => (cell ?? 0n) as bigint)
        : ARRAYS[type]!.from(cells.map((cell) => Number(cell ?? 0)));
  return nullable ? { name, type, values, validity } : { name, type, values };
}

export function treeArbitrary(columns: readonly RandomColumn[]): fc.Arbitrary<Tree> {
  const leaf = fc.integer({ min: 0, max: columns.length - 1 }).chain((column) => leafArbitrary(columns, column));
  return fc.letrec<{ tree: Tree; leaf: Tree }>((tie) => ({
    leaf,
    tree: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      tie('leaf'),
      fc.record({ kind: fc.constantFrom('and' as const, 'or' as const), left: tie('tree'), right: tie('tree') }),
      fc.record({ kind: fc.constant('not' as const), term: tie('tree') }),
    ),
  })).tree;
}

function leafArbitrary(columns: readonly RandomColumn[], column: number): fc.Arbitrary<Tree> {
  const kind = columns[column]!.column.name.split(' ')[0]!;
  const { type, constant, cell } = DOMAINS[kind]!;
  const own = type === 'datetime' || type === 'date' ? constant : fc.oneof(constant, cell as fc.Arbitrary<Value>);
  const op = fc.constantFrom<Op>('eq', 'ne', 'lt', 'le', 'gt', 'ge');
  const options: fc.Arbitrary<Tree>[] = [
    fc.record({ kind: fc.constant('compare' as const), column: fc.constant(column), op, value: own }),
    fc.record({ kind: fc.constant('compare' as const), column: fc.constant(column), op, value: own }),
    fc.record({ kind: fc.constant('between' as const), column: fc.constant(column), low: own, high: own }),
    fc.record({
      kind: fc.constant('in' as const),
      column: fc.constant(column),
      values: fc.array(own, { maxLength: 20 }),
    }),
    fc.record({ kind: fc.constantFrom('null' as const, 'present' as const), column: fc.constant(column) }),
  ];
  if (type === 'string')
    options.push(
      fc.record({
        kind: fc.constant('starts' as const),
        column: fc.constant(column),
        prefix: fc.constantFrom('', 'a', 'item-0', 'x', LONG, `${LONG}a`, '\ud83d', 'é'),
      }),
    );
  const numbers = columns.flatMap(({ column: other }, number) =>
    ['int8', 'int32', 'uint32', 'float64'].includes(other.type) ? [number] : [],
  );
  if (numbers.includes(column))
    options.push(
      fc.record({
        kind: fc.constant('sum' as const),
        column: fc.constant(column),
        other: fc.constantFrom(...numbers),
        op,
        value: fc.integer({ min: -50, max: 50 }),
      }),
    );
  return fc.oneof(...options);
}

/** As users write it. */
export function expressionOf(tree: Tree, names: readonly string[]): Expression<boolean> {
  const name = 'column' in tree ? names[tree.column]! : '';
  switch (tree.kind) {
    case 'compare':
      return col(name)[tree.op](tree.value);
    case 'between':
      return col(name).between(tree.low, tree.high);
    case 'in':
      return col(name).isIn(tree.values);
    case 'starts':
      return col(name).startsWith(tree.prefix);
    case 'null':
      return col(name).isNull();
    case 'present':
      return col(name).notNull();
    case 'sum':
      return col(name).add(col(names[tree.other]!))[tree.op](tree.value);
    case 'and':
      return expressionOf(tree.left, names).and(expressionOf(tree.right, names));
    case 'or':
      return expressionOf(tree.left, names).or(expressionOf(tree.right, names));
    case 'not':
      return expressionOf(tree.term, names).not();
  }
}

/** The rows for which the tree is true. */
export function bruteForce(tree: Tree, columns: readonly RandomColumn[]): number[] {
  return columns[0]!.cells.flatMap((_, row) => (truth(tree, columns, row) === true ? [row] : []));
}

function truth(tree: Tree, columns: readonly RandomColumn[], row: number): Truth {
  const cell = 'column' in tree ? columns[tree.column]!.cells[row]! : null;
  const value = 'column' in tree ? comparable(cell, columns[tree.column]!.column.type) : null;
  switch (tree.kind) {
    case 'null':
      return cell === null;
    case 'present':
      return cell !== null;
    case 'compare':
      return holds(tree.op, value, tree.value);
    case 'between':
      return and(holds('ge', value, tree.low), holds('le', value, tree.high));
    case 'in':
      return cell === null ? null : tree.values.some((one) => holds('eq', value, one) === true);
    case 'starts':
      return cell === null ? null : (cell as string).startsWith(tree.prefix);
    case 'sum': {
      const other = columns[tree.other]!.cells[row]!;
      return cell === null || other === null ? null : holds(tree.op, Number(cell) + Number(other), tree.value);
    }
    case 'and':
      return and(truth(tree.left, columns, row), truth(tree.right, columns, row));
    case 'or':
      return not(and(not(truth(tree.left, columns, row)), not(truth(tree.right, columns, row))));
    case 'not':
      return not(truth(tree.term, columns, row));
  }
}

/** Moments as microseconds; NaT as NaN, which compares like it. */
function comparable(cell: Cell, type: string): Value | null {
  if (cell instanceof Uint8Array) return null;
  if (cell === null || (type !== 'datetime' && type !== 'date')) return cell;
  if (cell === -(2n ** 63n)) return NaN;
  return type === 'date' ? (cell as bigint) * 86_400_000_000n : cell;
}

function and(a: Truth, b: Truth): Truth {
  if (a === false || b === false) return false;
  return a === null || b === null ? null : true;
}

function not(a: Truth): Truth {
  return a === null ? null : !a;
}

function holds(op: Op, left: Value | null, right: Value): Truth {
  if (left === null) return null;
  const order = compare(left, right instanceof Date ? BigInt(right.getTime()) * 1000n : right);
  if (order === null) return op === 'ne';
  return { eq: order === 0, ne: order !== 0, lt: order < 0, le: order <= 0, gt: order > 0, ge: order >= 0 }[op];
}

/** Null where one is NaN. Text by code points. JavaScript compares bigint with number exactly. */
function compare(left: Value, right: Value): number | null {
  if (typeof left === 'string' && typeof right === 'string') return compareText(left, right);
  if (left !== left || right !== right) return null;
  return left < right ? -1 : left > right ? 1 : 0;
}

function compareText(left: string, right: string): number {
  const [a, b] = [
    Array.from(left, (point) => point.codePointAt(0)!),
    Array.from(right, (point) => point.codePointAt(0)!),
  ];
  for (let at = 0; at < Math.min(a.length, b.length); at++) if (a[at] !== b[at]) return a[at]! - b[at]!;
  return a.length - b.length;
}
