// Tables that between them use every type, every encoding, nulls of every pattern, several pages and row groups, joint
// dictionaries and all modes: for round trips and for the reference reader.
import { FLOAT32_PATTERNS, FLOAT64_PATTERNS, createRandom, integerEdges } from '@colkit/testkit';
import type { Random } from '@colkit/testkit';
import type { TestColumn, TestOptions } from './table.ts';

export interface Sample {
  readonly name: string;
  readonly columns: readonly TestColumn[];
  readonly options: TestOptions;
}

const NOTES = ['gift', 'priority', 'fragile', 'call before', 'backorder'];

function bitmap(rows: number, isPresent: (row: number) => boolean): Uint8Array {
  const bits = new Uint8Array(Math.ceil(rows / 8));
  for (let row = 0; row < rows; row++) if (isPresent(row)) bits[row >>> 3]! |= 1 << (row & 7);
  return bits;
}

/** Orders, as the workloads have them. */
function orders(random: Random, rows: number): TestColumn[] {
  let time = 1_704_067_200_000_000n;
  let status = 0;
  return [
    { name: 'order_id', type: 'int64', values: BigInt64Array.from({ length: rows }, (_, i) => 100_000n + BigInt(i)) },
    {
      name: 'ts',
      type: 'datetime',
      values: BigInt64Array.from({ length: rows }, () => (time += 60_000_000n * BigInt(1 + random.integer(5)))),
    },
    {
      name: 'region',
      type: 'string',
      values: Array.from({ length: rows }, () => random.pick(['EMEA', 'APAC', 'AMER', 'LATAM'])),
    },
    {
      name: 'status',
      type: 'string',
      values: Array.from(
        { length: rows },
        () => ['paid', 'pending', 'refunded'][(status = random.integer(25) === 0 ? random.integer(3) : status)]!,
      ),
    },
    {
      name: 'amount',
      type: 'float64',
      values: Float64Array.from({ length: rows }, (_, i) => Number((1 + i / 10 + random.number() * 1428).toFixed(2))),
    },
    { name: 'quantity', type: 'int32', values: Int32Array.from({ length: rows }, () => 1 + random.integer(12)) },
    {
      name: 'note',
      type: 'string',
      values: Array.from({ length: rows }, () => (random.number() < 0.7 ? null : random.pick(NOTES))),
    },
  ];
}

/** Flights: origin and destination determine the distance, which is null on some routes. */
function flights(random: Random, rows: number): TestColumn[] {
  const routes = Array.from({ length: 120 }, () => [random.integer(20), random.integer(20)] as const);
  const flown = Array.from({ length: rows }, () => random.integer(routes.length));
  const airport = (number: number) => `A${String(number).padStart(2, '0')}`;
  const isKnown = (route: number) => route % 7 !== 0;
  return [
    { name: 'origin', type: 'string', values: flown.map((route) => airport(routes[route]![0])) },
    {
      name: 'delay',
      type: 'int16',
      values: Int16Array.from({ length: rows }, () => Math.round(Math.tan(random.number() * 3) * 10)),
    },
    {
      name: 'destination',
      type: 'string',
      values: flown.map((route) => (route === 5 ? null : airport(routes[route]![1]))),
    },
    {
      name: 'distance',
      type: 'float32',
      values: Float32Array.from(flown, (route) => routes[route]![0] * 31 + routes[route]![1]),
      validity: bitmap(rows, (row) => isKnown(flown[row]!)),
    },
  ];
}

/** Every fixed-width type with its extremes, with nulls in a pattern of its own. */
function everyType(random: Random, rows: number): TestColumn[] {
  const words = () =>
    BigInt64Array.from({ length: rows }, (_, i) =>
      i % 5 === 0 ? -(2n ** 63n) : i % 5 === 1 ? 2n ** 63n - 1n : random.int64(),
    );
  const some = (share: number) => bitmap(rows, () => random.number() < share);
  const floats = [0, -0, NaN, Infinity, -Infinity, 5e-324, 1.7976931348623157e308, 0.1, 1e22, -12.5];
  // By their bits: NaNs quiet and signalling, of both signs, with what they carry; zeros, subnormals, infinities.
  const payloads = BigUint64Array.from(
    { length: rows },
    (_, i) => FLOAT64_PATTERNS[(i * 5) % FLOAT64_PATTERNS.length]!,
  );
  const singles = Uint32Array.from({ length: rows }, (_, i) => FLOAT32_PATTERNS[(i * 5) % FLOAT32_PATTERNS.length]!);
  const edges = integerEdges(-(2n ** 63n), 2n ** 63n - 1n);
  return [
    {
      name: 'bool',
      type: 'bool',
      values: Uint8Array.from({ length: rows }, () => random.integer(2)),
      validity: some(0.9),
    },
    { name: 'int8', type: 'int8', values: new Int8Array(words().buffer, 0, rows) },
    { name: 'int16', type: 'int16', values: new Int16Array(words().buffer, 0, rows), validity: some(0.5) },
    { name: 'int32', type: 'int32', values: new Int32Array(words().buffer, 0, rows) },
    { name: 'int64', type: 'int64', values: words(), validity: bitmap(rows, (row) => row % 3 === 1) },
    { name: 'uint8', type: 'uint8', values: new Uint8Array(words().buffer, 0, rows) },
    {
      name: 'uint16',
      type: 'uint16',
      values: new Uint16Array(words().buffer, 0, rows),
      validity: bitmap(rows, (row) => row === 0),
    },
    { name: 'uint32', type: 'uint32', values: new Uint32Array(words().buffer, 0, rows) },
    { name: 'uint64', type: 'uint64', values: new BigUint64Array(words().buffer) },
    { name: 'float32', type: 'float32', values: new Float32Array(words().buffer, 0, rows), validity: some(0.7) },
    {
      name: 'float64',
      type: 'float64',
      values: Float64Array.from({ length: rows }, (_, i) => floats[i % floats.length]!),
    },
    { name: 'nan', type: 'float64', values: new Float64Array(payloads.buffer), validity: some(0.99) },
    { name: 'single nan', type: 'float32', values: new Float32Array(singles.buffer) },
    {
      name: 'edges',
      type: 'int64',
      values: BigInt64Array.from({ length: rows }, (_, i) => edges[(i * 7) % edges.length]!),
    },
    {
      name: 'about 2^53',
      type: 'int64',
      values: BigInt64Array.from({ length: rows }, (_, i) => 2n ** 53n + BigInt(((i * 7919) % 9) - 4)),
    },
    {
      name: 'about -2^53',
      type: 'int64',
      values: BigInt64Array.from({ length: rows }, (_, i) => -(2n ** 53n) - BigInt(i - (rows >> 1))),
    },
    {
      name: 'date',
      type: 'date',
      values: BigInt64Array.from({ length: rows }, () => BigInt(random.integer(40_000) - 10_000)),
      validity: some(0.8),
    },
    { name: 'datetime', type: 'datetime', values: words() },
    { name: 'nothing', type: 'int64', values: new BigInt64Array(rows), validity: new Uint8Array(Math.ceil(rows / 8)) },
    {
      name: 'string',
      type: 'string',
      values: Array.from({ length: rows }, (_, i) =>
        i % 11 === 3
          ? null
          : Array.from('zażółć 😀').slice(0, random.integer(9)).join('') + String(random.integer(rows)),
      ),
    },
    {
      name: 'binary',
      type: 'binary',
      values: Array.from({ length: rows }, (_, i) =>
        i % 4 === 2 ? null : Uint8Array.from({ length: random.integer(6) }, () => random.integer(256)),
      ),
    },
  ];
}

/** Numbers that each encoding is for. */
function shapes(random: Random, rows: number): TestColumn[] {
  let at = 0n;
  let run = 0;
  return [
    { name: 'constant', type: 'float64', values: new Float64Array(rows).fill(2.5) },
    { name: 'steps', type: 'uint32', values: Uint32Array.from({ length: rows }, (_, i) => 7 * i) },
    {
      name: 'walk',
      type: 'int64',
      values: BigInt64Array.from({ length: rows }, () => (at += BigInt(random.integer(9) - 4))),
    },
    {
      name: 'far',
      type: 'int64',
      values: BigInt64Array.from(
        { length: rows },
        () => (at = BigInt.asIntN(64, at + 2n ** 40n * BigInt(random.integer(1000)))),
      ),
    },
    {
      name: 'runs',
      type: 'int16',
      values: Int16Array.from(
        { length: rows },
        () => (run = random.integer(30) === 0 ? random.integer(60000) - 30000 : run),
      ),
    },
    {
      name: 'outliers',
      type: 'int32',
      values: Int32Array.from({ length: rows }, () =>
        random.integer(200) === 0 ? random.integer(2 ** 31) : random.integer(5),
      ),
    },
    {
      name: 'skew',
      type: 'uint16',
      values: Uint16Array.from({ length: rows }, () => Math.floor(-Math.log(1 - random.number()) * 30)),
    },
    {
      name: 'wide skew',
      type: 'uint32',
      values: Uint32Array.from({ length: rows }, () => Math.floor(2 ** (random.number() ** 2 * 31))),
    },
    {
      name: 'few',
      type: 'int64',
      values: BigInt64Array.from({ length: rows }, () => [5n, 2n ** 60n, -7n, 123_456_789_012n][random.integer(4)]!),
    },
    {
      name: 'prices',
      type: 'float64',
      values: Float64Array.from({ length: rows }, (_, i) =>
        i % 50 === 0 ? Math.PI * i : random.integer(100_000) / 1000,
      ),
    },
    {
      name: 'single prices',
      type: 'float32',
      values: Float32Array.from({ length: rows }, () => random.integer(5000) / 100),
    },
    { name: 'measures', type: 'float64', values: Float64Array.from({ length: rows }, () => 20 + random.number()) },
    { name: 'flags', type: 'bool', values: Uint8Array.from({ length: rows }, (_, i) => Math.floor(i / 100) % 2) },
    { name: 'rare', type: 'bool', values: Uint8Array.from({ length: rows }, () => Number(random.integer(60) === 0)) },
    {
      name: 'urls',
      type: 'string',
      values: Array.from(
        { length: rows },
        () => `https://example.org/items/${random.integer(1e9)}?page=${random.integer(9)}`,
      ),
    },
    {
      name: 'codes',
      type: 'binary',
      values: Array.from({ length: rows }, () => Uint8Array.of(random.integer(256), 0, random.integer(2))),
    },
  ];
}

/** Many different texts and bytes, some of which come again. */
function texts(random: Random, rows: number): TestColumn[] {
  const words = ['import', 'return', 'self', 'żółć', '', 'lambda x:', 'None'];
  const sentence = () => Array.from({ length: random.integer(9) }, () => random.pick(words)).join(' ');
  return [
    { name: 'lines', type: 'string', values: Array.from({ length: rows }, () => sentence()) },
    {
      name: 'some',
      type: 'string',
      values: Array.from({ length: rows }, (_, row) => (row % 7 === 0 ? null : `${sentence()} ${row}`)),
    },
    {
      name: 'bytes',
      type: 'binary',
      values: Array.from({ length: rows }, () => Uint8Array.from({ length: 40 }, () => random.integer(256))),
    },
  ];
}

/** Small enough for a reader in plain Python, large enough for several pages and row groups. */
export function samples(): Sample[] {
  const random = createRandom(20);
  const list: Sample[] = [];
  for (const mode of ['default', 'smallest', 'plain'] as const) {
    list.push({
      name: `orders-${mode}`,
      columns: orders(random, 1300),
      options: { mode, rowGroupRows: 1040, pageRows: 264 },
    });
    list.push({
      name: `flights-${mode}`,
      columns: flights(random, 1500),
      options: { mode, rowGroupRows: 800, pageRows: 400 },
    });
    list.push({
      name: `types-${mode}`,
      columns: everyType(random, 403),
      options: { mode, rowGroupRows: 200, pageRows: 64 },
    });
    list.push({ name: `shapes-${mode}`, columns: shapes(random, 1100), options: { mode, pageRows: 640 } });
  }
  for (const rows of [1, 2, 7, 8, 9])
    list.push({ name: `types-${rows}`, columns: everyType(random, rows), options: {} });
  list.push({ name: 'one-page', columns: shapes(random, 3000), options: { joint: false } });
  for (const encoding of ['PLAIN', 'DELTA', 'DICTIONARY', 'RLE', 'BITPACK', 'ENTROPY'] as const) {
    const columns = shapes(random, 900)
      .filter(({ name }) => ['steps', 'walk', 'runs', 'skew'].includes(name))
      .map((column) => ({ ...column, encoding }));
    list.push({ name: `forced-${encoding}`, columns, options: { pageRows: 400 } });
  }
  for (const encoding of ['BLOCKS', 'ONPAIR', 'DICTIONARY', 'MATCHES', 'FRONT'] as const) {
    const columns = texts(random, 900).map((column) => ({ ...column, encoding }));
    list.push({ name: `texts-${encoding}`, columns, options: { pageRows: 400 } });
  }
  list.push({ name: 'texts', columns: texts(random, 1000), options: { pageRows: 640 } });
  const flags = shapes(random, 4000).filter(({ type }) => type === 'bool');
  list.push({
    name: 'forced-BITS',
    columns: flags.map((column) => ({ ...column, encoding: 'BITS' as const })),
    options: { mode: 'smallest', pageRows: 2000 },
  });
  return list;
}
