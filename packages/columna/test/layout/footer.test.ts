// Column blocks and the footer by hand. Byte offsets are those of docs/formats/columna.md.
import { crc32 } from '@colkit/io';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { encodeColumnBlock, parseChunkEntry } from '../../src/layout/column-block.ts';
import type { ChunkEntry } from '../../src/layout/column-block.ts';
import { columnType } from '../../src/layout/column-type.ts';
import { encodeFooter, parseFooterCore, parseFooterTail, parseTrailer, rowsOfPage } from '../../src/layout/footer.ts';
import type { Statistics } from '../../src/layout/statistics.ts';
import { readTable, writeTable } from '../support/table.ts';
import { LOCATION, codeOf, text } from './layout-codes.ts';

describe('a column block', () => {
  const type = columnType('string');
  const group = { rowCount: 20, pageRows: 8 };
  const bound = (value: string, isExact = true) => ({ value: text(value), exact: isExact });
  const statistics = (min: string, max: string): Statistics => ({
    nullCount: 2,
    nanCount: 0,
    min: bound(min),
    max: bound(max, false),
  });
  const chunk: ChunkEntry = {
    byteOffset: 4,
    byteLength: 128,
    dictionaryBytes: 32,
    codesColumn: 1,
    joint: false,
    statistics: statistics('a', 'c'),
    encodings: 1 << 10,
    pages: [
      { pageBytes: 40, statistics: statistics('a', 'b') },
      { pageBytes: 24, statistics: statistics('b', 'b') },
      { pageBytes: 32, statistics: { nullCount: 4, nanCount: null, min: null, max: null } },
    ],
  };
  const context = { type, columnNumber: 1, columnCount: 3, footerOffset: 132, location: LOCATION };
  const parse = (block: Uint8Array, change: Partial<typeof context> = {}) =>
    parseChunkEntry(new DataView(block.buffer, block.byteOffset, block.length), 0, group, { ...context, ...change });

  it('comes back, strings stored once', () => {
    const block = encodeColumnBlock([chunk]);
    expect(block).toHaveLength(64 + 3 * 32 + 3);
    expect(parse(block)).toEqual(chunk);
  });

  it('lists no pages where there is one', () => {
    const one = { ...chunk, byteLength: 72, pages: [{ pageBytes: 40, statistics: chunk.statistics }] };
    const block = encodeColumnBlock([one]);
    expect(block).toHaveLength(64 + 2);
    expect(parseChunkEntry(new DataView(block.buffer), 0, { rowCount: 8, pageRows: 8 }, context)).toEqual(one);
  });

  it.each([
    ['an offset that is not 4 modulo 8', 0, 5],
    ['a chunk beyond the footer', 8, 136],
    ['a chunk far beyond', 15, 255],
    ['a larger dictionary page', 16, 129],
    ['a column there is not', 20, 3],
    ['codes of another column without JOINT', 20, 0],
    ['page entries outside the block', 24, 250],
    ['unknown flags', 37, 2],
    ['JOINT without a dictionary page', 37, 1, 16, 0],
    ['sums that do not add up', 64, 48],
    ['a string outside the block', 44, 200],
  ] as const)('refuses %s', (_, ...changes) => {
    const block = encodeColumnBlock([chunk]);
    for (let i = 0; i < changes.length; i += 2) block[changes[i] as number] = changes[i + 1] as number;
    expect(codeOf(() => parse(block))).toBe('ERR_METADATA');
  });

  it('takes a NaN bound for none, and refuses data pages in a member', () => {
    const block = encodeColumnBlock([chunk]);
    new DataView(block.buffer).setFloat64(40, NaN, true);
    expect(parse(block, { type: columnType('float64') }).statistics).toMatchObject({
      min: null,
      max: expect.anything() as unknown,
    });
    const member = encodeColumnBlock([{ ...chunk, joint: true, codesColumn: 0 }]);
    expect(codeOf(() => parse(member))).toBe('ERR_METADATA');
  });

  it('knows the rows of every page', () => expect([0, 1, 2].map((page) => rowsOfPage(group, page))).toEqual([8, 8, 4]));
});

describe('the footer', () => {
  const { bytes } = writeTable([{ name: 'n', type: 'int64', values: BigInt64Array.of(5n, 6n, 7n) }]);
  const footerBytes = parseTrailer(bytes.subarray(-8), bytes.length)!;
  const tailAt = bytes.length - 72;
  const tailOf = (file: Uint8Array) =>
    parseFooterTail(file.subarray(tailAt, tailAt + 64), footerBytes, { ...LOCATION, byteOffset: tailAt });
  const core = (file: Uint8Array) => {
    const tail = tailOf(file);
    const at = file.length - 8 - tail.coreBytes;
    return parseFooterCore(file.subarray(at, file.length - 8), tail, footerBytes, { ...LOCATION, byteOffset: at });
  };
  /** A changed core whose CRC is right again. */
  const changed = (change: (view: DataView, coreAt: number) => void) => {
    const file = bytes.slice();
    const view = new DataView(file.buffer);
    const coreAt = file.length - 8 - tailOf(bytes).coreBytes;
    change(view, coreAt);
    view.setUint32(tailAt + 60, crc32(file.subarray(coreAt, tailAt + 60)), true);
    return file;
  };

  it('of the specification is what the writer writes', () => {
    const page = readFileSync(new URL('../../../../docs/formats/columna.md', import.meta.url), 'utf8');
    const hex = /```file\n([\s\S]*?)values/
      .exec(page)![1]!
      .replaceAll(/^[0-9A-F]{4} {2}/gm, '')
      .replaceAll(/\s/g, '');
    const file = new Uint8Array(Buffer.from(hex, 'hex'));
    expect(Buffer.from(bytes).toString('hex')).toBe(Buffer.from(file).toString('hex'));
    expect(readTable(file).columns[0]!.values).toEqual(['5', '6', '7']);
  });

  it('is found from the end, and nowhere else', () => {
    expect(footerBytes).toBe(224);
    expect(parseTrailer(bytes.subarray(0, 8), bytes.length)).toBeNull();
    expect(parseTrailer(bytes.subarray(-8), 100)).toBeNull();
    expect(parseTrailer(bytes.subarray(-8), 11)).toBeNull();
    expect(parseTrailer(bytes.subarray(-7), bytes.length)).toBeNull();
  });

  it('is parsed into groups and blocks', () => {
    expect(core(bytes)).toMatchObject({
      formatVersion: 1,
      rowCount: 3,
      previousEnd: 0,
      footerOffset: 52,
      rowGroups: [{ byteOffset: 4, rowCount: 3, pageRows: 65536, firstRow: 0 }],
      directory: [{ byteOffset: 52, byteLength: 64 }],
    });
  });

  it('of a later reader is refused first, whatever else is in it', () => {
    const later = bytes.slice();
    later.fill(0xff, tailAt + 4, tailAt + 64);
    later[tailAt + 2] = 2;
    expect(codeOf(() => tailOf(later))).toBe('ERR_VERSION');
    const newer = changed((view) => view.setUint16(tailAt, 9, true));
    expect(core(newer).formatVersion).toBe(9);
  });

  it.each([
    ['another footer offset', 24, 53],
    ['more columns than fit', 4, 200],
    ['more row groups than fit', 8, 200],
    ['a longer schema than fits', 12, 255],
    ['more rows than 2^53', 22, 0x40],
  ])('refuses %s in the tail', (_, at, value) => {
    const file = bytes.slice();
    file[tailAt + at] = value;
    expect(codeOf(() => tailOf(file))).toBe('ERR_METADATA');
  });

  it('refuses a core with another CRC', () => {
    const file = bytes.slice();
    file[tailAt + 45] = 1;
    expect(codeOf(() => core(file))).toBe('ERR_CRC');
  });

  it.each([
    ['a row group in the footer', (view: DataView, at: number) => view.setBigUint64(at + 64, 60n, true)],
    ['a row group at 0', (view: DataView, at: number) => view.setBigUint64(at + 64, 0n, true)],
    ['an empty row group', (view: DataView, at: number) => view.setUint32(at + 72, 0, true)],
    ['pages of no rows', (view: DataView, at: number) => view.setUint32(at + 76, 0, true)],
    ['pages of too many rows', (view: DataView, at: number) => view.setUint32(at + 76, 65537, true)],
    ['a block in the core', (view: DataView, at: number) => view.setUint32(at + 80, 8, true)],
    ['a block without its entries', (view: DataView, at: number) => view.setUint32(at + 84, 63, true)],
    ['another number of rows', (view: DataView) => view.setBigUint64(tailAt + 16, 4n, true)],
  ])('refuses %s', (_, change) => expect(codeOf(() => core(changed(change)))).toBe('ERR_METADATA'));

  it('of an empty table starts at 4', () => {
    const empty = encodeFooter({ columns: [], metadata: new Map(), createdBy: null }, [], [], 4, 0);
    const file = Uint8Array.of(0x43, 0x4e, 0x41, 0x31, ...empty);
    expect(readTable(file)).toMatchObject({ columns: [], footer: { rowCount: 0, rowGroups: [], footerOffset: 4 } });
  });
});
