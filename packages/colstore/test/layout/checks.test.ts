// Files made so that exactly one check of the reader stands between them and being read: each is refused, or read, for
// that reason alone.
import { crc32 } from 'node:zlib';
import { LimitError } from '@colkit/io';
import type { RandomAccessSource } from '@colkit/io';
import { runSync } from '@colkit/io/effects';
import { describe, expect, it } from 'vitest';
import { COUNTERS_64, MANIFEST_LIMIT_BYTES } from '../../src/layout/constants.ts';
import { readLayout, readStatistics } from '../../src/layout/read-layout.ts';
import { verifyLayout } from '../../src/layout/verify.ts';
import {
  MAGIC_BYTES,
  concat,
  counters32,
  counters64,
  errorOf,
  flatFile,
  i64,
  layoutOf,
  padTo,
  recordFile,
  recordHeader,
  recordManifest,
  runOver,
  text,
  u32,
} from '../support/files.ts';

const V = [{ name: 'v', descr: '|u1' }];
const MANIFEST = recordManifest(V);
const refusal = (bytes: Uint8Array): unknown => errorOf(() => layoutOf(bytes));

/** A record header that says anything, with the checksum that belongs to it. */
function sealedHeader(change: (covered: Uint8Array) => void): Uint8Array {
  const covered = recordHeader(0, 3).slice(0, 28);
  change(covered);
  return concat(covered, u32(crc32(covered)));
}

const DATA_OFFSET = layoutOf(recordFile(counters64(0, 0), MANIFEST, [])).dataOffset;

describe('record headers whose checksum is right', () => {
  const withHeader = (header: Uint8Array): Uint8Array => {
    const bytes = recordFile(counters64(1, 3), MANIFEST, [{ rows: 3, body: new Uint8Array(3) }]);
    bytes.set(header, DATA_OFFSET);
    return bytes;
  };

  it('are of the magic, in each of its bytes', () => {
    for (let at = 0; at < 4; at += 1) {
      const error = refusal(
        withHeader(
          sealedHeader((covered) => {
            covered[at]! ^= 0x10;
          }),
        ),
      );
      expect(error).toMatchObject({
        name: 'CorruptFileError',
        code: 'ERR_MAGIC',
        region: 'record 0 header',
        byteOffset: DATA_OFFSET,
        expected: '52 45 43 01',
      });
    }
  });

  it('are of the index that follows, in all of its 64 bits', () => {
    for (const index of [1n, 1n << 8n, 1n << 31n, 1n << 32n, 1n << 52n, 1n << 53n, 1n << 62n, -1n, -(1n << 32n)]) {
      const error = refusal(withHeader(sealedHeader((covered) => covered.set(i64(index), 4))));
      expect(error).toMatchObject({
        code: 'ERR_LAYOUT',
        region: 'record 0 header',
        byteOffset: DATA_OFFSET + 4,
        found: String(index),
      });
    }
    const two = recordFile(counters64(2, 3), MANIFEST, [
      { rows: 3, body: new Uint8Array(3) },
      { rows: 0, body: new Uint8Array(0) },
    ]);
    two.set(
      sealedHeader((covered) => covered.set(i64(1n << 32n), 4)),
      DATA_OFFSET + 40,
    );
    expect(refusal(two)).toMatchObject({
      code: 'ERR_LAYOUT',
      region: 'record 1 header',
      byteOffset: DATA_OFFSET + 44,
      found: '4294967296',
    });
  });

  it('count rows below 2^53, and no more than the file holds', () => {
    for (const rows of [1n << 53n, (1n << 53n) + 1n, 1n << 62n, -1n, -(1n << 32n)]) {
      const error = refusal(withHeader(sealedHeader((covered) => covered.set(i64(rows), 12))));
      expect(error).toMatchObject({
        code: 'ERR_LAYOUT',
        region: 'record 0 header',
        byteOffset: DATA_OFFSET + 12,
        found: String(rows),
      });
    }
    for (const rows of [9, 2 ** 32 + 3, 2 ** 52, 2 ** 53 - 1]) {
      const error = refusal(withHeader(sealedHeader((covered) => covered.set(i64(rows), 12))));
      expect(error).toMatchObject({ code: 'ERR_TRUNCATED', region: 'record 0 body', byteOffset: DATA_OFFSET + 32 });
      expect(BigInt((/\d+/.exec((error as { expected: string }).expected) ?? ['0'])[0])).toBeGreaterThanOrEqual(
        BigInt(rows),
      );
    }
  });

  it('are as many as the file has room for, before room is made for them', () => {
    const empty = { rows: 0, body: new Uint8Array(0) };
    expect(layoutOf(recordFile(counters64(3, 0), MANIFEST, [empty, empty, empty])).bodyOffsets).toHaveLength(3);
    expect(refusal(recordFile(counters64(4, 0), MANIFEST, [empty, empty, empty]))).toMatchObject({
      code: 'ERR_TRUNCATED',
      region: 'records',
      byteOffset: DATA_OFFSET,
    });
    expect(refusal(recordFile(counters64(6, 0), MANIFEST, [empty, empty, empty]))).toMatchObject({
      code: 'ERR_TRUNCATED',
      region: 'records',
      byteOffset: DATA_OFFSET,
    });
  });
});

describe('the form of the counters', () => {
  it('is not told by one zero byte of a damaged manifest', () => {
    const bytes = recordFile(counters32(0, 0), MANIFEST, []);
    bytes[50] = 0;
    expect(refusal(bytes)).toMatchObject({ code: 'ERR_MANIFEST', region: 'manifest', byteOffset: 50 });
  });

  it('is told by eight zeros, which no manifest has, whichever checksum is right', () => {
    const shorter = concat(i64(0), i64(0));
    const bytes = concat(MAGIC_BYTES, shorter, u32(crc32(shorter)), new Uint8Array(100));
    expect(refusal(bytes)).toMatchObject({ code: 'ERR_CRC', region: 'counters', byteOffset: 8 });
  });

  it('is told by byte 48 where both checksums are right', () => {
    // The statistics offset of 64-byte counters is the checksum of 32-byte ones, whose reserved bytes hold the checksum
    // of the longer.
    const shorter = concat(i64(0), i64(0));
    const covered = concat(shorter, u32(crc32(shorter)), u32(0));
    const counters = concat(covered, u32(crc32(covered)), u32(0));
    const json = text(MANIFEST);
    const as32 = padTo(concat(MAGIC_BYTES, counters, i64(json.length), json), 64);
    expect(layoutOf(as32)).toMatchObject({ wire: 'records-32', rowCount: 0 });
    const reserved = new Uint8Array(COUNTERS_64.blockBytes - counters.length);
    reserved[reserved.length - 24] = 0x7c;
    const as64 = padTo(concat(MAGIC_BYTES, counters, reserved, i64(json.length), json), 64);
    expect(as64[48]).toBe(0x7c);
    expect(layoutOf(as64)).toMatchObject({ wire: 'records-64', rowCount: 0 });
  });

  it('is told by byte 48 where neither is right, so that the error says which checksum is missing', () => {
    for (const [counters, coveredBytes] of [
      [counters32(0, 0), 16],
      [counters64(0, 0), 24],
    ] as const) {
      const bytes = recordFile(counters, MANIFEST, []);
      bytes[8] = 1;
      if (coveredBytes === 24) bytes[50] = 1;
      const expected = `checksum ${String(crc32(bytes.subarray(8, 8 + coveredBytes)))} of the counters`;
      expect(refusal(bytes)).toMatchObject({ code: 'ERR_CRC', region: 'counters', byteOffset: 8, expected });
    }
  });
});

describe('manifests', () => {
  it('count rows for flat files only: a key of that name in a record file is none of the checksum', () => {
    const manifest = MANIFEST.replace('"columns"', '"n_rows": "any", "columns"');
    expect(layoutOf(recordFile(counters64(1, 3), manifest, [{ rows: 3, body: new Uint8Array(3) }]))).toMatchObject({
      rowCount: 3,
      hasChecksum: true,
    });
  });

  it('do not begin with a byte order mark, nor hold what is no UTF-8', () => {
    expect(refusal(recordFile(counters64(0, 0), `\ufeff${MANIFEST}`, []))).toMatchObject({
      code: 'ERR_MANIFEST',
      region: 'manifest',
      byteOffset: 80,
    });
    expect(refusal(flatFile(concat(text('{"'), Uint8Array.of(0xc0), text('":1234567}'))))).toMatchObject({
      code: 'ERR_MANIFEST',
      region: 'manifest',
      byteOffset: 16,
    });
    expect(refusal(flatFile('[1, 2, 3, 4, 5]'))).toMatchObject({
      code: 'ERR_LAYOUT',
      region: 'manifest',
      byteOffset: 16,
    });
  });

  it('may end where the file ends', () => {
    const manifest = (name: string): string =>
      `{"format_version": 1, "n_rows": 0, "columns": [{"name": "${name}", "dtype": "|u1"}]}`;
    const name = 'n'.repeat(112 - manifest('').length);
    const bytes = flatFile(manifest(name));
    expect(bytes.length).toBe(128);
    expect(layoutOf(bytes)).toMatchObject({ manifestEnd: 128, dataOffset: 128, rowCount: 0 });
  });

  it('name a nullable column as the feature that is missing', () => {
    const error = refusal(
      flatFile('{"format_version": 1, "n_rows": 0, "columns": [{"name": "v", "dtype": "|u1", "nullable": 1}]}'),
    );
    expect(error).toMatchObject({ name: 'UnsupportedError', code: 'ERR_FEATURE', feature: 'nullable' });
  });

  it('are quoted up to 60 characters', () => {
    const found = (digits: number): unknown =>
      refusal(
        flatFile(`{"format_version": 1, "n_rows": ${'9'.repeat(digits)}, "columns": [{"name": "v", "dtype": "|u1"}]}`),
      );
    expect(found(60)).toMatchObject({ found: '9'.repeat(60) });
    expect(found(61)).toMatchObject({ found: `${'9'.repeat(57)}...` });
  });

  it('are asked for up to the limit, and refused beyond it before they are', () => {
    const asked = (byteLength: number): { byteOffset: number; byteLength: number } => {
      const head = concat(MAGIC_BYTES, i64(byteLength), text('{"format_version"'));
      const readSync = (byteOffset: number, out: Uint8Array): void => {
        if (byteOffset === 0) out.set(head.subarray(0, out.length));
        else throw new Asked(byteOffset, out.length);
      };
      const source = {
        path: 'long.cstore',
        byteLength: 2 * MANIFEST_LIMIT_BYTES,
        readSync,
      } as unknown as RandomAccessSource;
      const error = errorOf(() => runSync(readLayout(source)));
      if (!(error instanceof Asked)) throw error as Error;
      return { byteOffset: error.byteOffset, byteLength: error.byteLength };
    };
    expect(asked(MANIFEST_LIMIT_BYTES)).toEqual({ byteOffset: 16, byteLength: MANIFEST_LIMIT_BYTES });
    const error = errorOf(() => asked(MANIFEST_LIMIT_BYTES + 1));
    expect(error).toBeInstanceOf(LimitError);
    expect(error).toMatchObject({
      code: 'ERR_METADATA_TOO_LARGE',
      limit: MANIFEST_LIMIT_BYTES,
      value: MANIFEST_LIMIT_BYTES + 1,
    });
  });
});

describe('statistics', () => {
  const u16 = (value: number): Uint8Array => Uint8Array.of(value & 255, value >> 8);
  const covered = concat(
    text('CSTAT'),
    Uint8Array.of(0, 1, 0),
    u32(1),
    u32(1),
    u32(1),
    u16(1),
    text('v'),
    u16(3),
    text('|u1'),
    Uint8Array.of(1, 9, 1),
  );
  const footer = concat(covered, u32(crc32(covered)));

  it('behind the data are read; bytes between the two are a tail, which only verify minds', () => {
    const head = recordFile(counters64(1, 8, DATA_OFFSET + 40), MANIFEST, [{ rows: 8, body: new Uint8Array(8) }]);
    const sound = concat(head, footer);
    expect(runOver((source) => readStatistics(source, layoutOf(sound)), sound)).toEqual([[{ min: 1, max: 9 }]]);
    runOver((source) => verifyLayout(source, layoutOf(sound)), sound);
    const gap = concat(
      recordFile(counters64(1, 8, DATA_OFFSET + 48), MANIFEST, [{ rows: 8, body: new Uint8Array(8) }]),
      new Uint8Array(8),
      footer,
    );
    expect(runOver((source) => readStatistics(source, layoutOf(gap)), gap)).toEqual([[{ min: 1, max: 9 }]]);
    expect(errorOf(() => runOver((source) => verifyLayout(source, layoutOf(gap)), gap))).toMatchObject({
      code: 'ERR_UNCOMMITTED_TAIL',
      region: 'tail',
      byteOffset: DATA_OFFSET + 40,
    });
  });

  it('within the data are values that look like statistics', () => {
    const body = concat(new Uint8Array((8 - (footer.length % 8)) % 8), footer);
    const inside = recordFile(counters64(1, body.length, DATA_OFFSET + 32 + body.length - footer.length), MANIFEST, [
      { rows: body.length, body },
    ]);
    expect(layoutOf(inside)).toMatchObject({ endOffset: inside.length, rowCount: body.length });
    expect(runOver((source) => readStatistics(source, layoutOf(inside)), inside)).toBeNull();
  });
});

/** What a source was asked for behind its head. */
class Asked extends Error {
  readonly byteOffset: number;
  readonly byteLength: number;

  constructor(byteOffset: number, byteLength: number) {
    super('asked');
    this.byteOffset = byteOffset;
    this.byteLength = byteLength;
  }
}
