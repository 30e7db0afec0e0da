// A table of a seed: columns of every kind that both have, drawn from edges and from what is ordinary, in an order and
// with dependencies that lead to different encodings; without nulls, with some, or with blocks of them.
import { Random } from './random.mjs';

const INTS = [0n, 1n, -1n, 7n, -7n, 127n, -128n, 255n, 32767n, 2n ** 31n - 1n, -(2n ** 31n), 2n ** 53n - 1n, 2n ** 53n];
const WIDE = [...INTS, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 63n - 1n, -(2n ** 63n), 10n ** 18n];
const DOUBLES = [
  0,
  -0,
  1,
  -1,
  0.1,
  0.5,
  2.5,
  -2.5,
  1e-300,
  1e300,
  2 ** 53,
  2 ** 53 + 2,
  2 ** 63,
  Infinity,
  -Infinity,
  NaN,
];
export const TEXTS = [
  ...[
    '',
    'a',
    'A',
    'ab',
    'abc',
    'b',
    'EU',
    'EU-1',
    'eu',
    'zz',
    'NULL',
    'null',
    '1',
    '10',
    '2',
    ' a',
    'a ',
    'import os',
  ],
  ...['ä', 'Ä', 'ß', 'Straße', 'İ', 'σ', 'ς', 'Σ', '😀', '｡', 'a%b', 'a_b', 'a\\b', "it's", '"q"'],
  'x'.repeat(40),
];
const DAY_US = 86_400_000_000n;

/** Types of the columns: of colkit, and of DuckDB. */
export const COLUMNS = {
  id: ['int64', 'BIGINT'],
  i64: ['int64', 'BIGINT'],
  i64n: ['int64', 'BIGINT'],
  i32: ['int32', 'INTEGER'],
  i32n: ['int32', 'INTEGER'],
  u8: ['uint8', 'UTINYINT'],
  sorted: ['int32', 'INTEGER'],
  f64: ['float64', 'DOUBLE'],
  f64n: ['float64', 'DOUBLE'],
  f32: ['float32', 'FLOAT'],
  cents: ['float64', 'DOUBLE'],
  text: ['string', 'VARCHAR'],
  textn: ['string', 'VARCHAR'],
  key: ['string', 'VARCHAR'],
  day: ['datetime64[D]', 'DATE'],
  dayn: ['datetime64[D]', 'DATE'],
  moment: ['datetime64[us]', 'TIMESTAMP'],
  flag: ['bool', 'BOOLEAN'],
  flagn: ['bool', 'BOOLEAN'],
};

/** What every seed has: how its rows lie, and where its nulls are. Every second one has none, for .cstore files. */
const SHAPES = ['unordered', 'sorted by text', 'runs', 'columns that determine each other', 'few values'];

/** The values of each column by name: bigint for 64-bit integers and moments, null where a column `…n` has none. */
export function drawTable(seed, rowCount) {
  const random = new Random(seed);
  const shape = SHAPES[seed % SHAPES.length];
  const hasNulls = seed % 2 === 1;
  const rows = Array.from({ length: rowCount }, (_, row) => row);
  const each = (draw) => rows.map((row) => draw(row));
  const u8 = each(() => random.below(256));
  let i64 = each(() => (random.chance(0.2) ? random.pick(WIDE) : BigInt(random.below(2000) - 1000)));
  let i32 = each(() => (random.chance(0.1) ? random.pick([2 ** 31 - 1, -(2 ** 31), 0]) : random.below(40) - 20));
  let f64 = each(() => (random.chance(0.2) ? random.pick(DOUBLES) : Math.round(random.normal() * 1e4) / 100));
  let f32 = each(() => Math.fround(Math.round(random.normal() * 50) / 10));
  let cents = each(() => random.below(100_000) / 100);
  let text = each(() => random.pick(TEXTS));
  let day = each(() => BigInt(random.below(40_000) - 20_000));
  let flag = each(() => random.chance(0.5));
  if (shape === 'sorted by text') text.sort();
  if (shape === 'runs') {
    const length = 2 + random.below(400);
    const inRuns = (values) => rows.map((row) => values[row - (row % length)]);
    [text, i64, f64, flag, day] = [text, i64, f64, flag, day].map(inRuns);
  }
  if (shape === 'columns that determine each other') {
    i64 = u8.map((value) => BigInt(value) * 1_000_003n);
    text = u8.map((value) => TEXTS[value % TEXTS.length]);
    f64 = u8.map((value) => value / 8);
    day = u8.map((value) => BigInt(value) * 31n);
  }
  if (shape === 'few values') {
    i64 = rows.map(BigInt);
    i32 = i32.map((value) => value % 3);
    f32 = u8.map((value) => value % 4);
    cents = cents.map((value, row) => (u8[row] % 50 === 0 ? value : 1.25));
  }
  const block = random.chance(0.3) ? 1 + random.below(3000) : 0;
  const isNull = (row) => hasNulls && (block > 0 ? Math.floor(row / block) % 2 === 1 : random.chance(0.3));
  const withNulls = (values) => values.map((value, row) => (isNull(row) ? null : value));
  const columns = {
    ...{ id: rows.map(BigInt), i64, i64n: withNulls(i64), i32, i32n: withNulls(i32), u8 },
    sorted: each(() => random.below(1 + rowCount / 3)).sort((one, other) => one - other),
    ...{ f64, f64n: withNulls(f64), f32, cents, text, textn: withNulls(text) },
    key: each(() => `k${String(random.below(997)).padStart(4, '0')}-${random.pick(TEXTS)}`),
    ...{ day, dayn: withNulls(day) },
    moment: each(() => (18_262n + BigInt(random.below(20_000) - 10_000)) * DAY_US + BigInt(random.below(864e8))),
    ...{ flag, flagn: withNulls(flag) },
  };
  return { columns, hasNulls, shape };
}
