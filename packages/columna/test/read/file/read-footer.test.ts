// Opening a file by hand: what is asked of the source, and which of its ends, counts and checksums is refused as what.
import { crc32 } from '@colkit/io';
import { runSync, WorkContext } from '@colkit/io/effects';
import { CountingSource } from '@colkit/testkit';
import { describe, expect, it } from 'vitest';
import type { ChunkEntry } from '../../../src/layout/column-block.ts';
import { columnType } from '../../../src/layout/column-type.ts';
import { encodeFooter } from '../../../src/layout/footer.ts';
import type { Footer, RowGroup } from '../../../src/layout/footer.ts';
import { DEFAULT_READ_LIMITS, readFooter } from '../../../src/read/file/read-footer.ts';
import type { ReadLimits } from '../../../src/read/file/read-footer.ts';
import { join, withTail } from '../../support/craft.ts';
import { MemorySource } from '../../support/io.ts';

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const none = { nullCount: 0, nanCount: 0, min: null, max: null };
const SCHEMA = {
  columns: [{ name: 'v', type: columnType('int8'), nullable: false }],
  metadata: new Map<string, string>(),
  createdBy: null,
};
const group: RowGroup = { byteOffset: 4, rowCount: 3, pageRows: 8, firstRow: 0 };
const chunk: ChunkEntry = {
  byteOffset: 4,
  byteLength: 32,
  dictionaryBytes: 0,
  codesColumn: 0,
  joint: false,
  statistics: none,
  encodings: 1,
  pages: [{ pageBytes: 32, statistics: none }],
};
/** 36 bytes of magic and page, 64 of block, a core, a trailer of 8. */
const made = (change: Partial<RowGroup> = {}): Uint8Array =>
  join([text('CNA1'), new Uint8Array(32), encodeFooter(SCHEMA, [{ ...group, ...change }], [[chunk]], 36, 0)]);
const FILE = made();
const CORE_AT = 36 + 64;

function read(
  file: Uint8Array,
  ahead = 1 << 16,
  limits: Partial<ReadLimits> = {},
): { footer: Footer; bytesRead: number } {
  const source = new CountingSource(new MemorySource(file, 'x.cna'));
  const context = new WorkContext();
  const footer = runSync(readFooter(source, { ...DEFAULT_READ_LIMITS, ...limits }, ahead), context);
  return { footer, bytesRead: context.bytesRead };
}

function refused(file: Uint8Array, limits: Partial<ReadLimits> = {}): unknown {
  try {
    read(file, 1 << 16, limits);
  } catch (error) {
    return error;
  }
  throw new Error('it was read');
}

describe('the footer of a file', () => {
  it('is the same however much of the end is asked for at once, and no byte is asked for twice', () => {
    const expected = read(FILE).footer;
    expect(expected).toMatchObject({ rowCount: 3, footerOffset: 36 });
    const coreBytes = FILE.length - CORE_AT;
    for (const ahead of [0, 72, coreBytes - 1, coreBytes, coreBytes + 1, FILE.length - 1, FILE.length, 1 << 20]) {
      const { footer, bytesRead } = read(FILE, ahead);
      expect(footer, String(ahead)).toEqual(expected);
      expect(bytesRead, String(ahead)).toBe(4 + Math.min(FILE.length, Math.max(coreBytes, ahead)));
    }
  });

  it('is of a .cna file: one that begins as one, and has room for both ends', () => {
    const foreign = (found: string): unknown =>
      expect.objectContaining({
        name: 'CorruptFileError',
        code: 'ERR_MAGIC',
        path: 'x.cna',
        region: 'file',
        byteOffset: 0,
        found,
      });
    expect(refused(FILE.subarray(0, 11))).toEqual(foreign('11 bytes'));
    expect(refused(new Uint8Array(0))).toEqual(foreign('0 bytes'));
    const other = FILE.slice();
    other[3] = 0x32;
    expect(refused(other)).toEqual(foreign('0x32414e43'));
  });

  it('ends it; else it is told what could be kept', () => {
    for (const file of [
      join([text('CNA1'), new Uint8Array(8)]),
      join([text('CNA1'), new Uint8Array(16)]),
      FILE.subarray(0, -1),
      join([text('CNA1'), new Uint8Array(200)]),
    ]) {
      expect(refused(file)).toMatchObject({
        code: 'ERR_TRUNCATED',
        path: 'x.cna',
        region: 'trailer',
        byteOffset: file.length - 8,
      });
    }
    const longer = join([FILE, new Uint8Array(5)]);
    expect(refused(longer)).toMatchObject({
      code: 'ERR_UNCOMMITTED_TAIL',
      path: 'x.cna',
      region: 'trailer',
      byteOffset: FILE.length,
      found: '5 bytes that no footer covers',
    });
  });

  it('keeps to the limits of columns, row groups and bytes, exactly', () => {
    const coreBytes = FILE.length - 8 - CORE_AT;
    expect(read(FILE, 0, { maxColumns: 1, maxRecords: 1, maxMetadataBytes: coreBytes }).footer.rowCount).toBe(3);
    expect(refused(FILE, { maxColumns: 0 })).toMatchObject({
      name: 'LimitError',
      code: 'ERR_LIMIT',
      limit: 0,
      value: 1,
    });
    expect(refused(FILE, { maxRecords: 0 })).toMatchObject({
      name: 'LimitError',
      code: 'ERR_LIMIT',
      limit: 0,
      value: 1,
    });
    expect(refused(FILE, { maxMetadataBytes: coreBytes - 1 })).toMatchObject({
      name: 'LimitError',
      code: 'ERR_METADATA_TOO_LARGE',
      limit: coreBytes - 1,
      value: coreBytes,
    });
  });

  it('is refused where it lies: tail, core, block', () => {
    expect(refused(withTail(FILE, (tail) => tail.setBigUint64(24, 37n, true)))).toMatchObject({
      code: 'ERR_METADATA',
      path: 'x.cna',
      region: 'footer tail',
      byteOffset: FILE.length - 72 + 24,
    });
    const core = FILE.slice();
    core[CORE_AT + 1]! ^= 1;
    expect(refused(core)).toMatchObject({
      code: 'ERR_CRC',
      path: 'x.cna',
      region: 'footer',
      byteOffset: FILE.length - 12,
    });
    const rows = withTail(FILE, (tail) => tail.setBigUint64(16, 4n, true));
    expect(refused(rows)).toMatchObject({ code: 'ERR_METADATA', region: 'footer', byteOffset: FILE.length - 72 + 16 });
  });
});

describe('rows that no bytes stand behind', () => {
  /** Makes the row group of the file one of `rowCount` rows in pages of `pageRows`. */
  const claimed = (rowCount: number, pageRows: number, from = FILE): Uint8Array => {
    const file = from.slice();
    const coreAt = from === FILE ? CORE_AT : CORE_AT + 64;
    const view = new DataView(file.buffer);
    const groupAt = file.length - 72 - 32;
    view.setUint32(groupAt + 8, rowCount, true);
    view.setUint32(groupAt + 12, pageRows, true);
    view.setBigUint64(file.length - 72 + 16, BigInt(rowCount), true);
    view.setUint32(file.length - 12, crc32(file.subarray(coreAt, file.length - 12)), true);
    return file;
  };

  it('have an entry for every page, or are refused with the first column', () => {
    expect(read(claimed(8, 8)).footer.rowCount).toBe(8);
    for (const [rowCount, pageRows] of [
      [9, 8],
      [16, 8],
      [65, 1],
      [0xffffffff, 65_536],
    ] as const) {
      expect(refused(claimed(rowCount, pageRows))).toMatchObject({
        code: 'ERR_METADATA',
        path: 'x.cna',
        region: 'column block',
        byteOffset: 36,
        found: '64',
      });
    }
  });

  it('may have their entries to the byte', () => {
    const pages = [
      { pageBytes: 16, statistics: none },
      { pageBytes: 16, statistics: none },
    ];
    const file = join([
      text('CNA1'),
      new Uint8Array(32),
      encodeFooter(SCHEMA, [{ ...group, rowCount: 16 }], [[{ ...chunk, pages }]], 36, 0),
    ]);
    expect(read(file).footer).toMatchObject({ rowCount: 16, directory: [{ byteLength: 128 }] });
    expect(refused(claimed(17, 8, file))).toMatchObject({
      code: 'ERR_METADATA',
      region: 'column block',
      byteOffset: 36,
      found: '128',
    });
  });

  it('are none where there are no columns', () => {
    const schema = { ...SCHEMA, columns: [] };
    expect(read(join([text('CNA1'), encodeFooter(schema, [], [], 4, 0)])).footer.rowCount).toBe(0);
    expect(refused(join([text('CNA1'), encodeFooter(schema, [group], [], 4, 0)]))).toMatchObject({
      code: 'ERR_METADATA',
      path: 'x.cna',
      region: 'footer',
      byteOffset: 4,
      found: '3',
    });
  });
});
