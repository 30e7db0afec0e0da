// Numbers and moments as bytes are the texts that `String` and `toISO` give, whatever memory is left.
import { parseDType } from '@colkit/io';
import { createRandom } from '@colkit/testkit';
import { expect, test } from 'vitest';
import { toISO } from '../../src/index.ts';
import { momentWriter } from '../../src/text-output/moment-bytes.ts';
import { TextBytes } from '../../src/text-output/text-bytes.ts';
import { doubleText, rounderOf, shortFloat } from '../../src/values/floats/short-floats.ts';

const random = createRandom(2026);

const out = new TextBytes();

/** @param room how much is left of the memory. */
function textOf(write: () => void, room = 64): string {
  out.bytes = new Uint8Array(4 + room);
  out.at = 4;
  write();
  return Buffer.from(out.bytes.subarray(4, out.at)).toString();
}

const EDGES = [
  0,
  -0,
  1,
  -1,
  0.1,
  0.01,
  0.001,
  1e-6,
  1.5e-6,
  1e-7,
  9.999999e-7,
  0.1 + 0.2,
  1 / 3,
  5e-324,
  2 ** -1022,
  1e15,
  1e15 - 0.5,
  999999999999999,
  1e16,
  2 ** 53,
  2 ** 53 + 2,
  1e20,
  1e21,
  123456789012345680000,
  1.7976931348623157e308,
  99.995,
  1.005,
  9999999999999.99,
  10000000000000.02,
  999999999.999999,
  1000000000.000001,
  8.41,
  76.65,
  0.30000000000000004,
  4.35,
  1.15,
  1e9,
  1e9 - 1,
  4294967296,
  99999999,
  100000000,
  123456.789,
  0.000009,
  1e-5,
];

test('doubles', () => {
  const bits = new BigUint64Array(1);
  const double = new Float64Array(bits.buffer);
  const drawn = Array.from({ length: 200_000 }, (_, index) => {
    const whole = random.integer(2 ** 31) * (index % 3 === 0 ? 1 : 2 ** 20);
    switch (index % 6) {
      case 0:
        bits[0] = (BigInt(random.uint32()) << 32n) | BigInt(random.uint32());
        return double[0] as number;
      case 1:
        return whole / 100;
      case 2:
        return -whole / 1e6;
      case 3:
        return Math.fround(whole / 2 ** 31);
      case 4:
        return whole / 1e3 + 1e-9;
      default:
        return whole;
    }
  });
  for (const value of [...EDGES, ...EDGES.map((each) => -each), ...drawn]) {
    if (!Number.isFinite(value)) continue;
    const isWide = Math.abs(value) > Number.MAX_SAFE_INTEGER;
    const wanted = Object.is(value, -0) ? '-0' : isWide ? value.toExponential() : String(value);
    const found = textOf(() => out.double(value));
    if (found !== wanted) expect([value, found]).toEqual([value, wanted]);
  }
});

test('whole numbers, with any room', () => {
  const drawn = Array.from({ length: 5000 }, () => Math.floor(random.number() * 2 ** random.integer(54)));
  for (const value of [...drawn, ...EDGES.filter(Number.isSafeInteger), Number.MAX_SAFE_INTEGER])
    for (const sign of [1, -1])
      expect(textOf(() => out.integer(sign * value), random.integer(3))).toBe(String(sign * value + 0));
});

test('texts of any characters', () => {
  for (const text of [
    '',
    'a',
    'é',
    'aé',
    '\u{1F600}',
    'x\uFFFDy',
    '\0',
    'a'.repeat(300),
    `${'a'.repeat(50)}\u{10FFFF}`,
  ])
    for (const room of [0, 1, 100]) {
      expect(textOf(() => out.text(text), room)).toBe(text);
      const bytes = Buffer.from(`.${text}.`);
      expect(textOf(() => out.copy(bytes, 1, bytes.length - 1), room)).toBe(text);
    }
});

test.each(['D', 's', 'ms', 'us', 'ns', 'ps', 'h', 'M', '25s'] as const)('moments of %s', (unit) => {
  const dtype = `datetime64[${unit}]` as const;
  const words = new Uint32Array(2);
  const write = momentWriter(parseDType(dtype), out);
  const ticks = new BigInt64Array(words.buffer);
  const edges = [0n, 1n, -1n, 86_399n, -86_400n, 253402300799n, 253402300800n, -62167219200n, -62167219201n];
  const pool = [1n, 1000n, 10n ** 6n, 10n ** 9n].flatMap((scale) =>
    edges.flatMap((each) => [each * scale, each * scale - 1n]),
  );
  const others = Array.from({ length: 3000 }, () => {
    words[0] = random.uint32();
    words[1] = random.uint32();
    return (ticks[0] as bigint) >> BigInt(random.integer(60));
  });
  for (const drawn of [...pool, ...others, 2n ** 63n - 1n, -(2n ** 63n) + 1n]) {
    const each = BigInt.asIntN(64, drawn);
    ticks[0] = each;
    const found = textOf(() => write(words[0] as number, (words[1] as number) | 0));
    if (found !== toISO(each, dtype)) expect([each, found]).toEqual([each, toISO(each, dtype)]);
  }
});

const SINGLES = Float32Array.from(
  { length: 60_000 },
  (_, i) => (i % 2 ? -1 : 1) * (random.integer(2 ** 30) / 2 ** 30) * 10 ** ((i % 12) - 5),
);

test.each(['float32', 'float16'] as const)('%s has the fewest digits that read as it does', (name) => {
  const info = parseDType(name);
  const round = rounderOf(info);
  const near = EDGES.flatMap((edge) => [edge, edge * (1 + 2 ** -23), edge * (1 - 2 ** -23), edge * (1 + 2 ** -10)]);
  const powers = Array.from({ length: 60 }, (_, i) => 2 ** (i - 30)).flatMap((power) => [
    power,
    power - power / 2 ** 24,
  ]);
  for (const each of [...near, ...powers, ...SINGLES, 1e-4, 0.00009999999, 3999999.75, 4e6, 4000000.5]) {
    const value = round(each);
    if (Number.isFinite(value) && !Object.is(value, -0))
      expect(textOf(() => out.float(value, info.itemBytes, round))).toBe(
        doubleText(shortFloat(value, info.itemBytes, round)),
      );
  }
});

test('floats of 4 bytes take no more time than doubles', () => {
  const values = SINGLES.filter((value) => Math.abs(value) >= 0.001);
  const doubles = Float64Array.from(values, (value) => value * (1 + 2 ** -40));
  const least = (numbers: Float32Array | Float64Array, write: (value: number) => void): number => {
    const times = Array.from({ length: 5 }, () => {
      const start = process.cpuUsage();
      out.take();
      for (const number of numbers) write(number);
      const { user, system } = process.cpuUsage(start);
      return user + system;
    });
    return Math.min(...times);
  };
  const singles = least(values, (value) => {
    out.float(value, 4, Math.fround);
  });
  const wanted = least(doubles, (value) => {
    out.double(value);
  });
  expect(singles / wanted).toBeLessThan(2);
});
