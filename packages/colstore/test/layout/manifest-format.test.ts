// Headers as we write them, against the bytes that the releases wrote.
import { loadGoldenTables } from '@colkit/testkit';
import { describe, expect, it } from 'vitest';
import { COUNTERS_64, COUNTERS_OFFSET } from '../../src/layout/constants.ts';
import { formatCounters } from '../../src/layout/counters.ts';
import { formatFlatHeader } from '../../src/layout/flat.ts';
import { formatManifest } from '../../src/layout/manifest.ts';
import { formatRecordHeader, recordPadding } from '../../src/layout/records.ts';
import { bytesOfHex } from '@colkit/testkit';
import { layoutOf } from '../support/files.ts';

describe('headers', () => {
  it.each(loadGoldenTables(new URL('../golden/colstore-0.1.0/', import.meta.url), '.cstore'))(
    'flat: $name',
    ({ file, columns, rowCount }) => {
      const header = formatFlatHeader(
        columns.map(({ name, dtype }) => ({ name, descr: dtype })),
        rowCount,
      );
      expect(Buffer.from(header).equals(file.subarray(0, layoutOf(file).dataOffset))).toBe(true);
    },
  );

  it.each(loadGoldenTables(new URL('../golden/colstore-0.5.1/', import.meta.url), '.cstore'))(
    'records: manifest of $name',
    ({ file, columns }) => {
      const manifest = formatManifest(columns.map(({ name, dtype }) => ({ name, descr: dtype })));
      expect(Buffer.from(manifest).equals(file.subarray(80, 80 + manifest.length))).toBe(true);
    },
  );

  it('counters and record headers of the format notes', () => {
    const crcAt = (recordCount: number, rowCount: number, statisticsOffset: number): string =>
      Buffer.from(formatCounters({ recordCount, rowCount, statisticsOffset }).subarray(24, 28)).toString('hex');
    expect(crcAt(1, 3, 0)).toBe('f51b2c0b');
    expect(crcAt(0, 0, 0)).toBe('20cac1a3');
    expect(crcAt(2, 5, 0x1a0)).toBe('0137990c');
    expect(formatCounters({ recordCount: 1, rowCount: 3, statisticsOffset: 0 })).toHaveLength(COUNTERS_64.blockBytes);
    expect(COUNTERS_OFFSET).toBe(8);
    expect(formatRecordHeader(0, 3)).toEqual(
      bytesOfHex('52454301 0000000000000000 0300000000000000 0000000000000000 756e9be2'),
    );
    expect(formatRecordHeader(1, 2).subarray(28)).toEqual(bytesOfHex('c39ad6cd'));
    expect(formatRecordHeader(0, 0).subarray(28)).toEqual(bytesOfHex('87da53cb'));
    expect([0, 1, 7, 8, 9].map(recordPadding)).toEqual([0, 7, 1, 0, 7]);
  });

  it('ends where the data start, whatever the length of the manifest', () => {
    for (let length = 1; length <= 64; length += 1) {
      const header = formatFlatHeader([{ name: 'n'.repeat(length), descr: '|u1' }], 0);
      expect(layoutOf(header)).toMatchObject({ dataOffset: header.length, byteLength: header.length });
    }
  });
});
