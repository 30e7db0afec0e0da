// Footers by hand that stand for very much: as many row groups, columns, page entries and strings of statistics as fit,
// with right CRCs and hardly a page behind them.
import { crc32 } from '@colkit/io';
import type { ChunkEntry } from '../../src/layout/column-block.ts';
import { encodeColumnBlock } from '../../src/layout/column-block.ts';
import { columnType } from '../../src/layout/column-type.ts';
import type { ColumnTypeName } from '../../src/layout/column-type.ts';
import { Encoding } from '../../src/layout/constants.ts';
import { encodePageBytes } from '../../src/layout/page-header.ts';
import { join } from './craft.ts';

const CNA1 = Buffer.from('CNA1');
const NONE = { nullCount: 0, nanCount: 0, min: null, max: null };
const [CORE_TAIL, ENTRY] = [64, 16];

export interface FooterParts {
  readonly pages: Uint8Array;
  readonly schema: Uint8Array | string;
  readonly groups: readonly { readonly byteOffset: number; readonly rowCount: number; readonly pageRows: number }[];
  readonly blocks: readonly Uint8Array[];
  /** The number of a column's block; default: each its own. */
  readonly blockOf?: (column: number) => number;
  readonly columnCount?: number;
}

/** A file of these parts. */
export function handMade({
  pages,
  schema,
  groups,
  blocks,
  blockOf = (column) => column,
  columnCount = blocks.length,
}: FooterParts): Uint8Array {
  const json = typeof schema === 'string' ? new TextEncoder().encode(schema) : schema;
  const padded = Math.ceil(json.length / 8) * 8;
  const core = new Uint8Array(padded + ENTRY * (groups.length + columnCount) + CORE_TAIL);
  const view = new DataView(core.buffer);
  core.set(json);
  let at = padded;
  let rowCount = 0;
  for (const group of groups) {
    view.setBigUint64(at, BigInt(group.byteOffset), true);
    view.setUint32(at + 8, group.rowCount, true);
    view.setUint32(at + 12, group.pageRows, true);
    rowCount += group.rowCount;
    at += ENTRY;
  }
  let blocksBytes = 0;
  const ranges = blocks.map((block) => ({
    start: (blocksBytes += block.length) - block.length,
    byteLength: block.length,
    crc: crc32(block),
  }));
  for (let column = 0; column < columnCount; column++, at += ENTRY) {
    const { start, byteLength, crc } = ranges[blockOf(column)]!;
    view.setUint32(at, start, true);
    view.setUint32(at + 4, byteLength, true);
    view.setUint32(at + 8, crc, true);
  }
  view.setUint16(at, 1, true);
  view.setUint16(at + 2, 1, true);
  view.setUint32(at + 4, columnCount, true);
  view.setUint32(at + 8, groups.length, true);
  view.setUint32(at + 12, json.length, true);
  view.setBigUint64(at + 16, BigInt(rowCount), true);
  view.setBigUint64(at + 24, BigInt(4 + pages.length), true);
  view.setUint32(core.length - 4, crc32(core.subarray(0, core.length - 4)), true);
  const trailer = new Uint8Array(8);
  new DataView(trailer.buffer).setUint32(0, blocksBytes + core.length, true);
  trailer.set(CNA1, 4);
  return join([CNA1, pages, ...blocks, core, trailer]);
}

export const schemaOf = (columnCount: number, type: ColumnTypeName, nullable = false): string =>
  '{"columns":[' +
  Array.from(
    { length: columnCount },
    (_, column) => `{"name":"c${column}","type":"${type}","nullable":${nullable}}`,
  ).join() +
  ']}';

/** A page of one int64 and the entry of a chunk that is it. */
function onePage(byteOffset: number): { page: Uint8Array; chunk: ChunkEntry } {
  const header = {
    kind: 'data',
    codec: 'NONE',
    encoding: Encoding.AFFINE,
    parameter: 0,
    bodyBytes: 16,
    rowCount: 1,
    valueCount: 1,
  } as const;
  const page = encodePageBytes(header, new Uint8Array(16), columnType('int64'), 0);
  return {
    page,
    chunk: {
      byteOffset,
      byteLength: page.length,
      dictionaryBytes: 0,
      codesColumn: 0,
      joint: false,
      statistics: NONE,
      encodings: 1 << Encoding.AFFINE,
      pages: [{ pageBytes: page.length, statistics: NONE }],
    },
  };
}

/** Row groups of one row, each with its page. */
export function manyGroups(count: number): Uint8Array {
  const { page, chunk } = onePage(4);
  const offsets = Array.from({ length: count }, (_, k) => 4 + k * page.length);
  return handMade({
    pages: join(offsets.map(() => page)),
    schema: schemaOf(1, 'int64'),
    groups: offsets.map((byteOffset) => ({ byteOffset, rowCount: 1, pageRows: 1 })),
    blocks: [encodeColumnBlock(offsets.map((byteOffset) => ({ ...chunk, byteOffset })))],
  });
}

/** Columns of one row, each with its page. */
export function manyColumns(count: number): Uint8Array {
  const type = columnType('int64');
  const header = {
    kind: 'data',
    codec: 'NONE',
    encoding: Encoding.AFFINE,
    parameter: 0,
    bodyBytes: 16,
    rowCount: 1,
    valueCount: 1,
  } as const;
  const pages = Array.from({ length: count }, (_, column) => encodePageBytes(header, new Uint8Array(16), type, column));
  let at = 4;
  const blocks = pages.map(({ length }, column) =>
    encodeColumnBlock([{ ...onePage((at += length) - length).chunk, codesColumn: column }]),
  );
  return handMade({
    pages: join(pages),
    schema: schemaOf(count, 'int64'),
    groups: [{ byteOffset: 4, rowCount: 1, pageRows: 1 }],
    blocks,
  });
}

/** Columns that all have the same block of `pageCount` page entries; no page is there. */
export function sharedBlocks(columnCount: number, pageCount: number): Uint8Array {
  const entry = { pageBytes: 0, statistics: NONE };
  const block = encodeColumnBlock([
    {
      byteOffset: 4,
      byteLength: 0,
      dictionaryBytes: 0,
      codesColumn: 0,
      joint: false,
      statistics: NONE,
      encodings: 1,
      pages: Array.from({ length: pageCount }, () => entry),
    },
  ]);
  return handMade({
    pages: new Uint8Array(0),
    schema: schemaOf(columnCount, 'int64'),
    groups: [{ byteOffset: 4, rowCount: pageCount, pageRows: 1 }],
    blocks: [block],
    blockOf: () => 0,
    columnCount,
  });
}

/** Pages whose smallest and largest text is, each, all of the block. */
export function longStatistics(type: 'string' | 'binary', pageCount: number): Uint8Array {
  const bound = { value: Uint8Array.of(97), exact: true };
  const statistics = { ...NONE, min: bound, max: bound };
  const block = encodeColumnBlock([
    {
      byteOffset: 4,
      byteLength: 0,
      dictionaryBytes: 0,
      codesColumn: 0,
      joint: false,
      statistics,
      encodings: 1,
      pages: Array.from({ length: pageCount }, () => ({ pageBytes: 0, statistics })),
    },
  ]);
  const view = new DataView(block.buffer, block.byteOffset);
  for (const at of [40, ...Array.from({ length: pageCount }, (_, page) => 64 + 32 * page + 16)]) {
    for (const slot of [at, at + 8]) {
      view.setUint32(slot, 0, true);
      view.setUint32(slot + 4, block.length, true);
    }
  }
  return handMade({
    pages: new Uint8Array(0),
    schema: schemaOf(1, type),
    groups: [{ byteOffset: 4, rowCount: pageCount, pageRows: 1 }],
    blocks: [block],
  });
}

/** A schema with a member that nobody asked for: `piece` as often as fits. */
export function bloatedSchema(piece: string, megabytes: number, open = '[', close = ']'): Uint8Array {
  const count = Math.floor((megabytes << 20) / piece.length);
  const text = Buffer.from(`{"columns":[],"x":${open}${piece.repeat(count).replace(/,$/, '')}${close}}`);
  return handMade({ pages: new Uint8Array(0), schema: new Uint8Array(text), groups: [], blocks: [] });
}
