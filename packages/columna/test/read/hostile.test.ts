// Files that lie, CRCs and all: a typed error before anything large is allocated.
import { deflateRawSync } from 'node:zlib';
import { crc32, isColkitError } from '@colkit/io';
import { describe, expect, it } from 'vitest';
import { openSync, readSync } from '../../src/index.ts';
import { Encoding } from '../../src/layout/constants.ts';
import type { ChunkEntry } from '../../src/layout/column-block.ts';
import { columnType } from '../../src/layout/column-type.ts';
import { encodeFooter } from '../../src/layout/footer.ts';
import { encodePageBytes } from '../../src/layout/page-header.ts';
import { craft, join, withTail } from '../support/craft.ts';
import { bytesOf, childOf } from '../support/nodes.ts';
import { writeTable } from '../support/table.ts';

const { PLAIN, RLE, BITPACK, CODES, DICTIONARY, AFFINE } = Encoding;
const zeros = (count: number) => new Uint8Array(count);
const octets = (...values: number[]) => childOf(PLAIN, 0, Uint8Array.from(values));
const words = (...values: bigint[]) =>
  childOf(PLAIN, 3, bytesOf(...values.map((value) => ['u64', BigInt.asUintN(64, value)] as const)));

/** The error's code, with where it is; any other outcome, and more than a little memory, fails. */
function refusal(file: Uint8Array): { code: string; column?: string; rowGroup?: number; page?: number } {
  const before = process.memoryUsage().arrayBuffers;
  try {
    readSync(file);
  } catch (error) {
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 << 20);
    if (!isColkitError(error)) throw error;
    return error as unknown as { code: string };
  }
  return { code: 'none' };
}

const inPage = (code: string) => expect.objectContaining({ code, column: 'v', rowGroup: 0, page: 0 }) as unknown;

describe('a page', () => {
  it('of crafted values is read', () => {
    expect(
      readSync(craft({ type: 'int64', encoding: AFFINE, rowCount: 3, body: bytesOf(['u64', 5n], ['u64', 2n]) }))['v'],
    ).toEqual(BigInt64Array.of(5n, 7n, 9n));
    const dictionary = { encoding: PLAIN, parameter: 3, rowCount: 2, body: bytesOf(['u64', 8n], ['u64', 9n]) };
    expect(
      readSync(craft({ type: 'int64', encoding: CODES, rowCount: 3, body: octets(1, 0, 1), dictionary }))['v'],
    ).toEqual(BigInt64Array.of(9n, 8n, 9n));
  });

  it.each([
    [
      'a dictionary index out of range',
      craft({
        type: 'int64',
        encoding: DICTIONARY,
        rowCount: 2,
        body: bytesOf(['u32', 2], ['u32', 0], octets(1, 2), octets(1, 2)),
      }),
    ],
    [
      'a code beyond the dictionary page',
      craft({
        type: 'int64',
        encoding: CODES,
        rowCount: 2,
        body: octets(0, 2),
        dictionary: { encoding: PLAIN, parameter: 3, rowCount: 2, body: bytesOf(['u64', 1n], ['u64', 2n]) },
      }),
    ],
    ['codes without a dictionary page', craft({ type: 'int64', encoding: CODES, rowCount: 1, body: octets(0) })],
    [
      'run lengths that overflow',
      craft({
        type: 'int64',
        encoding: RLE,
        rowCount: 3,
        body: bytesOf(['u32', 2], ['u32', 0], octets(1, 2), words(2n ** 63n, 2n ** 63n + 3n)),
      }),
    ],
    [
      'a page of 2^16 values in ten bytes',
      craft({ type: 'int64', encoding: BITPACK, parameter: 1, rowCount: 65536, body: zeros(10) }),
    ],
    [
      'strings of 4 GiB in ten bytes',
      craft({
        type: 'string',
        encoding: PLAIN,
        rowCount: 1,
        body: bytesOf(['u32', 0xffffffff], ['u32', 0], octets(0), '6161'),
      }),
    ],
    [
      'text that is not UTF-8',
      craft({ type: 'string', encoding: PLAIN, rowCount: 1, body: bytesOf(['u32', 2], ['u32', 0], octets(2), 'C328') }),
    ],
    [
      'text cut inside a character',
      craft({
        type: 'string',
        encoding: PLAIN,
        rowCount: 2,
        body: bytesOf(['u32', 2], ['u32', 0], octets(1, 2), 'C3A9'),
      }),
    ],
    [
      'a DEFLATE bomb that lies about its size',
      craft({
        type: 'int64',
        encoding: PLAIN,
        parameter: 3,
        rowCount: 2,
        codec: 'DEFLATE',
        bodyBytes: 16,
        body: new Uint8Array(deflateRawSync(zeros(1 << 24))),
      }),
    ],
    [
      'a DEFLATE bomb that does not',
      craft({
        type: 'int64',
        encoding: PLAIN,
        parameter: 3,
        rowCount: 2,
        codec: 'DEFLATE',
        bodyBytes: 1 << 24,
        body: new Uint8Array(deflateRawSync(zeros(1 << 24))).subarray(0, 16000),
      }),
    ],
    [
      'a body that no DEFLATE stream has',
      craft({
        type: 'int64',
        encoding: PLAIN,
        parameter: 3,
        rowCount: 2,
        codec: 'DEFLATE',
        bodyBytes: 0xfffffff0,
        body: zeros(16),
      }),
    ],
    [
      'nulls in a column that has none',
      craft({ type: 'int64', encoding: AFFINE, rowCount: 3, valueCount: 0, nullable: false, body: zeros(0) }),
    ],
  ] as const)('with %s', (_, file) => {
    expect(refusal(file)).toEqual(inPage('ERR_LAYOUT'));
  });

  it('larger than the limit', () => {
    const file = craft({ type: 'int64', encoding: PLAIN, parameter: 3, rowCount: 100, body: zeros(800) });
    expect(() => openSync(file, { limits: { maxPageBytes: 500 } }).toColumnsSync()).toThrow(
      expect.objectContaining({ code: 'ERR_LIMIT', limit: 500 }),
    );
  });
});

describe('a footer', () => {
  const page = { type: 'int64', encoding: AFFINE, rowCount: 3, body: bytesOf(['u64', 5n], ['u64', 2n]) } as const;
  const good = craft(page);

  it('that claims 2^31 values for a page of a few bytes', () => {
    const many = craft(page, ({ chunk, group }) => ({
      chunk,
      group: { ...group, rowCount: 2 ** 31, pageRows: 65536 },
    }));
    expect(refusal(many).code).toBe('ERR_METADATA');
    const one = craft(page, ({ chunk, group }) => ({ chunk, group: { ...group, rowCount: 65536, pageRows: 65536 } }));
    expect(refusal(one)).toEqual(inPage('ERR_LAYOUT'));
  });

  it.each([
    ['a chunk past the footer', { byteLength: 1 << 20 }],
    ['a chunk before the first page', { byteOffset: -4 }],
    ['a chunk far away', { byteOffset: 2 ** 52 + 4 }],
    ['a dictionary page longer than the chunk', { dictionaryBytes: 1 << 30 }],
    ['codes of a column that is not there', { codesColumn: 9, joint: true, dictionaryBytes: 8 }],
  ])('with %s', (_, change) => {
    expect(refusal(craft(page, ({ chunk, group }) => ({ chunk: { ...chunk, ...change }, group }))).code).toBe(
      'ERR_METADATA',
    );
  });

  it('with lengths past the file', () => {
    for (const length of [good.length, 2 ** 31, 0xffffffff, good.length - 11]) {
      const file = good.slice();
      new DataView(file.buffer).setUint32(file.length - 8, length, true);
      expect(['ERR_TRUNCATED', 'ERR_METADATA']).toContain(refusal(file).code);
    }
    expect(refusal(withTail(good, (tail) => tail.setUint32(12, 0xfffffff0, true))).code).toBe('ERR_METADATA');
  });

  it('with 10^6 columns, claimed or real', () => {
    expect(refusal(withTail(good, (tail) => tail.setUint32(4, 1_000_000, true))).code).toBe('ERR_METADATA');
    expect(refusal(withTail(good, (tail) => tail.setUint32(8, 0xffffffff, true))).code).toBe('ERR_METADATA');
    const core = new Uint8Array(16 * 1_000_000 + 64);
    const tail = new DataView(core.buffer, core.length - 64);
    tail.setUint16(0, 1, true);
    tail.setUint16(2, 1, true);
    tail.setUint32(4, 1_000_000, true);
    tail.setBigUint64(24, 4n, true);
    tail.setUint32(60, crc32(core.subarray(0, core.length - 4)), true);
    const trailer = bytesOf(['u32', core.length], '434E4131');
    expect(refusal(join([Buffer.from('CNA1'), core, trailer])).code).toBe('ERR_LIMIT');
  });

  it('with another column count than its schema', () => {
    const two = writeTable([
      { name: 'a', type: 'int8', values: Int8Array.of(1) },
      { name: 'b', type: 'int8', values: Int8Array.of(2) },
    ]).bytes;
    expect(refusal(withTail(two, (tail) => tail.setUint32(4, 1, true))).code).toBe('ERR_METADATA');
  });

  it('of rows without columns, which no entry stands behind', () => {
    const schema = { columns: [], metadata: new Map<string, string>(), createdBy: null };
    const empty = join([Buffer.from('CNA1'), encodeFooter(schema, [], [], 4, 0)]);
    expect(openSync(empty).rowCount).toBe(0);
    expect(
      refusal(
        join([
          Buffer.from('CNA1'),
          encodeFooter(schema, [{ byteOffset: 4, rowCount: 0xffffffff, pageRows: 1, firstRow: 0 }], [], 4, 0),
        ]),
      ).code,
    ).toBe('ERR_METADATA');
  });

  it('of a later format', () => {
    expect(refusal(withTail(good, (tail) => tail.setUint16(2, 2, true))).code).toBe('ERR_VERSION');
  });

  it('whose chunks overlap', () => {
    const columns = [
      { name: 'a', type: 'int64', values: BigInt64Array.from({ length: 40 }, (_, i) => BigInt(i * i)) },
    ] as const;
    const { bytes } = writeTable(columns, { rowGroupRows: 20 });
    const text = Buffer.from(bytes);
    // The second row group's entry in the column block points at the first one's page.
    const blockAt = bytes.length - 8 - new DataView(bytes.buffer).getUint32(bytes.length - 8, true);
    text.copyWithin(blockAt + 64, blockAt, blockAt + 16);
    const file = new Uint8Array(text);
    const view = new DataView(file.buffer);
    const directoryAt = file.length - 8 - 64 - 16;
    view.setUint32(
      directoryAt + 8,
      crc32(file.subarray(blockAt, blockAt + view.getUint32(directoryAt + 4, true))),
      true,
    );
    const fixed = withTail(file, () => undefined);
    expect(refusal(fixed)).toEqual(expect.objectContaining({ code: 'ERR_METADATA', column: 'a', rowGroup: 1 }));
  });
});

describe('joint dictionaries', () => {
  const rows = 60;
  const columns = [
    { name: 'origin', type: 'string', values: Array.from({ length: rows }, (_, row) => `airport ${(row * 7) % 11}`) },
    {
      name: 'distance',
      type: 'float64',
      values: Float64Array.from({ length: rows }, (_, row) => Math.sqrt((row * 7) % 11)),
    },
  ] as const;

  it('are refused where two members name each other as leader', () => {
    const type = columnType('int64');
    const page = encodePageBytes(
      { kind: 'dictionary', codec: 'NONE', encoding: AFFINE, parameter: 0, bodyBytes: 16, rowCount: 2, valueCount: 2 },
      zeros(16),
      type,
      0,
    );
    const chunk = (column: number): ChunkEntry => ({
      byteOffset: 4 + column * page.length,
      byteLength: page.length,
      dictionaryBytes: page.length,
      codesColumn: 1 - column,
      joint: true,
      encodings: 0,
      statistics: { nullCount: 0, nanCount: 0, min: null, max: null },
      pages: [{ pageBytes: 0, statistics: { nullCount: 0, nanCount: 0, min: null, max: null } }],
    });
    const schema = {
      columns: ['a', 'b'].map((name) => ({ name, type, nullable: false })),
      metadata: new Map<string, string>(),
      createdBy: null,
    };
    const footerAt = 4 + 2 * page.length;
    const file = join([
      Buffer.from('CNA1'),
      page,
      page,
      encodeFooter(
        schema,
        [{ byteOffset: 4, rowCount: 5, pageRows: 8, firstRow: 0 }],
        [[chunk(0)], [chunk(1)]],
        footerAt,
        0,
      ),
    ]);
    expect(refusal(file)).toEqual(expect.objectContaining({ code: 'ERR_METADATA', column: 'a', rowGroup: 0 }));
  });

  it('are refused where the leader leads elsewhere', () => {
    const { bytes, reports } = writeTable(columns, {});
    expect(reports.some(({ leader }) => leader !== null)).toBe(true);
    const file = bytes.slice();
    const view = new DataView(file.buffer);
    const footerAt = file.length - 8 - view.getUint32(file.length - 8, true);
    for (const column of [0, 1]) {
      const directoryAt = file.length - 8 - 64 - 16 * (2 - column);
      const blockAt = footerAt + view.getUint32(directoryAt, true);
      view.setUint32(blockAt + 20, 1 - column, true);
      view.setUint32(
        directoryAt + 8,
        crc32(file.subarray(blockAt, blockAt + view.getUint32(directoryAt + 4, true))),
        true,
      );
    }
    expect(refusal(withTail(file, () => undefined)).code).toBe('ERR_METADATA');
  });
});
