// Every encoding by itself: sized, written and read back bit for bit, whole and in ranges, on shapes that stress it.
// And the worked examples of the specification.
import { readFileSync } from 'node:fs';
import { CLUSTERS, createRandom } from '@colkit/testkit';
import { describe, expect, it } from 'vitest';
import { columnType } from '../../src/layout/column-type.ts';
import type { ColumnTypeName } from '../../src/layout/column-type.ts';
import { ENCODING_NAMES } from '../../src/layout/constants.ts';
import type { Source } from '../../src/columns/chooser.ts';
import * as affine from '../../src/columns/encodings/affine/index.ts';
import * as bitPack from '../../src/columns/encodings/bit-pack/size.ts';
import * as bits from '../../src/columns/encodings/bits/index.ts';
import * as delta from '../../src/columns/encodings/delta/index.ts';
import * as dictionary from '../../src/columns/encodings/dictionary/index.ts';
import * as entropy from '../../src/columns/encodings/entropy/index.ts';
import * as patched from '../../src/columns/encodings/patched/index.ts';
import * as plain from '../../src/columns/encodings/plain/index.ts';
import * as runLength from '../../src/columns/encodings/run-length/index.ts';
import type { ChunkDictionary, SizedNode } from '../../src/columns/node.ts';
import { narrowSource, sourceOfWords } from '../../src/columns/source.ts';
import { EncodingChooser } from '../../src/write/encode/choose-encoding.ts';
import { concatenate } from '../../src/write/values/column-values.ts';
import { rulesOf } from '../../src/write/encode/modes.ts';
import type { WriteMode } from '../../src/write/encode/modes.ts';
import { encodingOf } from '../../src/columns/encodings/readers.ts';
import { decoderFor, nodeValues, pickedValues, rootNode, salvagedValues } from '../support/nodes.ts';
import { patterns, stringTexts, vectorTexts } from '../support/table.ts';

const INT64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };

/** Shapes of 64-bit integers, each a test of every encoding that takes them. */
const SHAPES: Record<string, (random: ReturnType<typeof createRandom>) => bigint[]> = {
  'one value': () => [42n],
  'one negative value': () => [-1n],
  'two values': () => [7n, -9n],
  'a constant': () => Array<bigint>(1000).fill(123_456_789_012n),
  'extremes in turn': () => Array.from({ length: 301 }, (_, i) => (i % 2 === 0 ? INT64.min : INT64.max)),
  'a sequence that wraps': () => Array.from({ length: 500 }, (_, i) => BigInt.asIntN(64, INT64.max - 250n + BigInt(i))),
  'any 64 bits': (random) => Array.from({ length: 3000 }, () => random.int64()),
  'numbers just beyond 2^53': (random) => Array.from({ length: 700 }, () => 2n ** 53n + BigInt(random.integer(1000))),
  'small numbers': (random) => Array.from({ length: 5000 }, () => BigInt(random.integer(12))),
  'multiples of a minute, ascending': (random) => {
    let time = 1_704_067_200_000_000n;
    return Array.from({ length: 9001 }, () => (time += 60_000_000n * BigInt(1 + random.integer(5))));
  },
  'falling and rising': (random) => {
    let at = -5000n;
    return Array.from({ length: 6000 }, () => (at += BigInt(random.integer(7) - 3)));
  },
  'large gaps': (random) => {
    let at = 0n;
    return Array.from(
      { length: 400 },
      () => (at = BigInt.asIntN(64, at + BigInt(random.integer(2 ** 40)) * 1_000_003n)),
    );
  },
  runs: (random) =>
    Array.from({ length: 300 }, () =>
      Array<bigint>(1 + random.integer(40)).fill(BigInt(random.integer(4)) * 1_000_000_000_000n),
    ).flat(),
  'a skew with outliers': (random) =>
    Array.from({ length: 8000 }, () =>
      random.integer(50) === 0 ? BigInt(random.integer(2 ** 31)) : BigInt(Math.floor(100 * random.number() ** 3)),
    ),
  'a long tail': (random) =>
    Array.from({ length: 8000 }, () => BigInt(Math.min(1e9, Math.floor(1 / (1 - random.number()) ** 1.2)))),
  'a long tail below a multiple': (random) =>
    Array.from({ length: 3000 }, () => -12n * BigInt(Math.min(1e8, Math.floor(1 / (1 - random.number()) ** 1.5)))),
  'blocks far apart': (random) =>
    Array.from({ length: 4096 }, (_, i) => BigInt(Math.floor(i / 256)) * 1_000_000_000n + BigInt(random.integer(100))),
};

// Around every edge: packed as small distances, in steps, in runs and in a walk.
for (const edge of CLUSTERS) {
  SHAPES[`about ${edge}`] = (random) => Array.from({ length: 300 }, () => edge + BigInt(random.integer(70) - 35));
  SHAPES[`steps about ${edge}`] = () => Array.from({ length: 70 }, (_, i) => edge + BigInt(i - 35));
  SHAPES[`runs about ${edge}`] = (random) =>
    Array.from({ length: 40 }, () =>
      Array<bigint>(1 + random.integer(9)).fill(edge + BigInt(random.integer(7) - 3)),
    ).flat();
}

function sourceOf(values: readonly bigint[]): Source {
  return sourceOfWords(new Uint32Array(BigInt64Array.from(values).buffer), true);
}

function patternsOf(values: readonly bigint[]): BigUint64Array {
  return BigUint64Array.from(values);
}

/** All nodes that the encodings make of a source in a mode. */
function nodesOf(source: Source, mode: WriteMode): SizedNode[] {
  const chooser = new EncodingChooser(rulesOf(mode));
  const most = Math.min(65536, source.count);
  const distinct = dictionary.distinctOf(source, most)!;
  const nodes: (SizedNode | null)[] = [
    plain.size(source, 8),
    plain.size(source, null),
    affine.size(source),
    bitPack.size(source, rulesOf(mode)),
    delta.size(source, chooser),
    runLength.size(source, chooser, source.count),
    dictionary.size(
      chooser.integers(distinct.entries, 'values'),
      distinct.entries.count,
      dictionary.sizeCodes(distinct.codes, chooser),
      source.count,
    ),
  ];
  if (source.kind === 'narrow') {
    nodes.push(entropy.size(source, chooser));
    const split = patched.splitOutliers(source);
    if (split !== null)
      nodes.push(
        patched.size(
          bitPack.size(split.values, rulesOf(mode)),
          source.count,
          split.positions,
          split.replacements,
          chooser,
        ),
      );
  }
  return nodes.filter((node) => node !== null);
}

describe.each(['default', 'smallest'] as const)('encodings of integers, mode %s', (mode) => {
  it.each(Object.keys(SHAPES))('%s', (name) => {
    const random = createRandom(name.length);
    const values = SHAPES[name]!(random);
    const expected = patternsOf(values);
    const { length } = values;
    const used = new Set<string>();
    for (const node of nodesOf(sourceOf(values), mode)) {
      used.add(ENCODING_NAMES[node.encoding]!);
      if (node.encoding === 0 && node.parameter !== 3) continue; // as a child only: items narrower than the type's
      expect(nodeValues(node, length, 'int64'), node.label).toEqual(expected);
      for (let i = 0; i < 5; i++) {
        const start = random.integer(length);
        const end = start + 1 + random.integer(length - start);
        expect(nodeValues(node, length, 'int64', start, end), `${node.label} [${start}, ${end})`).toEqual(
          expected.slice(start, end),
        );
        // A few rows far apart, which are found one by one; and many, which are not.
        for (const count of [3, length]) {
          const rows = Uint32Array.from({ length: count }, (_, k) =>
            k === 0 ? length - 1 : k === 1 ? 0 : random.integer(length),
          );
          const wanted = BigUint64Array.from(rows, (row) => expected[row]!);
          expect(pickedValues(node, length, 'int64', rows), `${node.label} rows ${rows.slice(0, 3).join(' ')}`).toEqual(
            wanted,
          );
          const salvaged = salvagedValues(node, length, 'int64', rows);
          if (salvaged !== null) expect(salvaged, node.label).toEqual(wanted);
        }
      }
    }
    expect(used.size).toBeGreaterThanOrEqual(5);
  });

  it.each(Array.from({ length: 65 }, (_, i) => i))('BITPACK of %i bits', (width) => {
    const random = createRandom(width + 100);
    const top = width === 0 ? 0n : 2n ** BigInt(width) - 1n;
    const values = Array.from({ length: 777 }, (_, i) =>
      BigInt.asIntN(64, (i % 3 === 0 ? top : BigInt.asUintN(64, random.int64()) & top) - 5n),
    );
    values[1] = -5n;
    const node = bitPack.size(sourceOf(values), rulesOf(mode));
    expect(nodeValues(node, values.length, 'int64')).toEqual(patternsOf(values));
    expect(nodeValues(node, values.length, 'int64', 600, 601)).toEqual(patternsOf(values).slice(600, 601));
    const rows = [776, 0, 31, 32, 1, 600, 601, 500, 499, ...Array.from({ length: 20 }, () => random.integer(777))];
    expect(pickedValues(node, values.length, 'int64', rows)).toEqual(
      BigUint64Array.from(rows, (row) => BigInt.asUintN(64, values[row]!)),
    );
    expect(node.byteLength).toBeLessThanOrEqual(24 + 16 + 4 * Math.ceil((777 * width) / 32) + 8);
  });
});

describe('sizes', () => {
  it('of base-3 and base-5 digits are fractions of bits', () => {
    const random = createRandom(8);
    const bytes = (below: number, rules = rulesOf('smallest')) =>
      bitPack.size(
        narrowSource(Uint32Array.from({ length: 60_000 }, (_, i) => (i === 0 ? below - 1 : random.integer(below)))),
        rules,
      ).byteLength - 28;
    expect(bytes(3) / 7500).toBeCloseTo(1.6, 2);
    expect(bytes(5) / 7500).toBeCloseTo(7 / 3, 2);
    expect(bytes(12) / 7500).toBeCloseTo(3.6, 2);
    expect(bytes(142_800) / 7500).toBeCloseTo(17.2, 2);
    // Where time is dear, they are not worth what they save.
    const dear = {
      bytesPerNanosecond: 10,
      deflateLevel: 6,
      symbolRounds: 6,
      gapsLog2: 12,
      sharingLog2: 4,
      inflatedTimes: 1,
    };
    expect(bytes(142_800, dear) / 7500).toBeCloseTo(18, 2);
    expect(bytes(3, dear) / 7500).toBeCloseTo(2, 2);
  });

  it('of ENTROPY come close to the entropy of the data', () => {
    const random = createRandom(9);
    const values = Uint32Array.from({ length: 65536 }, () => Math.floor(-Math.log(1 - random.number()) * 20));
    const counts = new Map<number, number>();
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
    const ideal = [...counts.values()].reduce((sum, count) => sum - count * Math.log2(count / values.length), 0) / 8;
    const source = narrowSource(values);
    const node = entropy.size(source, new EncodingChooser(rulesOf('smallest')));
    expect(node.byteLength).toBeLessThan(ideal * 1.02);
    expect(node.byteLength).toBeLessThan(bitPack.size(source, rulesOf('smallest')).byteLength * 0.85);
  });
});

describe('BITS', () => {
  it.each([1, 7, 8, 9, 1000])('of %i values', (count) => {
    const random = createRandom(count);
    const octets = Uint8Array.from({ length: Math.ceil(count / 8) }, () => random.integer(256));
    const expected = Uint8Array.from({ length: count }, (_, i) => (octets[i >>> 3]! >>> (i & 7)) & 1);
    const node = bits.size(octets, new EncodingChooser(rulesOf('smallest')));
    expect(nodeValues(node, count, 'bool')).toEqual(expected);
    for (const start of [0, 1, 5, 8].filter((each) => each < count))
      expect(nodeValues(node, count, 'bool', start, count)).toEqual(expected.slice(start));
  });
});

describe('the worked examples of the specification', () => {
  const page = readFileSync(new URL('../../../../docs/formats/columna.md', import.meta.url), 'utf8');
  const examples = [
    ...page.matchAll(
      /```example\nencoding (\w+) +parameter (\d+) +count (\d+) +type (\w+)(.*)\nbody ([0-9A-F\s]+)values (.*)\n```/g,
    ),
  ];

  it('are all found', () =>
    expect(examples.map(([, name]) => name).sort()).toEqual(
      [...ENCODING_NAMES, 'BITPACK', 'BITPACK', 'BITPACK', 'BITPACK', 'PLAIN'].sort(),
    ));

  it.each(
    examples.map(([, name, parameter, count, type, rest, body, values]) => ({
      name,
      parameter,
      count,
      type,
      rest,
      body,
      values,
    })),
  )('$name, $count values', (example) => {
    const typeName = example.type as ColumnTypeName;
    const type = columnType(typeName);
    const body = new Uint8Array(Buffer.from(example.body!.replaceAll(/\s/g, ''), 'hex'));
    const texts = (text: string) =>
      (
        text
          .replaceAll(/(\d+)\*\(([^)]*)\)/g, (_, times: string, what: string) =>
            Array(Number(times)).fill(what).join(' '),
          )
          .match(/"[^"]*"|\S+/g) ?? []
      ).map((each) => (each.startsWith('"') ? (JSON.parse(each) as string) : each));
    const entries = texts(example.rest!.replace('dictionary', ''));
    const dictionaryOf: ChunkDictionary | null =
      entries.length === 0
        ? null
        : { entryCount: entries.length, entries: concatenate(entries.map((entry) => new TextEncoder().encode(entry))) };
    const count = Number(example.count);
    const decoder = decoderFor(body, typeName, dictionaryOf);
    const root = rootNode(
      body,
      ENCODING_NAMES.indexOf(example.name as 'PLAIN'),
      Number(example.parameter),
      count,
      typeName,
    );
    const found =
      type.domain === 'strings'
        ? stringTexts(decoder.strings(root, 0, count), type)
        : vectorTexts(decoder.vector(root, 0, count), type);
    const expected = texts(example.values!).map((value) => {
      if (type.domain === 'strings') return value;
      const item =
        type.name === 'float64'
          ? new Float64Array([Number(value)])
          : type.name === 'int32'
            ? Int32Array.of(Number(value))
            : type.name === 'bool'
              ? Uint8Array.of(Number(value))
              : BigInt64Array.of(BigInt(value));
      return patterns(new Uint8Array(item.buffer), type)[0];
    });
    expect(found).toEqual(expected);
    for (const rows of [[count - 1], [count - 1, 0], [...expected.keys()].reverse()]) {
      const picks = Uint32Array.from(rows);
      const picked =
        type.domain === 'strings'
          ? stringTexts(decoder.pickStrings(root, picks), type)
          : vectorTexts(decoder.pick(root, picks), type);
      expect(picked).toEqual(rows.map((row) => expected[row]));
      const slice = encodingOf(root.encoding);
      const salvaged =
        type.domain === 'strings'
          ? (slice?.salvageStrings ?? slice?.pickStrings)?.(root, picks, decoder)
          : (slice?.salvage ?? slice?.pick)?.(root, picks, decoder);
      if (salvaged === undefined || salvaged === null) continue;
      const salvagedValues =
        salvaged.kind === 'strings' || salvaged.kind === 'coded'
          ? stringTexts(salvaged, type)
          : vectorTexts(salvaged, type);
      expect(salvagedValues).toEqual(picked);
    }
  });
});

describe('digits that are none', () => {
  it.each([
    ['three', 1, 0xf3],
    ['five', 2, 0x7d],
  ] as const)('a group of base %s is refused where one row is asked for', (_, kind, group) => {
    const code = kind === 1 ? 1 << 8 : 1 << 12;
    const body = new Uint8Array(24 + 4 + 40);
    body[16] = 5;
    new DataView(body.buffer).setUint8(8, 1);
    new DataView(body.buffer).setUint16(24, code, true);
    body[28] = group;
    const decoder = decoderFor(body, 'int64');
    const words = kind === 1 ? 2 : 3;
    const root = {
      ...rootNode(body.subarray(0, 28 + 4 * words), ENCODING_NAMES.indexOf('BITPACK'), 1, 32, 'int64'),
      end: 28 + 4 * words,
    };
    expect([...(decoder.pick(root, Uint32Array.of(31, 20)) as { values: Uint32Array }).values]).toEqual([0, 0]);
    expect(() => decoder.pick(root, Uint32Array.of(31, 0))).toThrow(expect.objectContaining({ code: 'ERR_LAYOUT' }));
    expect(() => decoder.vector(root, 0, 32)).toThrow(expect.objectContaining({ code: 'ERR_LAYOUT' }));
  });
});
