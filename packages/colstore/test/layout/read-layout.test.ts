// Every wire layout by hand, byte for byte, and what is refused in each: where, with which code.
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readStatistics } from '../../src/layout/read-layout.ts';
import { bytesOfHex } from '@colkit/testkit';
import {
  concat,
  counters32,
  counters64,
  errorOf,
  flatFile,
  layoutOf,
  recordFile,
  recordManifest,
  runOver,
  text,
} from '../support/files.ts';
import { BODY, CHECKED, FLAT, ONE, XB } from './small-files.ts';

describe('layouts by hand', () => {
  it('reads a flat file without a checksum', () => {
    const bytes = flatFile(FLAT, BODY);
    expect(bytes.length).toBe(143);
    const layout = layoutOf(bytes);
    expect(layout).toMatchObject({
      wire: 'flat-unchecked',
      rowCount: 3,
      rowBytes: 5,
      dataOffset: 128,
      endOffset: 143,
      byteLength: 143,
    });
    expect(layout.columns.map(({ name, descr, bigEndian }) => [name, descr, bigEndian])).toEqual([
      ['x', '<i4', false],
      ['b', '|b1', false],
    ]);
    expect([...layout.rowStarts]).toEqual([0, 3]);
    expect([...layout.bodyOffsets]).toEqual([128]);
    expect(Object.isFrozen(layout)).toBe(true);
  });

  it('reads a flat file with a checksum', () => {
    expect(layoutOf(flatFile(CHECKED, BODY))).toMatchObject({
      wire: 'flat',
      rowCount: 3,
      dataOffset: 256,
      endOffset: 271,
    });
  });

  it('reads records with 32-byte counters', () => {
    const bytes = recordFile(counters32(1, 3), recordManifest(XB), ONE);
    expect(bytes.length).toBe(304);
    expect(layoutOf(bytes)).toMatchObject({ wire: 'records-32', rowCount: 3, dataOffset: 0x100, endOffset: 304 });
    expect([...layoutOf(bytes).bodyOffsets]).toEqual([0x120]);
  });

  it('reads records with 64-byte counters', () => {
    const bytes = recordFile(counters64(1, 3), recordManifest(XB), ONE);
    expect(bytes.length).toBe(368);
    expect(layoutOf(bytes)).toMatchObject({
      wire: 'records-64',
      rowCount: 3,
      dataOffset: 0x140,
      endOffset: 368,
      statisticsOffset: 0,
    });
  });

  it('reads two records and the statistics footer of the format notes', () => {
    const footer = bytesOfHex(`
      4353544154000100 01000000 02000000 02000000  0100 78 0300 3c6934  0100 62 0300 7c6231
      01000000f9ffffff 0300000028000000 0101  0000 0100 0101  4474849b`);
    const bytes = concat(
      recordFile(counters64(2, 5, 0x1a0), recordManifest(XB), [
        ...ONE,
        { rows: 2, body: bytesOfHex('f9ffffff280000000000') },
      ]),
      footer,
    );
    expect(bytes.length).toBe(480);
    const layout = layoutOf(bytes);
    expect([...layout.rowStarts]).toEqual([0, 3, 5]);
    expect([...layout.bodyOffsets]).toEqual([0x160, 0x190]);
    expect(runOver((source) => readStatistics(source, layout), bytes)).toEqual([
      [
        { min: 1, max: 3 },
        { min: -7, max: 40 },
      ],
      [
        { min: false, max: true },
        { min: false, max: false },
      ],
    ]);
  });

  it('reads a session that died before its first commit as no rows', () => {
    expect(layoutOf(recordFile(counters64(0, 0), recordManifest(XB), []))).toMatchObject({
      rowCount: 0,
      wire: 'records-64',
    });
  });

  it('ignores bytes behind the committed end', () => {
    const bytes = concat(recordFile(counters64(1, 3), recordManifest(XB), ONE), new Uint8Array(256).fill(7));
    expect(layoutOf(bytes)).toMatchObject({ rowCount: 3, endOffset: 368, byteLength: 624 });
    expect(layoutOf(flatFile(CHECKED, concat(BODY, BODY)))).toMatchObject({ rowCount: 3, endOffset: 271 });
  });

  it('does not require encoding, nullable or a checksum', () => {
    const bare = '{"format_version": 1, "columns": [{"name": "x", "dtype": "<i4"}, {"name": "b", "dtype": "|b1"}]}';
    expect(layoutOf(recordFile(counters64(1, 3), bare, ONE)).rowCount).toBe(3);
    expect(layoutOf(recordFile(counters64(1, 3), bare.replace(']}', '], "manifest_crc32": null}'), ONE)).rowCount).toBe(
      3,
    );
  });

  it('covers unknown keys of a column by the checksum, and white space by nothing', () => {
    const columns = '[{"name":"x","dtype":"<i4","note":{"z":[1.50,1e20],"a":"é"}}]';
    const printed = '{"columns": [{"dtype": "<i4", "name": "x", "note": {"a": "\\u00e9", "z": [1.5, 1e+20]}}]}';
    const crc = crc32(text(printed));
    expect(
      layoutOf(
        recordFile(counters64(0, 0), `{"format_version":1,"columns":${columns},"manifest_crc32":${String(crc)}}`, []),
      ).columns[0]?.name,
    ).toBe('x');
    expect(
      errorOf(() =>
        layoutOf(
          recordFile(
            counters64(0, 0),
            `{"format_version":1,"columns":${columns},"manifest_crc32":${String(crc + 1)}}`,
            [],
          ),
        ),
      ),
    ).toMatchObject({ code: 'ERR_CRC', region: 'manifest', byteOffset: 80 });
  });
});

describe('telling the layouts apart', () => {
  it.each([123, 8827, 31611])('%i rows are not mistaken for JSON', (rows) => {
    const body = new Uint8Array(rows).fill(3);
    const manifest = recordManifest([{ name: 'v', descr: '|u1' }]);
    expect(layoutOf(recordFile(counters64(1, rows), manifest, [{ rows, body }]))).toMatchObject({
      wire: 'records-64',
      rowCount: rows,
    });
    expect(layoutOf(recordFile(counters32(1, rows), manifest, [{ rows, body }]))).toMatchObject({
      wire: 'records-32',
      rowCount: rows,
    });
  });
});

describe('how it reads', () => {
  it('asks once for a small flat file', () => {
    const asked: { byteOffset: number; byteLength: number }[] = [];
    layoutOf(flatFile(CHECKED, BODY), asked);
    expect(asked).toEqual([{ byteOffset: 0, byteLength: 271 }]);
  });

  it('takes many small records at once, and of large records only the headers', () => {
    const manifest = recordManifest([{ name: 'v', descr: '|u1' }]);
    const small = Array.from({ length: 4000 }, () => ({ rows: 8, body: new Uint8Array(8) }));
    const asked: { byteOffset: number; byteLength: number }[] = [];
    expect(layoutOf(recordFile(counters64(4000, 32_000), manifest, small), asked).rowCount).toBe(32_000);
    expect(asked.length).toBeLessThan(8);
    const large = Array.from({ length: 5 }, () => ({ rows: 200_000, body: new Uint8Array(200_000) }));
    const askedLarge: { byteOffset: number; byteLength: number }[] = [];
    layoutOf(recordFile(counters64(5, 1_000_000), manifest, large), askedLarge);
    expect(askedLarge.slice(1).map(({ byteLength }) => byteLength)).toEqual([32, 32, 32, 32]);
  });

  it('takes more of small records each time, and finds each where it is, whatever lies between', () => {
    const manifest = recordManifest([{ name: 'v', descr: '|u1' }]);
    // Stretches of small records, of large ones, and of both.
    const sizes = Array.from({ length: 9000 }, (_, record) =>
      record % 3000 < 2990 ? (record * 37) % 1500 : record % 2 === 0 ? 300_000 : 70_000,
    );
    const records = sizes.map((rows) => ({ rows, body: new Uint8Array(rows) }));
    const rowCount = sizes.reduce((sum, rows) => sum + rows, 0);
    const asked: { byteOffset: number; byteLength: number }[] = [];
    const bytes = recordFile(counters64(sizes.length, rowCount), manifest, records);
    const layout = layoutOf(bytes, asked);
    let [row, offset] = [0, layout.dataOffset];
    for (const [record, rows] of sizes.entries()) {
      expect([layout.rowStarts[record], layout.bodyOffsets[record]]).toEqual([row, offset + 32]);
      row += rows;
      offset += 32 + Math.ceil(rows / 8) * 8;
    }
    expect(layout.endOffset).toBe(offset);
    const lengths = asked.map(({ byteLength }) => byteLength);
    expect(lengths.slice(1, 6)).toEqual([65_536, 131_072, 262_144, 524_288, 1_048_576]);
    // 7 MB of small records, and the headers of 30 large ones.
    expect(asked.length).toBeLessThan(60);
  });
});
