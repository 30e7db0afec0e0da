// Random tables: columns of values near each other, at the edges of their types, sorted, in runs, with nulls; and the
// constants that they are compared with.
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
import type { Cell } from './cells.ts';
import type { TestColumn } from './table.ts';

export interface RandomColumn {
  readonly column: TestColumn;
  readonly cells: readonly Cell[];
}

export type Value = number | bigint | string | boolean | Date;

export const LONG = 'x'.repeat(63);
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
export const DOMAINS: Readonly<Record<string, Domain>> = {
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
  .tuple(fc.integer({ min: 1, max: 160 }), fc.array(fc.constantFrom(...KINDS), { minLength: 1, maxLength: 4 }))
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

/** Null where one is NaN. Text by code points. JavaScript compares bigint with number exactly. */
export function compare(left: Value, right: Value): number | null {
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
