// Bodies that lie: every refusal is a typed error, and comes before anything large is allocated. Each is made by hand
// from the tables of docs/formats/columna.md.
import { isColkitError } from '@colkit/io';
import { describe, expect, it } from 'vitest';
import { deflateRawSync } from 'node:zlib';
import { columnType } from '../../src/layout/column-type.ts';
import type { ColumnTypeName } from '../../src/layout/column-type.ts';
import { Encoding } from '../../src/layout/constants.ts';
import type { EncodingName } from '../../src/layout/constants.ts';
import { encodePageBytes } from '../../src/layout/page-header.ts';
import { openPage, pageDictionary, pageJointCodes, pageStrings, pageVector } from '../../src/columns/decode-page.ts';
import type { ChunkDictionary } from '../../src/columns/node.ts';
import { Scratch } from '../../src/columns/scratch.ts';
import { bytesOf, childOf, decoderFor, rootNode } from '../support/nodes.ts';

const { PLAIN, DELTA, RLE, BITPACK, DECIMAL, PATCHED, CODES } = Encoding;

/** The error's code, with how much memory the attempt took; any other outcome fails. */
function refusal(run: () => unknown): string {
  const before = process.memoryUsage().arrayBuffers;
  try {
    run();
  } catch (error) {
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 << 20);
    if (isColkitError(error)) return error.code;
    throw error;
  }
  return 'none';
}

function decode(
  encoding: EncodingName,
  parameter: number,
  count: number,
  type: ColumnTypeName,
  body: Uint8Array,
  dictionary: ChunkDictionary | null = null,
): string {
  const decoder = decoderFor(body, type, dictionary);
  const root = rootNode(body, Encoding[encoding], parameter, count, type);
  return refusal(() =>
    columnType(type).domain === 'strings' ? decoder.strings(root, 0, count) : decoder.vector(root, 0, count),
  );
}

const zeros = (count: number) => new Uint8Array(count);
const plainChild = (...values: number[]) => childOf(PLAIN, 0, Uint8Array.from(values));
const wordsChild = (...values: bigint[]) =>
  childOf(PLAIN, 3, bytesOf(...values.map((value) => ['u64', BigInt.asUintN(64, value)] as const)));
const bitpack = (rest: Uint8Array, log2 = 7, width = 0, base = 0n, step = 1n) =>
  bytesOf(['u64', base], ['u64', step], ['u8', log2], ['u8', width], zeros(6), rest);

const CASES: [string, EncodingName, number, number, ColumnTypeName, Uint8Array][] = [
  ['PLAIN that is too short', 'PLAIN', 3, 3, 'int64', zeros(16)],
  ['PLAIN that is too long', 'PLAIN', 3, 1, 'int64', zeros(16)],
  ['PLAIN of another width', 'PLAIN', 2, 2, 'int64', zeros(8)],
  ['PLAIN of 16 bytes an item', 'PLAIN', 4, 1, 'int64', zeros(16)],
  ['PLAIN strings with a parameter', 'PLAIN', 1, 1, 'string', bytesOf(['u32', 0], ['u32', 0], plainChild(0))],
  ['ends that fall', 'PLAIN', 0, 3, 'string', bytesOf(['u32', 2], ['u32', 0], plainChild(2, 1, 2), '6161')],
  ['ends beyond the data', 'PLAIN', 0, 2, 'string', bytesOf(['u32', 2], ['u32', 0], plainChild(1, 3), '6161')],
  ['a last end before the data', 'PLAIN', 0, 2, 'string', bytesOf(['u32', 2], ['u32', 0], plainChild(1, 1), '6161')],
  [
    '4 GiB of strings in ten bytes',
    'PLAIN',
    0,
    1,
    'string',
    bytesOf(['u32', 0xffffffff], ['u32', 0], plainChild(0), '6161'),
  ],
  ['2^16 values in ten bytes', 'BITPACK', 1, 65536, 'int64', zeros(10)],
  ['2^16 one-bit values without their bits', 'BITPACK', 1, 65536, 'int64', bitpack(bytesOf(['u16', 1], ['u16', 0]))],
  ['blocks of two values', 'BITPACK', 1, 4, 'int64', bitpack(bytesOf(['u16', 0], ['u16', 0]), 1)],
  ['blocks of 2^17 values', 'BITPACK', 1, 4, 'int64', bitpack(bytesOf(['u16', 0], ['u16', 0]), 17)],
  ['references of 33 bits', 'BITPACK', 1, 4, 'int64', bitpack(bytesOf(['u16', 0], ['u16', 0], zeros(8)), 7, 33)],
  ['a plan of 65 bits', 'BITPACK', 1, 4, 'int64', bitpack(bytesOf(['u16', 65], zeros(2), zeros(40)))],
  [
    'a plan of digits above 2^32',
    'BITPACK',
    1,
    1,
    'int64',
    bitpack(bytesOf(['u16', 31 | (1 << 8)], zeros(2), zeros(40))),
  ],
  ['a step beside 33 bits', 'BITPACK', 1, 1, 'int64', bitpack(bytesOf(['u16', 33], zeros(2), zeros(8)), 7, 0, 0n, 2n)],
  [
    'references beside 33 bits',
    'BITPACK',
    1,
    1,
    'int64',
    bitpack(bytesOf(['u16', 33], zeros(2), zeros(4), zeros(8)), 7, 1),
  ],
  ['a base-3 group of 243', 'BITPACK', 1, 5, 'int64', bitpack(bytesOf(['u16', 1 << 8], zeros(2), 'F3000000'))],
  ['a base-5 group of 125', 'BITPACK', 1, 3, 'int64', bitpack(bytesOf(['u16', 1 << 12], zeros(2), '7D000000'))],
  ['BITPACK with parameter 2', 'BITPACK', 2, 1, 'int64', bitpack(zeros(4))],
  ['bytes behind the last block', 'BITPACK', 1, 1, 'int64', bitpack(bytesOf(['u16', 0], zeros(2), zeros(4)))],
  ['DELTA with blocks of 2^4', 'DELTA', 0, 1, 'int64', bytesOf(['u8', 4], zeros(7), wordsChild(0n), wordsChild(0n))],
  ['DELTA without gaps', 'DELTA', 0, 1, 'int64', bytesOf(['u8', 7], zeros(7), wordsChild(0n))],
  ['no runs', 'RLE', 0, 3, 'int64', bytesOf(['u32', 0], ['u32', 0])],
  [
    'more runs than values',
    'RLE',
    0,
    3,
    'int64',
    bytesOf(['u32', 4], ['u32', 0], plainChild(1, 1, 1, 1), plainChild(1, 1, 1, 0)),
  ],
  ['2^32 - 1 runs', 'RLE', 0, 3, 'int64', bytesOf(['u32', 0xffffffff], ['u32', 0])],
  ['a run of length 0', 'RLE', 0, 3, 'int64', bytesOf(['u32', 2], ['u32', 0], plainChild(1, 2), plainChild(3, 0))],
  [
    'runs that are too short',
    'RLE',
    0,
    3,
    'int64',
    bytesOf(['u32', 2], ['u32', 0], plainChild(1, 2), plainChild(1, 1)),
  ],
  ['runs that are too long', 'RLE', 0, 3, 'int64', bytesOf(['u32', 2], ['u32', 0], plainChild(1, 2), plainChild(2, 2))],
  [
    'run lengths that overflow',
    'RLE',
    0,
    3,
    'int64',
    bytesOf(['u32', 2], ['u32', 0], plainChild(1, 2), wordsChild(2n ** 63n, 2n ** 63n + 3n)),
  ],
  ['a run length of -1', 'RLE', 0, 3, 'int64', bytesOf(['u32', 2], ['u32', 0], plainChild(1, 2), wordsChild(4n, -1n))],
  ['no entries', 'DICTIONARY', 0, 1, 'int64', bytesOf(['u32', 0], ['u32', 0], plainChild(0))],
  ['65,537 entries', 'DICTIONARY', 0, 1, 'int64', bytesOf(['u32', 65537], ['u32', 0], plainChild(0))],
  [
    'a code beyond the entries',
    'DICTIONARY',
    0,
    2,
    'int64',
    bytesOf(['u32', 2], ['u32', 0], plainChild(8, 9), plainChild(1, 2)),
  ],
  ['a code of -1', 'DICTIONARY', 0, 1, 'int64', bytesOf(['u32', 2], ['u32', 0], plainChild(8, 9), wordsChild(-1n))],
  [
    'a code beyond string entries',
    'DICTIONARY',
    0,
    1,
    'string',
    bytesOf(
      ['u32', 1],
      ['u32', 0],
      childOf(PLAIN, 0, bytesOf(['u32', 1], ['u32', 0], plainChild(1), '61')),
      plainChild(1),
    ),
  ],
  ['an exponent of 23', 'DECIMAL', 0, 1, 'float64', bytesOf(['u8', 23], zeros(7), plainChild(1))],
  ['a decimal beyond 2^53', 'DECIMAL', 0, 1, 'float64', bytesOf(['u8', 2], zeros(7), wordsChild(2n ** 53n + 1n))],
  ['a decimal of -2^63', 'DECIMAL', 0, 1, 'float64', bytesOf(['u8', 2], zeros(7), wordsChild(-(2n ** 63n)))],
  ['AFFINE that is too short', 'AFFINE', 0, 1, 'int64', zeros(15)],
  ['AFFINE with a parameter', 'AFFINE', 1, 1, 'int64', zeros(16)],
  ['no patches', 'PATCHED', 0, 2, 'int64', bytesOf(['u32', 0], ['u32', 0], plainChild(1, 2))],
  [
    'more patches than values',
    'PATCHED',
    0,
    2,
    'int64',
    bytesOf(['u32', 3], ['u32', 0], plainChild(1, 2), plainChild(0, 1, 2), plainChild(0, 1, 2)),
  ],
  [
    'a patch beyond the values',
    'PATCHED',
    0,
    2,
    'int64',
    bytesOf(['u32', 1], ['u32', 0], plainChild(1, 2), plainChild(2), plainChild(9)),
  ],
  [
    'positions that do not ascend',
    'PATCHED',
    0,
    2,
    'int64',
    bytesOf(['u32', 2], ['u32', 0], plainChild(1, 2), plainChild(1, 1), plainChild(9, 9)),
  ],
  ['ENTROPY without bins', 'ENTROPY', 0, 1, 'int64', entropyBody({ bins: 0 })],
  ['ENTROPY of 4,097 bins', 'ENTROPY', 0, 1, 'int64', entropyBody({ bins: 4097 })],
  ['ENTROPY with a low state', 'ENTROPY', 0, 1, 'int64', entropyBody({ state: 65535 })],
  ['ENTROPY with frequencies of 4,097', 'ENTROPY', 0, 1, 'int64', entropyBody({ frequencies: [4096, 1] })],
  ['ENTROPY with a frequency of 0', 'ENTROPY', 0, 1, 'int64', entropyBody({ frequencies: [4096, 0] })],
  ['ENTROPY with offsets of 33 bits', 'ENTROPY', 0, 1, 'int64', entropyBody({ widths: [33, 0] })],
  ['ENTROPY with a low of 2^32', 'ENTROPY', 0, 1, 'int64', entropyBody({ lows: [2 ** 32, 0] })],
  ['ENTROPY with a stream that is longer than the body', 'ENTROPY', 0, 1, 'int64', entropyBody({ words: 0xffffffff })],
  ['ENTROPY whose stream runs out', 'ENTROPY', 0, 1000, 'int64', entropyBody({})],
  ['ENTROPY that ends in another state', 'ENTROPY', 0, 1, 'int64', entropyBody({ state: 70000 })],
  [
    'ENTROPY with offsets that are not there',
    'ENTROPY',
    0,
    1,
    'int64',
    entropyBody({ frequencies: [4096], widths: [32], lows: [0], bins: 1 }),
  ],
  ['BITS without its bytes', 'BITS', 0, 9, 'bool', plainChild(1)],
  ['CODES without a dictionary page', 'CODES', 0, 1, 'int64', plainChild(0)],
  [
    'a child that leaves its parent',
    'BITS',
    0,
    8,
    'bool',
    bytesOf(['u8', 0], ['u8', 0], ['u16', 0], ['u32', 100], zeros(8)),
  ],
  ['a child of 4 GiB', 'BITS', 0, 8, 'bool', bytesOf(['u8', 0], ['u8', 0], ['u16', 0], ['u32', 0xffffffff], zeros(8))],
];

function entropyBody(change: {
  bins?: number;
  words?: number;
  state?: number;
  frequencies?: number[];
  lows?: number[];
  widths?: number[];
}): Uint8Array {
  const { bins = 2, words = 0, state = 65536, frequencies = [4095, 1], lows = [0, 5], widths = [0, 0] } = change;
  const child = (values: number[]) => wordsChild(...values.map(BigInt));
  const states = Array.from({ length: 4 }, (_, lane) => ['u32', lane === 0 ? state : 65536] as const);
  return bytesOf(
    ['u16', bins],
    ['u16', 0],
    ['u32', words],
    ['u64', 0n],
    ['u64', 1n],
    ...states,
    child(frequencies),
    child(lows),
    child(widths),
  );
}

describe('hostile nodes are refused', () => {
  it.each(CASES)('%s', (_, encoding, parameter, count, type, body) =>
    expect(decode(encoding, parameter, count, type, body)).toBe('ERR_LAYOUT'),
  );

  it.each([
    ['an unknown encoding', 99, 'int64'],
    ['DECIMAL of integers', DECIMAL, 'int64'],
    ['DELTA of strings', DELTA, 'string'],
    ['BITPACK of strings', BITPACK, 'string'],
    ['RLE of strings', RLE, 'binary'],
  ] as const)('%s, as unsupported', (_, encoding, type) => {
    const decoder = decoderFor(zeros(64), type);
    const root = rootNode(zeros(64), encoding, 0, 1, type);
    expect(refusal(() => (type === 'int64' ? decoder.vector(root, 0, 1) : decoder.strings(root, 0, 1)))).toBe(
      'ERR_ENCODING',
    );
  });

  it('CODES below the root, and of the wrong kind of entries', () => {
    const entries: ChunkDictionary = {
      entryCount: 3,
      entries: { kind: 'narrow', count: 3, base: 0n, step: 1n, values: Uint32Array.of(5, 6, 7), below: 8 },
    };
    expect(decode('BITS', 0, 8, 'bool', childOf(CODES, 0, plainChild(1)), entries)).toBe('ERR_LAYOUT');
    expect(decode('CODES', 0, 1, 'string', plainChild(1), entries)).toBe('ERR_ENCODING');
    expect(decode('CODES', 0, 2, 'int64', plainChild(1, 3), entries)).toBe('ERR_LAYOUT');
    expect(decode('CODES', 0, 2, 'int64', plainChild(1, 2), entries)).toBe('none');
  });

  it('nodes nested deeper than eight', () => {
    const nested = (depth: number): Uint8Array =>
      depth === 1
        ? plainChild(3)
        : childOf(PATCHED, 0, bytesOf(['u32', 1], ['u32', 0], nested(depth - 1), plainChild(0), plainChild(4)));
    const body = (depth: number) => bytesOf(['u32', 1], ['u32', 0], nested(depth - 1), plainChild(0), plainChild(4));
    expect(decode('PATCHED', 0, 1, 'int64', body(8))).toBe('none');
    expect(decode('PATCHED', 0, 1, 'int64', body(9))).toBe('ERR_LAYOUT');
  });

  it('every body cut short or grown by a byte', () => {
    const good: [EncodingName, number, number, ColumnTypeName, Uint8Array][] = [
      ['DELTA', 0, 2, 'int64', bytesOf(['u8', 7], zeros(7), wordsChild(3n), wordsChild(0n, 2n))],
      ['RLE', 0, 3, 'int64', bytesOf(['u32', 2], ['u32', 0], plainChild(1, 2), plainChild(2, 1))],
      ['DICTIONARY', 0, 2, 'int64', bytesOf(['u32', 2], ['u32', 0], plainChild(8, 9), plainChild(1, 0))],
      ['DECIMAL', 0, 1, 'float64', bytesOf(['u8', 2], zeros(7), plainChild(1))],
      ['PATCHED', 0, 2, 'int64', bytesOf(['u32', 1], ['u32', 0], plainChild(1, 2), plainChild(1), plainChild(9))],
      ['ENTROPY', 0, 1, 'int64', entropyBody({ frequencies: [4096], lows: [7], widths: [0], bins: 1 })],
      ['BITS', 0, 8, 'bool', plainChild(1)],
      ['AFFINE', 0, 9, 'int64', zeros(16)],
      ['BITPACK', 1, 3, 'int64', bitpack(bytesOf(['u16', 3], zeros(2), zeros(4)))],
      ['PLAIN', 0, 2, 'string', bytesOf(['u32', 2], ['u32', 0], plainChild(1, 2), '6161')],
    ];
    for (const [encoding, parameter, count, type, body] of good) {
      expect(decode(encoding, parameter, count, type, body), encoding).toBe('none');
      for (let length = 0; length < body.length; length++)
        expect(decode(encoding, parameter, count, type, body.slice(0, length)), `${encoding} cut to ${length}`).toMatch(
          /^ERR_LAYOUT$/,
        );
      expect(decode(encoding, parameter, count, type, bytesOf(body, '00')), `${encoding} grown`).toBe('ERR_LAYOUT');
    }
  });
});

describe('hostile pages are refused', () => {
  const type = columnType('int64');
  const open = (
    page: Uint8Array,
    change: Partial<{ rowCount: number | null; maxBodyBytes: number; kind: 'data' | 'dictionary' }> = {},
  ) =>
    openPage(page, {
      expected: { kind: 'data', type, columnNumber: 0, rowCount: null, maxBodyBytes: 1 << 28, ...change },
      verifyCrc: true,
      location: { path: 'x', region: 'page', byteOffset: 0 },
      scratch: new Scratch(),
      dictionary: null,
    });
  const page = (stored: Uint8Array, header: Partial<Parameters<typeof encodePageBytes>[0]> = {}) =>
    encodePageBytes(
      {
        kind: 'data',
        codec: 'NONE',
        encoding: PLAIN,
        parameter: 3,
        bodyBytes: stored.length,
        rowCount: 2,
        valueCount: 2,
        ...header,
      },
      stored,
      type,
      0,
    );

  it('a DEFLATE bomb', () => {
    const bomb = deflateRawSync(new Uint8Array(64 << 20));
    expect(refusal(() => open(page(bomb, { codec: 'DEFLATE', bodyBytes: 16 })))).toBe('ERR_LAYOUT');
    expect(refusal(() => open(page(bomb, { codec: 'DEFLATE', bodyBytes: 64 << 20 }), { maxBodyBytes: 1 << 20 }))).toBe(
      'ERR_LAYOUT',
    );
    expect(refusal(() => open(page(Uint8Array.of(3, 0), { codec: 'DEFLATE', bodyBytes: 0xffffffff })))).toBe(
      'ERR_LAYOUT',
    );
  });

  it('a DEFLATE stream that is broken, shorter, or followed by something', () => {
    const stream = deflateRawSync(zeros(16));
    expect(refusal(() => open(page(stream, { codec: 'DEFLATE', bodyBytes: 16 })))).toBe('none');
    expect(refusal(() => open(page(stream, { codec: 'DEFLATE', bodyBytes: 17 })))).toBe('ERR_LAYOUT');
    expect(refusal(() => open(page(stream.subarray(0, -1), { codec: 'DEFLATE', bodyBytes: 16 })))).toBe('ERR_LAYOUT');
    expect(refusal(() => open(page(bytesOf(new Uint8Array(stream), '00'), { codec: 'DEFLATE', bodyBytes: 16 })))).toBe(
      'ERR_LAYOUT',
    );
    expect(refusal(() => open(page(new Uint8Array(20).fill(0xff), { codec: 'DEFLATE', bodyBytes: 16 })))).toBe(
      'ERR_LAYOUT',
    );
  });

  it('a validity bitmap that counts differently, or is not there', () => {
    const body = (bitmap: number) => bytesOf(plainChild(bitmap), ['u64', 5n], ['u64', 6n]);
    expect(refusal(() => open(page(body(0b101), { rowCount: 3 })))).toBe('none');
    expect(refusal(() => open(page(body(0b111), { rowCount: 3 })))).toBe('ERR_LAYOUT');
    expect(refusal(() => open(page(body(0b001), { rowCount: 3 })))).toBe('ERR_LAYOUT');
    expect(refusal(() => open(page(body(0b11111101), { rowCount: 3 })))).toBe('none');
    expect(refusal(() => open(page(zeros(4), { rowCount: 3 })))).toBe('ERR_LAYOUT');
  });

  it('more rows than the footer says, or than there may be', () => {
    expect(refusal(() => open(page(zeros(16)), { rowCount: 3 }))).toBe('ERR_LAYOUT');
    expect(refusal(() => open(page(zeros(16), { rowCount: 2 ** 31, valueCount: 2 ** 31 })))).toBe('ERR_LAYOUT');
    expect(refusal(() => open(page(zeros(16), { valueCount: 3 })))).toBe('ERR_LAYOUT');
  });

  it('nulls in an ordinary dictionary, and joint pages that are none', () => {
    const withNull = page(bytesOf(plainChild(0b01), ['u64', 5n]), { kind: 'dictionary', rowCount: 2, valueCount: 1 });
    expect(refusal(() => pageDictionary(open(withNull, { kind: 'dictionary' })))).toBe('ERR_LAYOUT');
    expect(refusal(() => pageJointCodes(open(page(zeros(16)))))).toBe('ERR_LAYOUT');
  });

  it('pages of nulls have no values at all', () => {
    const opened = open(page(zeros(0), { valueCount: 0 }));
    expect(pageVector(opened, 0, 0).count).toBe(0);
    expect(pageStrings(opened, 0, 0).count).toBe(0);
    expect(opened.validity).toBeNull();
  });
});
