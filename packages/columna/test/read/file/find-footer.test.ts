// The search for the last whole footer: found behind any amount of anything, and never more work than a few times the
// file. Work is counted: bytes asked for, bytes looked into.
import { crc32 } from '@colkit/io';
import { runSync } from '@colkit/io/effects';
import { CountingSource } from '@colkit/testkit';
import { describe, expect, it } from 'vitest';
import { FOOTER_TAIL_BYTES, MAGIC, TRAILER_BYTES } from '../../../src/layout/constants.ts';
import { columnType } from '../../../src/layout/column-type.ts';
import { encodeFooter } from '../../../src/layout/footer.ts';
import { encodeSchema } from '../../../src/layout/schema.ts';
import { SearchBudget, findLastFooter } from '../../../src/read/file/find-footer.ts';
import type { FoundFooter } from '../../../src/read/file/find-footer.ts';
import { DEFAULT_READ_LIMITS } from '../../../src/read/file/read-footer.ts';
import { openSync } from '../../../src/index.ts';
import { MemorySource } from '../../support/io.ts';
import { writeTable } from '../../support/table.ts';

const MEGABYTE = 1 << 20;
/** Of a long file. */
const LONG = 24 * MEGABYTE;
/** Where mutants are tried, searching is counted step by step: there, short files take the place of long ones. */
const isSlow = process.env['COLKIT_MUTANT_AREA'] !== undefined;
const BLOCK = 512;
const { bytes: whole } = writeTable(
  [{ name: 'n', type: 'int32', values: Int32Array.from({ length: 1000 }, (_, i) => (i * 7919) % 1000) }],
  { rowGroupRows: 300 },
);

/** Of three columns, whose blocks are of different lengths. */
const { bytes: three } = writeTable(
  [
    { name: 'a', type: 'string', values: Array.from({ length: 60 }, (_, i) => `text ${String(i % 7)}`) },
    { name: 'b', type: 'int8', values: new Int8Array(60) },
    { name: 'c', type: 'float64', values: Float64Array.from({ length: 60 }, (_, i) => i / 3) },
  ],
  { rowGroupRows: 25 },
);

interface Search {
  readonly found: FoundFooter | null;
  /** Bytes that were asked of the source. */
  readonly read: number;
  /** Bytes of what looked like footers. */
  readonly spent: number;
}

function search(file: Uint8Array, blockBytes?: number): Search {
  const source = new CountingSource(new MemorySource(file));
  const budget = new SearchBudget('x.cna', file.length);
  const found = runSync(findLastFooter(source, DEFAULT_READ_LIMITS, budget, blockBytes));
  return { found, read: source.bytesRead, spent: budget.spent };
}

/** What is asked of the source until the search is refused, as a LimitError and in no other way. */
function refused(file: Uint8Array): number {
  const source = new CountingSource(new MemorySource(file));
  expect(() => runSync(findLastFooter(source, DEFAULT_READ_LIMITS))).toThrow(
    expect.objectContaining({ name: 'LimitError', code: 'ERR_LIMIT' }),
  );
  return source.bytesRead;
}

function before(tail: Uint8Array): Uint8Array {
  const file = new Uint8Array(whole.length + tail.length);
  file.set(whole);
  file.set(tail, whole.length);
  return file;
}

const repeated = (text: string, byteLength: number): Uint8Array =>
  new Uint8Array(Buffer.alloc(byteLength, text, 'latin1'));

/**
 * Tails and trailers one after another, all of which claim a footer of what is before them, with a core of `coreBytes`
 * of it (at most all).
 */
function claims(file: Uint8Array, from: number, coreBytes: (footerBytes: number) => number): Uint8Array {
  const view = new DataView(file.buffer);
  for (
    let tail = from;
    tail + FOOTER_TAIL_BYTES + TRAILER_BYTES <= file.length;
    tail += FOOTER_TAIL_BYTES + TRAILER_BYTES
  ) {
    const footerBytes = tail + FOOTER_TAIL_BYTES - 4;
    view.setUint16(tail, 1, true);
    view.setUint16(tail + 2, 1, true);
    view.setUint32(tail + 12, Math.max(0, coreBytes(footerBytes) - FOOTER_TAIL_BYTES), true);
    view.setBigUint64(tail + 24, 4n, true);
    view.setUint32(tail + FOOTER_TAIL_BYTES, footerBytes, true);
    view.setUint32(tail + FOOTER_TAIL_BYTES + 4, MAGIC, true);
  }
  return file;
}

describe('the search for a footer', () => {
  it('finds one wherever the borders of blocks fall, in front of anything, and reads everything once', () => {
    for (const text of ['\0', '1', 'CNA1', 'NA1', '1ANC', '\u0048\0\0\0CNA1'])
      for (let tail = 0; tail < 2 * BLOCK; tail += text === '\0' ? 1 : 37) {
        const file = before(repeated(text, tail));
        const { found, read, spent } = search(file, BLOCK);
        if (found?.end !== whole.length) expect.fail(`not before ${String(tail)} bytes of ${JSON.stringify(text)}`);
        expect(spent).toBeLessThan(2 * whole.length);
        const blocks = Math.ceil(file.length / (BLOCK - 100));
        expect(read).toBeLessThan(file.length + 100 * blocks + 2 * whole.length);
      }
  });

  it('finds none where there is none, and the last one of several', () => {
    for (const blockBytes of [BLOCK, undefined]) {
      const { found, read } = search(new Uint8Array(3000), blockBytes);
      // Blocks share what a tail and its trailer need, and no byte more.
      expect([found, read]).toEqual([null, blockBytes === undefined ? 3000 : 3000 + 6 * (72 - 1)]);
      expect(search(whole.subarray(0, whole.length - 1), blockBytes).found).toBeNull();
      expect(search(new Uint8Array(0), blockBytes).found).toBeNull();
    }
    const second = before(whole);
    // The footer of the second counts from its own beginning: only that of the first is whole.
    expect(search(second, BLOCK).found?.end).toBe(whole.length);
  });

  it('passes over a footer that is not whole, whichever of its bytes is another', () => {
    const { footer, end } = search(three).found!;
    expect(end).toBe(three.length);
    const { footerOffset, directory } = footer;
    const coreAt = directory.reduce((last, { byteOffset, byteLength }) => Math.max(last, byteOffset + byteLength), 0);
    // All of them: blocks lie one behind the other up to the core.
    expect(directory.reduce((sum, { byteLength }) => sum + byteLength, footerOffset)).toBe(coreAt);
    for (let at = footerOffset; at < three.length; at += 1) {
      const file = new Uint8Array(three.length + 100);
      file.set(three);
      file[at]! ^= 1;
      if (search(file, BLOCK).found !== null) expect.fail(`byte ${String(at)} of ${String(three.length)}`);
    }
  });

  it('finds the footer of a table without rows behind the first four bytes, and none before', () => {
    const schema = {
      columns: [{ name: 'n', type: columnType('int8'), nullable: false }],
      metadata: new Map(),
      createdBy: null,
    };
    const found = Array.from({ length: 8 }, (_, at) => {
      const footer = encodeFooter(schema, [], [[]], at, 0);
      const file = new Uint8Array(at + footer.length);
      file.set(footer, at);
      return search(file).found?.footer.footerOffset ?? null;
    });
    expect(found).toEqual([null, null, null, null, 4, 5, 6, 7]);
  });

  it('passes over a footer with a type that this version does not know', () => {
    const file = before(three);
    const { footer } = search(three).found!;
    const name = Buffer.from(file).lastIndexOf('"float64"');
    file[name + 1] = 0x78;
    const coreAt = whole.length + footer.directory.reduce((end, each) => end + each.byteLength, footer.footerOffset);
    const view = new DataView(file.buffer);
    const tail = file.length - TRAILER_BYTES - FOOTER_TAIL_BYTES;
    const moved = (): void => {
      view.setBigUint64(tail + 24, BigInt(whole.length + footer.footerOffset), true);
      view.setUint32(tail + 60, crc32(file.subarray(coreAt, tail + 60)), true);
    };
    moved();
    expect(search(file).found?.end).toBe(whole.length);
    file[name + 1] = 0x66;
    moved();
    expect(search(file).found?.end).toBe(file.length);
  });

  it('counts what it looks into: the core, and the blocks before it', () => {
    const { found, spent, read } = search(three, BLOCK);
    const { footerOffset } = found!.footer;
    // A core that is shorter costs as much as this.
    const blocks = found!.footer.directory.reduce((sum, { byteLength }) => sum + byteLength, 0);
    const core = three.length - TRAILER_BYTES - footerOffset - blocks;
    expect(spent).toBe(Math.max(256, core) + blocks);
    expect(read).toBe(BLOCK + core + blocks);
  });

  it('passes over footers beyond the limits', () => {
    const { footer } = search(whole).found!;
    const found = (limits: Partial<typeof DEFAULT_READ_LIMITS>): boolean =>
      runSync(findLastFooter(new MemorySource(whole), { ...DEFAULT_READ_LIMITS, ...limits })) !== null;
    const footerBytes = whole.length - footer.footerOffset - TRAILER_BYTES;
    expect([found({ maxColumns: 1 }), found({ maxColumns: 0 })]).toEqual([true, false]);
    expect([found({ maxRecords: 4 }), found({ maxRecords: 3 })]).toEqual([true, false]);
    expect([found({ maxMetadataBytes: footerBytes }), found({ maxMetadataBytes: footerBytes - 1 })]).toEqual([
      true,
      false,
    ]);
  });

  it('tells that a read failed', () => {
    const source = new MemorySource(whole);
    source.close();
    expect(() => runSync(findLastFooter(source, DEFAULT_READ_LIMITS))).toThrow(
      expect.objectContaining({ code: 'ERR_CLOSED' }),
    );
  });

  it.skipIf(isSlow).each([
    ['1', LONG],
    ['CNA1', LONG],
    ['NA1', 3 * MEGABYTE],
    ['1ANC', 3 * MEGABYTE],
    ['\u0048\u0000\u0000\u0000CNA1', 3 * MEGABYTE],
    ['\u0000', 3 * MEGABYTE],
  ])('passes over %j, %i bytes of it, once', { timeout: 60_000 }, (text, byteLength) => {
    const file = before(repeated(text, byteLength));
    const { found, read, spent } = search(file);
    expect(found?.end).toBe(whole.length);
    expect(found?.footer.rowCount).toBe(1000);
    // Nothing but the footer that was found was looked into.
    expect(spent).toBeLessThan(2 * whole.length);
    expect(read).toBeLessThan(file.length + 100 * Math.ceil(byteLength / MEGABYTE) + 2 * whole.length);
  });

  it.skipIf(isSlow)('finds a footer wherever the borders of its blocks fall', () => {
    for (let tail = MEGABYTE - 90; tail < MEGABYTE + 10; tail++) {
      const { found } = search(before(new Uint8Array(tail)));
      if (found?.end !== whole.length) expect.fail(`not before ${String(tail)} bytes`);
    }
  });

  it('looks into a few hundred made-up footers for no more than twice the file', () => {
    const small = claims(before(new Uint8Array(200 * 72)), whole.length, (footerBytes) => footerBytes);
    expect(refused(small)).toBeLessThan(3.1 * small.length + 4096);
    // Each costs something, though its core is short: as many as there is budget for, and one more.
    const budget = new SearchBudget('x.cna', small.length);
    const many = claims(before(new Uint8Array(200 * 72)), whole.length, () => FOOTER_TAIL_BYTES);
    expect(() => runSync(findLastFooter(new MemorySource(many), DEFAULT_READ_LIMITS, budget))).toThrow(
      expect.objectContaining({ code: 'ERR_LIMIT' }),
    );
    expect(budget.spent).toBe(256 * (Math.floor((2 * small.length + 4096) / 256) + 1));
  });

  it.skipIf(isSlow)('looks into made-up footers for no more than twice the file', { timeout: 60_000 }, () => {
    const large = claims(before(new Uint8Array(LONG)), whole.length, (footerBytes) => footerBytes);
    expect(refused(large)).toBeLessThan(3.1 * large.length);
    const small = claims(before(new Uint8Array(2 * MEGABYTE)), whole.length, () => FOOTER_TAIL_BYTES);
    expect(refused(small)).toBeLessThan(3.1 * small.length);
    expect(() => openSync(small)).toThrow(expect.objectContaining({ code: 'ERR_LIMIT' }));
    // A few of them, as may stand in a lost column of bytes, are passed over.
    const few = claims(before(new Uint8Array(100 * 72)), whole.length + 90 * 72, () => FOOTER_TAIL_BYTES);
    expect(search(few).found?.end).toBe(whole.length);
  });

  it('passes over a footer whose columns share a block without looking into the blocks', () => {
    const [columns, blockBytes] = [2000, MEGABYTE];
    const type = columnType('int8');
    const schema = encodeSchema({
      columns: Array.from({ length: columns }, (_, number) => ({ name: `c${String(number)}`, type, nullable: false })),
      metadata: new Map(),
      createdBy: null,
    });
    const directoryAt = blockBytes + Math.ceil(schema.length / 8) * 8;
    const tailAt = directoryAt + 16 * columns;
    const footer = new Uint8Array(tailAt + FOOTER_TAIL_BYTES + TRAILER_BYTES);
    const view = new DataView(footer.buffer);
    const crc = crc32(footer.subarray(0, blockBytes));
    footer.set(schema, blockBytes);
    for (let number = 0; number < columns; number++) {
      view.setUint32(directoryAt + 16 * number + 4, blockBytes, true);
      // The last is not right: everything before it has been gone through by then.
      view.setUint32(directoryAt + 16 * number + 8, number === columns - 1 ? crc ^ 1 : crc, true);
    }
    view.setUint16(tailAt, 1, true);
    view.setUint16(tailAt + 2, 1, true);
    view.setUint32(tailAt + 4, columns, true);
    view.setUint32(tailAt + 12, schema.length, true);
    view.setBigUint64(tailAt + 24, BigInt(whole.length), true);
    view.setUint32(tailAt + 60, crc32(footer.subarray(blockBytes, tailAt + 60)), true);
    view.setUint32(tailAt + FOOTER_TAIL_BYTES, tailAt + FOOTER_TAIL_BYTES, true);
    view.setUint32(tailAt + FOOTER_TAIL_BYTES + 4, MAGIC, true);
    const { found, spent } = search(before(footer));
    expect(found?.end).toBe(whole.length);
    expect(spent).toBeLessThan(2 * footer.length);
  });
});
