// Legal arguments for the loops that writers ask of the addon (native/writer-loops.d.cts).
import type { Random } from '../run/random.ts';

/** Null for a function that nobody described: it gets anything. */
export function writerArguments(name: string, random: Random): unknown[] | null {
  const n = random.integer(40);
  switch (name) {
    case 'normalizeItems':
      return [numbersOf(random, n), random.pick([null, new Uint32Array(n)]), new Float64Array(3)];
    case 'splitDecimals': {
      const values = Float64Array.from({ length: n }, () => random.integer(1000) / random.pick([10, 7]));
      const exceptions = new Uint32Array(random.integer(n + 1));
      return [random.pick([values, Float32Array.from(values)]), 10, new Float64Array(n), exceptions];
    }
    case 'floatRange':
      return [Float64Array.from({ length: n }, () => random.integer(100) / 7), new Float64Array(3)];
    case 'distinctNumbers':
      return [words(random, n), new Uint32Array(random.integer(n + 1)), new Uint32Array(n)];
    case 'distinctWords':
      return [words(random, 2 * n), new Uint32Array(random.integer(2 * n + 2)), new Uint32Array(n)];
    case 'packInside':
      return [words(random, n), random.uint32(), random.uint32(), new Uint32Array(n), new Float64Array(3)];
    case 'findOthers':
      return [words(random, n), words(random, n), random.uint32(), random.integer(9), new Uint32Array(n)];
    case 'spreadCodes': {
      const validity = Uint8Array.from({ length: (n + 7) >> 3 }, () => random.integer(256));
      let ones = 0;
      for (let row = 0; row < n; row += 1) ones += ((validity[row >> 3] ?? 0) >> (row & 7)) & 1;
      return [words(random, ones), validity, random.uint32(), new Uint32Array(n)];
    }
    case 'packPresent': {
      const width = random.pick([1, 2, 4, 8]);
      const validity = Uint8Array.from({ length: (n + 7) >> 3 }, () => random.integer(256));
      return [new Uint8Array(n * width), width, validity, new Uint8Array(width * random.integer(n + 1))];
    }
    case 'mapPresent': {
      const validity = Uint8Array.from({ length: (n + 7) >> 3 }, () => random.integer(256));
      const codes = Uint16Array.from({ length: n }, () => random.integer(40));
      const to = new Uint32Array(random.integer(n + 1));
      return [
        random.pick([null, codes, Uint32Array.from(codes)]),
        n,
        random.pick([null, validity]),
        words(random, 40),
        to,
      ];
    }
    case 'entropyBits':
    case 'joinBuckets': {
      const counts = Uint32Array.from({ length: n + 1 }, (_, i) =>
        i === 0 ? 1 : random.integer(4) * random.integer(20),
      );
      const logs = Float64Array.from({ length: 3000 }, (_, number) => Math.log2(number));
      if (name === 'entropyBits') return [counts, random.integer(20), logs];
      const most = 1 + random.integer(40);
      const room = (): Uint32Array => new Uint32Array(2 * most + 2);
      return [counts, random.integer(20), most, logs, room(), room(), room(), new Float64Array(1)];
    }
    case 'cheapestRange': {
      const values = Uint32Array.from({ length: n }, () => random.integer(90) * random.integer(80));
      return [values, 4, 9, random.integer(20), new Float64Array(512).fill(3), new Uint32Array(2)];
    }
    case 'blockLayouts': {
      const plans = Float64Array.of(1, 0, 0, 0, 40, 3, 0, 1, 2 ** 32, 32, 0, 0);
      return [words(random, n + 1), 3, 7, 24, plans, new Uint32Array(6), new Uint32Array(6), new Float64Array(6)];
    }
    case 'packBlocks': {
      const codes = Uint32Array.from({ length: 6 }, () => random.integer(33) | (random.integer(4) << 8));
      return [words(random, n), 3, words(random, 6), codes, new Uint32Array(200)];
    }
    case 'codeBins':
    case 'packBinOffsets': {
      const lows = Uint32Array.of(0, 7).subarray(0, 1 + random.integer(2));
      const values = Uint32Array.from({ length: n }, () => random.integer(12));
      if (name === 'packBinOffsets')
        return [values, random.integer(3), lows, words(random, lows.length), new Uint32Array(n + 1)];
      const frequencies = lows.length === 1 ? Uint32Array.of(4096) : Uint32Array.of(4000, 96);
      return [values, random.integer(3), lows, frequencies, new Uint16Array(n), new Uint32Array(4)];
    }
    case 'scatterCodes':
    case 'mapCodes': {
      const codes = Uint32Array.from({ length: n }, () => random.integer(9));
      return name === 'mapCodes'
        ? [codes, words(random, 9), new Uint32Array(n)]
        : [codes, words(random, n), new Uint32Array(9)];
    }
    case 'normalizeGaps':
      return [words(random, n), new Uint32Array(n), new Float64Array(3)];
    case 'blockRanges':
      return [words(random, n), random.integer(9), new Uint32Array(n), new Uint32Array(n)];
    case 'countBuckets':
      return [words(random, n), 24 + random.integer(8), new Uint32Array(256)];
    case 'runStarts':
      return [Uint32Array.from({ length: n }, () => random.integer(2)), new Uint32Array(random.integer(n + 1))];
    case 'codeTexts': {
      let end = 0;
      const ends = Uint32Array.from({ length: n }, () => (end += random.integer(4)));
      const bytes = Uint8Array.from({ length: end }, () => random.integer(3));
      const validity = random.pick([null, Uint8Array.from({ length: (n + 7) >> 3 }, () => random.integer(256))]);
      return [bytes, 0, ends, validity, new Uint32Array(n), new Uint32Array(random.integer(n + 1))];
    }
    case 'joinCodes':
      return [words(random, n), words(random, n), random.integer(50), random.pick([null, new Uint32Array(n)])];
    case 'packBits':
      return [words(random, n), 1 + random.integer(32), random.uint32(), new Uint32Array(n)];
    case 'printTexts':
    case 'trainSymbols':
    case 'spellTexts': {
      let end = 0;
      const ends = Uint32Array.from({ length: n }, () => (end += random.integer(9)));
      const bytes = Uint8Array.from({ length: end }, () => random.integer(3));
      if (name === 'printTexts') return [bytes, 0, ends, 1 + random.integer(8), new Uint32Array(n)];
      if (name === 'trainSymbols')
        return [bytes, 0, ends, random.integer(7), new Uint8Array(131_072), new Uint8Array(4096)];
      // Each byte, and behind them symbols that differ in their first byte.
      const lengths = new Uint8Array(256 + random.integer(9)).map((_, i) => (i < 256 ? 1 : 2 + random.integer(31)));
      const symbols = new Uint8Array(32 * lengths.length).map((_, i) => (i % 32 === 0 ? i / 32 : random.integer(3)));
      return [bytes, 0, ends, symbols, lengths, ...[end, n, lengths.length].map((count) => new Uint32Array(count))];
    }
    case 'deflateBlocks': {
      const bytes = Uint8Array.from({ length: 40 * n }, () => random.integer(3));
      const history = random.pick([null, bytes.slice(0, n)]);
      return [bytes, 6, history, new Uint8Array(bytes.length), new Uint32Array(n)];
    }
    case 'findCsvCells':
    case 'parseCsvColumns':
      return csvArguments(random, name);
    case 'findJsonMembers':
      return jsonArguments(random);
    default:
      return null;
  }
}

function words(random: Random, count: number): Uint32Array {
  return Uint32Array.from({ length: count }, () => random.uint32());
}

function numbersOf(random: Random, count: number): ArrayBufferView {
  const numbers = Array.from({ length: count }, () => random.integer(100));
  return random.pick([
    Int8Array.from(numbers),
    Uint16Array.from(numbers),
    Int32Array.from(numbers),
    Float64Array.from(numbers, (number) => number * 2 ** 40),
    BigInt64Array.from(numbers, BigInt),
    BigUint64Array.from(numbers, (number) => BigInt(number) << 50n),
  ]);
}

/** Rows of numbers and texts, and where their cells are. */
function csvArguments(random: Random, name: string): unknown[] {
  const columns = 1 + random.integer(3);
  const cells = ['1', '-2.5', '"a""b"', 'true', '2024-02-29', '', 'text'];
  const text = Array.from({ length: random.integer(20) }, () =>
    Array.from({ length: columns }, () => random.pick(cells)).join(','),
  ).join('\n');
  const bytes = new TextEncoder().encode(`${text}\n`);
  const room = random.integer(80);
  const [starts, ends, flags] = [new Int32Array(room), new Int32Array(room), new Uint8Array(room)];
  if (name === 'findCsvCells')
    return [
      bytes,
      Int32Array.of(44, random.pick([34, -1]), columns, random.integer(2), random.integer(2)),
      starts,
      ends,
      flags,
      new Int32Array(room),
      new Int32Array(4),
    ];
  const rows = random.integer(Math.floor(room / columns) + 1);
  for (let cell = 0; cell < rows * columns; cell += 1) {
    starts[cell] = random.integer(bytes.length);
    ends[cell] = random.integer(bytes.length - (starts[cell] ?? 0) + 1) + (starts[cell] ?? 0);
    flags[cell] = random.integer(3);
  }
  const plan = [rows, columns, 34, 1];
  for (let column = 0; column < columns; column += 1) plan.push(random.integer(7), 700 * column, 700 * column + 650);
  return [
    bytes,
    starts,
    ends,
    flags,
    Uint32Array.from([...plan, 0]),
    new Uint8Array(700 * columns),
    new Uint8Array(random.integer(2000)),
    new Uint32Array(7 * columns + random.integer(10)),
  ];
}

/** Records of a few names, most of which are known, and where they are. */
function jsonArguments(random: Random): unknown[] {
  const values = ['1', '-2.5e3', '"a\\"b"', '"\\u00e9\\ud83d\\ude00"', 'true', 'null', '"2024-02-29"', '[1]', '"'];
  const records = Array.from({ length: random.integer(20) }, () => {
    const members = ['a', 'bc', 'd'].filter(() => random.integer(4) > 0);
    return `{${members.map((name) => `"${name}":${random.pick(values)}`).join(',')}}`;
  });
  const bytes = new TextEncoder().encode(records.join('\n'));
  const bounds = new Int32Array(2 * records.length);
  let at = 0;
  for (const [record, { length }] of records.entries()) {
    bounds.set([at, at + length], 2 * record);
    at += length + 1;
  }
  const [end, row, stride] = [random.integer(records.length + 1), random.integer(2), 2 + random.integer(2)];
  const room = (row + end) * stride + random.integer(8);
  const names = new TextEncoder().encode('abc');
  const numbers = Int32Array.from([...Array.from({ length: 4 }, () => random.integer(3)), 0, 1, 0, 1, 3, 1]);
  return [
    bytes,
    bounds,
    Int32Array.of(0, end, row, stride, 2, random.integer(2), random.integer(3), 2, 4),
    names,
    numbers,
    new Int32Array(room),
    new Int32Array(room),
    new Uint8Array(room),
    new Uint32Array(4),
  ];
}
