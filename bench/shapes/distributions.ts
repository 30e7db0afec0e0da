// What a column may look like: some twenty kinds of values, seeded, so that every machine has the same.
import { typed } from 'columna';
import type { TypedValues } from 'columna';

export type ShapeValues =
  | Int32Array
  | Float64Array
  | Float32Array
  | BigInt64Array
  | readonly (number | string | null)[];

export interface Shape {
  readonly name: string;
  /** One line: what the values are. */
  readonly title: string;
  /** The bit-packed shape of the same type that its times are compared with. */
  readonly against: string;
  readonly dtype: 'float64' | 'float32' | 'int32' | 'int64' | 'datetime64[us]' | 'bool' | 'string';
  /** What the filter looks for: rows above it, or texts equal to it. */
  readonly bound: number | bigint | string | boolean;
  values(rows: number): ShapeValues;
}

type Random = () => number;

/** Numbers in [0, 1) with 32 bits each, the same for the same seed. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function doubles(rows: number, of: (random: Random, row: number) => number, seed = 1): Float64Array {
  const random = randomOf(seed);
  return Float64Array.from({ length: rows }, (_, row) => of(random, row));
}

function longs(rows: number, of: (random: Random, row: number) => bigint): BigInt64Array {
  const random = randomOf(2);
  return BigInt64Array.from({ length: rows }, (_, row) => of(random, row));
}

function integers(rows: number, of: (random: Random, row: number) => number): Int32Array {
  const random = randomOf(3);
  return Int32Array.from({ length: rows }, (_, row) => of(random, row));
}

function texts(rows: number, of: (random: Random, row: number) => string): readonly string[] {
  const random = randomOf(4);
  return Array.from({ length: rows }, (_, row) => of(random, row));
}

const cents = (random: Random): number => Math.floor(random() * 100_000) / 100;
const below = (random: Random, most: number): number => Math.floor(random() * most);
const WORDS = 'the quick brown fox jumps over a lazy dog while seven wise men count their golden coins'.split(' ');

/** Sums of what `step` gives, one behind the other. */
function walk(rows: number, step: (random: Random) => number): Float64Array {
  let sum = 0;
  return doubles(rows, (random) => (sum += step(random)));
}

const float64 = { dtype: 'float64', against: 'cents', bound: 900 } as const;
const int32 = { dtype: 'int32', against: 'int32', bound: 90_000 } as const;
const int64 = { dtype: 'int64', against: 'int64', bound: 1n << 31n } as const;
const text = { dtype: 'string', against: 'few texts' } as const;

export const SHAPES: readonly Shape[] = [
  { name: 'cents', title: 'random cents: bit-packed', ...float64, values: (rows) => doubles(rows, cents) },
  {
    name: 'doubles',
    title: 'random doubles',
    ...float64,
    bound: 0.9,
    values: (rows) => doubles(rows, (r) => r() + r() / 2 ** 32),
  },
  {
    name: 'short doubles',
    title: 'random doubles of 32 bits',
    ...float64,
    bound: 0.9,
    values: (rows) => doubles(rows, (random) => random()),
  },
  {
    name: 'repeated',
    title: 'cents that repeat after 5,000 rows',
    ...float64,
    values: (rows) => {
      const cycle = doubles(5000, cents);
      return doubles(rows, (_, row) => cycle[row % cycle.length] as number);
    },
  },
  {
    name: 'walk',
    title: 'a random walk in cents, as sums of floats',
    ...float64,
    bound: 0,
    values: (rows) => walk(rows, (random) => (below(random, 201) - 100) / 100),
  },
  {
    name: 'sine',
    title: 'a sampled sine, 5,000 samples a period',
    ...float64,
    bound: 0.9,
    values: (rows) => doubles(rows, (_, row) => Math.sin((2 * Math.PI * (row % 5000)) / 5000)),
  },
  {
    name: 'cents with nulls',
    title: 'cents, a fifth null',
    ...float64,
    values: (rows) => {
      const random = randomOf(5);
      return Array.from({ length: rows }, () => (random() < 0.2 ? null : cents(random)));
    },
  },
  {
    name: 'sparse',
    title: 'zeros, one in fifty a random double',
    ...float64,
    bound: 0.5,
    values: (rows) => doubles(rows, (random) => (random() < 0.02 ? random() : 0)),
  },
  {
    name: 'sensor',
    title: 'readings with noise, three decimals',
    ...float64,
    bound: 21,
    values: (rows) =>
      doubles(rows, (r, row) => Math.round(20_000 + 1000 * Math.sin(row / 1e4) + 50 * (r() - r())) / 1000),
  },
  {
    name: 'coordinates',
    title: 'latitudes to seven decimals',
    ...float64,
    bound: 50,
    values: (rows) => doubles(rows, (random) => Math.round(4.7e8 + 6e7 * random()) / 1e7),
  },
  {
    name: 'float32',
    title: 'random float32',
    dtype: 'float32',
    against: 'cents',
    bound: 0.9,
    values: (rows) => Float32Array.from(doubles(rows, (random) => random())),
  },
  {
    name: 'int32',
    title: 'random int32: bit-packed',
    ...int32,
    values: (rows) => integers(rows, (r) => below(r, 100_000)),
  },
  {
    name: 'skewed',
    title: 'int32 of a long tail',
    ...int32,
    bound: 1000,
    values: (rows) => integers(rows, (random) => Math.min(1e9, Math.floor(1 / (1 - random()) ** 1.2))),
  },
  {
    name: 'runs',
    title: 'int32 in runs of a hundred or so',
    ...int32,
    bound: 900,
    values: (rows) => {
      let [value, left] = [0, 0];
      return integers(rows, (random) => {
        if (left-- > 0) return value;
        [value, left] = [below(random, 1000), below(random, 200)];
        return value;
      });
    },
  },
  {
    name: 'int32 with nulls',
    title: 'random int32, a fifth null',
    ...int32,
    values: (rows) => {
      const random = randomOf(6);
      return Array.from({ length: rows }, () => (random() < 0.2 ? null : below(random, 100_000)));
    },
  },
  {
    name: 'int64',
    title: 'random int64 of 32 bits: bit-packed',
    ...int64,
    values: (rows) => longs(rows, (r) => BigInt(Math.floor(r() * 2 ** 32))),
  },
  {
    name: 'wide int64',
    title: 'random int64 of 60 bits',
    ...int64,
    bound: 1n << 59n,
    values: (rows) => longs(rows, (r) => (BigInt(below(r, 2 ** 28)) << 32n) | BigInt(Math.floor(r() * 2 ** 32))),
  },
  {
    name: 'sorted',
    title: 'int64, sorted, with gaps',
    ...int64,
    values: (rows) => {
      let sum = 1_000_000_000n;
      return longs(rows, (random) => (sum += BigInt(1 + (random() < 0.01 ? below(random, 10_000) : below(random, 4)))));
    },
  },
  {
    name: 'timestamps',
    title: 'datetimes, one a second, with jitter',
    dtype: 'datetime64[us]',
    against: 'int64',
    bound: 1_700_000_100_000_000n,
    values: (rows) =>
      longs(rows, (r, row) => 1_700_000_000_000_000n + BigInt(row) * 1_000_000n + BigInt(below(r, 5000))),
  },
  {
    name: 'few texts',
    title: 'texts, fifty different ones',
    ...text,
    bound: 'city 7',
    values: (rows) => texts(rows, (random) => `city ${String(below(random, 50))}`),
  },
  {
    name: 'many texts',
    title: 'texts, half of a million different ones',
    ...text,
    bound: 'user 7',
    values: (rows) => texts(rows, (random) => `user ${String(below(random, 500_000))}`),
  },
  {
    name: 'unique texts',
    title: 'short texts, all different',
    ...text,
    bound: 'k12',
    values: (rows) => texts(rows, (random, row) => `k${(row * 7919).toString(36)}${below(random, 1e9).toString(36)}`),
  },
  {
    name: 'sorted texts',
    title: 'keys of thirteen characters, in order, with gaps',
    ...text,
    bound: 'user:20000000',
    values: (rows) => {
      let key = 10_000_000;
      return texts(rows, (random) => `user:${String((key += 1 + below(random, 9)))}`);
    },
  },
  {
    name: 'long texts',
    title: 'sentences of a dozen words',
    ...text,
    bound: 'the quick',
    values: (rows) =>
      texts(rows, (random) =>
        Array.from({ length: 6 + below(random, 12) }, () => WORDS[below(random, WORDS.length)]).join(' '),
      ),
  },
];

/** As `write` takes it. */
export function inputOf({ dtype }: Shape, values: ShapeValues): TypedValues {
  return typed(dtype as never, values as never);
}

/** The column that is grouped by: seven integers. */
export function groupKeys(rows: number): Int32Array {
  const random = randomOf(7);
  return Int32Array.from({ length: rows }, () => below(random, 7) * 10);
}

export function takenRows(rows: number, count: number): Uint32Array {
  const random = randomOf(8);
  return Uint32Array.from({ length: count }, () => below(random, rows));
}
