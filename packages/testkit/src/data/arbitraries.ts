// Random tables and random chains of view steps for fast-check. Steps are drawn as fractions and made concrete against
// the rows that are left, so that every chain is valid and shrinks well.
import fc from 'fast-check';
import { characterArbitrary } from './characters.ts';
import { CLUSTERS, FLOAT16_EDGES, FLOAT32_EDGES, FLOAT64_EDGES, integerEdges } from './edges.ts';
import { applyAction } from './oracle.ts';
import type { Action, OracleColumn, OracleTable } from './oracle.ts';

/** Names that have gone wrong in somebody's library. */
const NAMES = ['price', 'qty', '__proto__', 'constructor', 'toString', '10', '2', '', 'é', '日本', 'a b', 'x"y', '\n'];
const INTEGERS: Readonly<Record<string, readonly [bigint, bigint]>> = {
  int8: [-(2n ** 7n), 2n ** 7n - 1n],
  uint8: [0n, 2n ** 8n - 1n],
  int16: [-(2n ** 15n), 2n ** 15n - 1n],
  uint16: [0n, 2n ** 16n - 1n],
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  uint32: [0n, 2n ** 32n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
};

export interface TableOptions {
  /** Of which dtypes; default: fixed-width ones, of every kind. */
  readonly dtypes?: readonly string[];
  /** Whether columns may hold null; default false. */
  readonly nullable?: boolean;
  readonly mostRows?: number;
  readonly mostColumns?: number;
}

export const FIXED_DTYPES: readonly string[] = [
  'bool',
  ...Object.keys(INTEGERS),
  'float16',
  'float32',
  'float64',
  'datetime64[us]',
  'datetime64[25s]',
  'timedelta64[ns]',
  'S1',
  'S5',
  'U1',
  'U3',
];
export const ALL_DTYPES: readonly string[] = [...FIXED_DTYPES, 'string', 'binary'];

/** Tables of 0 to `mostRows` (24) rows and 1 to `mostColumns` (5) columns with different names. */
export function tableArbitrary(options: TableOptions = {}): fc.Arbitrary<OracleTable> {
  const { dtypes = FIXED_DTYPES, nullable = false, mostRows = 24, mostColumns = 5 } = options;
  return fc.integer({ min: 0, max: mostRows }).chain((rowCount) =>
    fc
      .uniqueArray(fc.constantFrom(...NAMES), { minLength: 1, maxLength: mostColumns })
      .chain((names) => fc.tuple(...names.map((name) => columnArbitrary(name, rowCount, dtypes, nullable))))
      .map((columns) => ({ rowCount, columns })),
  );
}

function columnArbitrary(
  name: string,
  rowCount: number,
  dtypes: readonly string[],
  mayBeNullable: boolean,
): fc.Arbitrary<OracleColumn> {
  return fc
    .tuple(fc.constantFrom(...dtypes), mayBeNullable ? fc.boolean() : fc.constant(false))
    .chain(([dtype, nullable]) => {
      const rows = { minLength: rowCount, maxLength: rowCount };
      const put = (values: fc.Arbitrary<unknown[]>): fc.Arbitrary<OracleColumn> =>
        (nullable
          ? fc
              .tuple(values, fc.array(fc.nat(3), rows))
              .map(([drawn, present]) => drawn.map((value, row) => (present[row] === 0 ? null : value)))
          : values
        ).map((drawn) => ({ name, dtype, nullable, values: drawn }));
      const anywhere = fc.array(valueArbitrary(dtype), rows);
      const integers = INTEGERS[dtype];
      if (integers === undefined) return put(anywhere);
      const [min, max] = integers;
      return put(
        fc.oneof(
          { weight: 3, arbitrary: anywhere },
          {
            weight: 1,
            arbitrary: clusterArbitrary(min, max, rowCount).map((values) =>
              max > 2n ** 32n ? values : values.map(Number),
            ),
          },
        ),
      );
    });
}

/** Integers of [min, max]: anywhere, at an edge, or next to one, where several of them are packed by their distance. */
export function integerArbitrary(min: bigint, max: bigint): fc.Arbitrary<bigint> {
  const near = CLUSTERS.filter((value) => value - 40n >= min && value + 40n <= max);
  const arbitraries = [fc.bigInt({ min, max }), fc.constantFrom(...integerEdges(min, max))];
  if (near.length > 0)
    arbitraries.push(
      fc
        .tuple(fc.constantFrom(...near), fc.integer({ min: -40, max: 40 }))
        .map(([value, offset]) => value + BigInt(offset)),
    );
  return fc.oneof(...arbitraries);
}

/** `count` integers close to one edge of [min, max]: what becomes a small number with a base. */
export function clusterArbitrary(
  min: bigint,
  max: bigint,
  count: number,
  step: readonly number[] = [1, 1, 2, 3, 10],
): fc.Arbitrary<bigint[]> {
  const near = CLUSTERS.filter((value) => value - 400n >= min && value + 400n <= max);
  // Of eight bits, 40 either way of the middle.
  return fc
    .tuple(
      fc.constantFrom(...(near.length > 0 ? near : [(min + max) / 2n])),
      fc.constantFrom(...(near.length > 0 ? step : [1])),
      fc.array(fc.integer({ min: -40, max: 40 }), { minLength: count, maxLength: count }),
    )
    .map(([value, by, offsets]) => offsets.map((offset) => value + BigInt(offset * by)));
}

export const float64Arbitrary: fc.Arbitrary<number> = fc.oneof(fc.double(), fc.constantFrom(...FLOAT64_EDGES));
export const float32Arbitrary: fc.Arbitrary<number> = fc.oneof(fc.float(), fc.constantFrom(...FLOAT32_EDGES));

/** U+FEFF in front is what decoders drop that are not told otherwise. */
const stringArbitrary: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom('', '', '', '\uFEFF'), fc.string({ unit: characterArbitrary, maxLength: 8 }))
  .map(([front, text]) => front + text);

/** Values as `at()` gives them. */
function valueArbitrary(dtype: string): fc.Arbitrary<unknown> {
  const integers = INTEGERS[dtype];
  if (integers !== undefined) {
    const [min, max] = integers;
    const wide = max > 2n ** 32n;
    return integerArbitrary(min, max).map((value) => (wide ? value : Number(value)));
  }
  if (dtype === 'bool') return fc.boolean();
  if (dtype === 'float16') return fc.constantFrom(...FLOAT16_EDGES);
  if (dtype === 'float32') return float32Arbitrary;
  if (dtype === 'float64') return float64Arbitrary;
  if (dtype.startsWith('datetime64') || dtype.startsWith('timedelta64'))
    return fc.oneof(integerArbitrary(-(2n ** 63n), 2n ** 63n - 1n), fc.constant(-(2n ** 63n)));
  if (dtype === 'string') return stringArbitrary;
  if (dtype === 'binary') return fc.uint8Array({ maxLength: 6 });
  return textArbitrary(dtype);
}

/** Text that an S or U item gives back: it fits, and has no NUL at its end. */
function textArbitrary(dtype: string): fc.Arbitrary<string> {
  const length = Number(dtype.slice(1));
  const unit = dtype.startsWith('S')
    ? fc.integer({ min: 0, max: 0xff }).map((code) => String.fromCharCode(code))
    : fc.string({ unit: characterArbitrary, minLength: 1, maxLength: 1 });
  return fc.array(unit, { maxLength: length }).map((units) => {
    let text = units.join('');
    while (text.endsWith('\0')) text = text.slice(0, -1);
    return text;
  });
}

/** A step before it is known how many rows and which columns there are. */
type Sketch =
  | { readonly kind: 'slice'; readonly start: number | null; readonly end: number | null; readonly step: number | null }
  | { readonly kind: 'take'; readonly picks: readonly number[] }
  | { readonly kind: 'filter'; readonly keeps: readonly boolean[] }
  | { readonly kind: 'select' | 'drop'; readonly order: readonly number[] }
  | { readonly kind: 'head' | 'tail'; readonly part: number };

const fraction = fc.double({ min: -1.25, max: 1.25, noNaN: true });
const sketch: fc.Arbitrary<Sketch> = fc.oneof(
  fc.record({
    kind: fc.constant('slice' as const),
    start: fc.option(fraction),
    end: fc.option(fraction),
    step: fc.option(fc.constantFrom(1, 2, 3, 7, -1, -2, -3)),
  }),
  fc.record({
    kind: fc.constant('take' as const),
    picks: fc.array(fc.double({ min: -1, max: 1, noNaN: true, maxExcluded: true }), { maxLength: 30 }),
  }),
  fc.record({ kind: fc.constant('filter' as const), keeps: fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }) }),
  fc.record({
    kind: fc.constantFrom('select' as const, 'drop' as const),
    order: fc.array(fc.nat(8), { maxLength: 4 }),
  }),
  fc.record({
    kind: fc.constantFrom('head' as const, 'tail' as const),
    part: fc.double({ min: 0, max: 1.25, noNaN: true }),
  }),
);

/** A table, up to `depth` (6) steps on it, and what each of them leaves. */
export interface Chain {
  readonly table: OracleTable;
  readonly actions: readonly Action[];
  readonly expected: OracleTable;
}

export function chainArbitrary(options: TableOptions = {}, depth = 6): fc.Arbitrary<Chain> {
  return fc.tuple(tableArbitrary(options), fc.array(sketch, { maxLength: depth })).map(([table, sketches]) => {
    let expected = table;
    const actions = sketches.map((drawn) => {
      const action = concrete(drawn, expected);
      expected = applyAction(expected, action);
      return action;
    });
    return { table, actions, expected };
  });
}

function concrete(drawn: Sketch, { rowCount, columns }: OracleTable): Action {
  const row = (part: number | null): number | undefined => (part === null ? undefined : Math.round(part * rowCount));
  switch (drawn.kind) {
    case 'slice':
      return { kind: 'slice', start: row(drawn.start), end: row(drawn.end), step: drawn.step ?? undefined };
    case 'take':
      return { kind: 'take', indices: rowCount === 0 ? [] : drawn.picks.map((part) => Math.floor(part * rowCount)) };
    case 'filter':
      return {
        kind: 'filter',
        mask: Array.from({ length: rowCount }, (_, index) => drawn.keeps[index % drawn.keeps.length] === true),
      };
    case 'select':
    case 'drop': {
      const names =
        columns.length === 0
          ? []
          : [...new Set(drawn.order.map((position) => columns[position % columns.length]?.name ?? ''))];
      return { kind: drawn.kind, names };
    }
    case 'head':
    case 'tail':
      return { kind: drawn.kind, count: Math.round(drawn.part * rowCount) };
  }
}
