// Pages that are sound but for one thing, or not at all: what the checks between a page's bytes and its values let
// through, and what they refuse.
import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  countOnes,
  openPage,
  pageDictionary,
  pageJointCodes,
  pageStrings,
  pageStringsOf,
  pageVector,
  pageVectorOf,
} from '../../src/columns/decode-page.ts';
import type { OpenPage } from '../../src/columns/decode-page.ts';
import { NodeReader, NodeWriter, childBytes } from '../../src/columns/node.ts';
import type { ChunkDictionary, SizedNode } from '../../src/columns/node.ts';
import { Scratch } from '../../src/columns/scratch.ts';
import { columnType } from '../../src/layout/column-type.ts';
import type { ColumnTypeName } from '../../src/layout/column-type.ts';
import { Encoding } from '../../src/layout/constants.ts';
import { encodePageBytes } from '../../src/layout/page-header.ts';
import type { PageHeader } from '../../src/layout/page-header.ts';
import { bytesOf, childOf, decoderFor, rootNode } from '../support/nodes.ts';
import { vectorTexts } from '../support/table.ts';

const { PLAIN, AFFINE, CODES } = Encoding;
const octets = (...values: number[]): Uint8Array => childOf(PLAIN, 0, Uint8Array.from(values));
const corrupt = (byteOffset: number): unknown =>
  expect.objectContaining({ name: 'CorruptFileError', code: 'ERR_LAYOUT', path: 'x.cna', region: 'page', byteOffset });

interface Made extends Partial<Omit<PageHeader, 'storedBytes'>> {
  readonly type?: ColumnTypeName;
  readonly body: Uint8Array;
  readonly dictionary?: ChunkDictionary | null;
}

const pageBytesOf = ({ type = 'int64', body, ...header }: Made): Uint8Array =>
  encodePageBytes(
    {
      kind: 'data',
      codec: 'NONE',
      encoding: AFFINE,
      parameter: 0,
      bodyBytes: body.length,
      rowCount: 3,
      valueCount: 3,
      ...header,
    },
    body,
    columnType(type),
    0,
  );

function open(made: Made, page = pageBytesOf(made)): OpenPage {
  const expected = {
    kind: made.kind ?? 'data',
    type: columnType(made.type ?? 'int64'),
    columnNumber: 0,
    rowCount: null,
    maxBodyBytes: 1 << 20,
  } as const;
  return openPage(page, {
    expected,
    verifyCrc: true,
    location: { path: 'x.cna', region: 'page', byteOffset: 64 },
    scratch: new Scratch(),
    dictionary: made.dictionary ?? null,
  });
}

const LINE = bytesOf(['u64', 5n], ['u64', 2n]);
const TEXT = bytesOf(['u32', 6], ['u32', 0], octets(1, 3, 6), '616262636363');
const texts = (page: OpenPage, start = 0, end = page.header.valueCount): string[] =>
  vectorTexts(pageVector(page, start, end), columnType('int64'));
const errorOf = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};

describe('where a page lies', () => {
  it('is where its values are, unless that is no multiple of 4', () => {
    const bytes = pageBytesOf({ body: bytesOf(['u64', 7n], ['u64', 8n], ['u64', 9n]), encoding: PLAIN, parameter: 3 });
    for (let shift = 0; shift < 9; shift++) {
      const room = new Uint8Array(bytes.length + 16);
      room.set(bytes, shift);
      const page = open({ body: LINE }, room.subarray(shift, shift + bytes.length));
      expect(texts(page), String(shift)).toEqual(['7', '8', '9']);
      expect(page.decoder.bytes.buffer === room.buffer, String(shift)).toBe(shift % 4 === 0);
    }
  });

  it("is nobody's matter where it was deflated", () => {
    const page = open({ body: new Uint8Array(deflateRawSync(LINE)), bodyBytes: LINE.length, codec: 'DEFLATE' });
    expect(texts(page)).toEqual(['5', '7', '9']);
    expect(page.header.codec).toBe('DEFLATE');
    const longer = {
      body: new Uint8Array([...deflateRawSync(LINE), 0]),
      bodyBytes: LINE.length,
      codec: 'DEFLATE',
    } as const;
    expect(errorOf(() => open(longer))).toEqual(corrupt(64 + 28));
    expect(
      errorOf(() => open({ ...longer, body: new Uint8Array(deflateRawSync(LINE)), bodyBytes: LINE.length - 1 })),
    ).toEqual(corrupt(64 + 28));
    expect(
      errorOf(() => open({ ...longer, body: new Uint8Array(deflateRawSync(LINE)), bodyBytes: LINE.length + 1 })),
    ).toEqual(corrupt(64 + 28));
  });
});

describe('values and nulls', () => {
  it('are told apart by a bitmap of as many ones as there are values', () => {
    const body = (...bitmap: number[]): Uint8Array => bytesOf(octets(...bitmap), ['u64', 5n], ['u64', 6n]);
    const two = { encoding: PLAIN, parameter: 3, valueCount: 2 };
    const page = open({ ...two, body: body(0b101) });
    expect(texts(page)).toEqual(['5', '6']);
    expect(page.validity).toEqual(Uint8Array.of(0b101));
    expect(open({ ...two, rowCount: 12, body: body(0b1, 0b1000) }).validity).toEqual(Uint8Array.of(0b1, 0b1000));
    expect(errorOf(() => open({ ...two, rowCount: 12, body: body(0b1, 0b10000) }))).toEqual(corrupt(64 + 28));
    expect(open({ ...two, rowCount: 16, body: body(0b1, 0b10000000) }).validity).toEqual(
      Uint8Array.of(0b1, 0b10000000),
    );
    // The bitmap is a node, whose body stands behind the page's header and its own.
    expect(errorOf(() => open({ ...two, body: body(0b101, 0) }))).toEqual(corrupt(64 + 28 + 8));
    expect(errorOf(() => open({ ...two, rowCount: 12, body: body(0b101) }))).toEqual(corrupt(64 + 28 + 8));
  });

  it('counts ones in whole octets and in the last bits, and no further', () => {
    const bits = Uint8Array.of(0xff, 0b10101010, 0xff, 0xff);
    expect([0, 1, 7, 8, 9, 10, 16, 17, 24, 32].map((count) => countOnes(bits, count))).toEqual([
      0, 1, 7, 8, 8, 9, 12, 13, 20, 28,
    ]);
    expect(countOnes(Uint8Array.of(0b1), 3)).toBe(1);
  });

  it('are none where all rows are null, whatever is asked for', () => {
    const empty = { kind: 'wide', count: 0, words: new Uint32Array(0) };
    const nulls = open({ body: new Uint8Array(0), valueCount: 0 });
    expect(nulls.root).toBeNull();
    expect([
      pageVector(nulls, 0, 0),
      pageVector(nulls, 0, 3),
      pageVectorOf(nulls, new Uint32Array(0)),
      pageVectorOf(nulls, Uint32Array.of(1)),
    ]).toEqual([empty, empty, empty, empty]);
    const none = { kind: 'strings', count: 0, bytes: new Uint8Array(0), start: 0, ends: new Uint32Array(0) };
    const noText = open({ type: 'string', body: new Uint8Array(0), valueCount: 0, encoding: PLAIN });
    expect([
      pageStrings(noText, 0, 0),
      pageStrings(noText, 0, 3),
      pageStringsOf(noText, new Uint32Array(0)),
      pageStringsOf(noText, Uint32Array.of(1)),
    ]).toEqual([none, none, none, none]);
  });

  it('are as many as are asked for: all, some, picked ones, or none', () => {
    const line = open({ body: LINE });
    expect([texts(line), texts(line, 1, 2), texts(line, 1, 1)]).toEqual([['5', '7', '9'], ['7'], []]);
    expect(vectorTexts(pageVectorOf(line, Uint32Array.of(2, 0, 2)), columnType('int64'))).toEqual(['9', '5', '9']);
    const empty = { kind: 'wide', count: 0, words: new Uint32Array(0) };
    expect([pageVector(line, 1, 1), pageVectorOf(line, new Uint32Array(0))]).toEqual([empty, empty]);
    const strings = open({ type: 'string', body: TEXT, encoding: PLAIN });
    expect(pageStrings(strings, 0, 3).count).toBe(3);
    const picked = pageStringsOf(strings, Uint32Array.of(2, 0));
    expect(picked.count).toBe(2);
    const none = { kind: 'strings', count: 0, bytes: new Uint8Array(0), start: 0, ends: new Uint32Array(0) };
    expect([pageStrings(strings, 1, 1), pageStringsOf(strings, new Uint32Array(0))]).toEqual([none, none]);
  });
});

describe('dictionaries', () => {
  it('are of values, or of strings', () => {
    const values = pageDictionary(open({ kind: 'dictionary', body: LINE }));
    expect([values.entryCount, values.entries.kind === 'strings']).toEqual([3, false]);
    const strings = pageDictionary(open({ kind: 'dictionary', type: 'string', body: TEXT, encoding: PLAIN }));
    expect([strings.entryCount, strings.entries.kind]).toEqual([3, 'strings']);
    expect(
      errorOf(() =>
        pageDictionary(
          open({
            kind: 'dictionary',
            encoding: PLAIN,
            parameter: 3,
            valueCount: 2,
            body: bytesOf(octets(0b11), ['u64', 5n], ['u64', 6n]),
          }),
        ),
      ),
    ).toEqual(corrupt(64 + 16));
  });

  it('that are joint have a code for each row, and no page of any other kind', () => {
    const dictionary = pageDictionary(open({ kind: 'dictionary', body: LINE }));
    const codes = { encoding: CODES, body: octets(2, 0, 1), dictionary };
    expect([...pageJointCodes(open(codes))]).toEqual([2, 0, 1]);
    for (const other of [
      { ...codes, dictionary: null },
      { ...codes, encoding: AFFINE, body: LINE },
      { ...codes, valueCount: 2, body: bytesOf(octets(0b11), octets(2, 0)) },
      { ...codes, valueCount: 0, body: new Uint8Array(0) },
    ]) {
      expect(errorOf(() => pageJointCodes(open(other)))).toEqual(corrupt(64 + 22));
    }
    const wrong = open({ ...codes, body: octets(2, 0, 3) });
    expect(errorOf(() => pageJointCodes(wrong))).toEqual(corrupt(64 + 28 + 8));
    expect([...pageJointCodes(wrong, () => Uint32Array.of(0, 1))]).toEqual([2, 0, 0]);
    expect(errorOf(() => pageJointCodes(wrong, () => Uint32Array.of(2)))).toEqual(corrupt(64 + 28 + 8));
  });
});

describe('nodes', () => {
  const reader = (body: Uint8Array, end = body.length, start = 0): NodeReader =>
    new NodeReader(decoderFor(body, 'int64'), { ...rootNode(body, AFFINE, 0, 1, 'int64'), start, end });

  it('are read from front to back, to their end and no further', () => {
    const body = bytesOf(['u8', 1], ['u8', 2], ['u16', 0x0304], ['u32', 0x05060708], ['u64', 0x0102030405060708n]);
    const read = reader(body);
    expect([
      read.uint8('a'),
      read.uint8('a'),
      read.uint16('a'),
      read.uint32('a'),
      read.uint64('a'),
      read.position,
    ]).toEqual([1, 2, 0x0304, 0x05060708, 0x0102030405060708n, 16]);
    read.end();
    expect(errorOf(() => read.uint8('a'))).toMatchObject({ code: 'ERR_LAYOUT' });
    expect(errorOf(() => reader(body, 15).end())).toMatchObject({ code: 'ERR_LAYOUT' });
    expect(reader(body, 8, 8).position).toBe(8);
    expect(errorOf(() => reader(body, 8, 8).take(1, 'a'))).toMatchObject({ code: 'ERR_LAYOUT', byteOffset: 8 });
  });

  it('count from one to the most there may be', () => {
    const count = (value: number): unknown => errorOf(() => reader(bytesOf(['u32', value])).count(3, 'runs'));
    expect([count(1), count(3)]).toEqual([1, 3]);
    for (const value of [0, 4, 0xffffffff])
      expect(count(value)).toMatchObject({ code: 'ERR_LAYOUT', expected: '1 to 3 runs', found: String(value) });
  });

  it('are padded to where the next begins, counted from their own start', () => {
    const body = new Uint8Array(32);
    const read = reader(body, 32, 8);
    read.take(3, 'a');
    read.pad(8);
    expect(read.position).toBe(16);
    read.pad(8);
    expect(read.position).toBe(16);
    expect(
      errorOf(() => {
        const short = reader(body, 12, 8);
        short.take(1, 'a');
        short.pad(8);
      }),
    ).toMatchObject({ code: 'ERR_LAYOUT' });
  });

  it('are written as long as they were sized', () => {
    const out = new NodeWriter(21);
    expect([out.words.length, out.bytes.length]).toEqual([6, 21]);
    const node = (byteLength: number): SizedNode => ({
      encoding: 9,
      parameter: 1,
      byteLength,
      label: 'NODE',
      time: 0,
      encode: (into) => {
        into.uint16(0x0102);
        into.raw(Uint8Array.of(5));
      },
    });
    out.child(node(3));
    expect([...out.bytes.subarray(0, 16)]).toEqual([9, 1, 0, 0, 3, 0, 0, 0, 2, 1, 5, 0, 0, 0, 0, 0]);
    expect(out.position).toBe(16);
    expect([0, 3, 8, 9].map((byteLength) => childBytes(node(byteLength)))).toEqual([8, 16, 16, 24]);
    for (const byteLength of [2, 4]) expect(() => new NodeWriter(32).child(node(byteLength))).toThrow(/NODE: sized/);
    const wide = new NodeWriter(8);
    wide.uint64(-2n);
    expect([...wide.bytes]).toEqual([254, 255, 255, 255, 255, 255, 255, 255]);
  });
});
