// The footer by hand in every dtype, the golden ones, and that any flaw means no statistics rather than an error.
import { crc32 } from 'node:zlib';
import { byteFlips, bytesOfHex, loadGoldenTables, truncations } from '@colkit/testkit';
import { describe, expect, it } from 'vitest';
import { readLayout, readStatistics } from '../../src/layout/read-layout.ts';
import { parseDescr } from '../../src/layout/descr.ts';
import type { StoredColumn } from '../../src/layout/manifest.ts';
import { parseStatistics, statisticsByteLength } from '../../src/layout/statistics-footer.ts';
import { concat, layoutOf, runOver, text, u32 } from '../support/files.ts';

const column = (name: string, descr: string): StoredColumn => ({ name, descr, ...parseDescr(descr)! });

function footerOf(name: string, descr: string, minimum: string, maximum: string, flag = 1): Uint8Array {
  const u16 = (value: number): Uint8Array => Uint8Array.of(value & 255, value >> 8);
  const names = [text(name), text(descr)].flatMap((bytes) => [u16(bytes.length), bytes]);
  const covered = concat(
    bytesOfHex('4353544154000100'),
    u32(1),
    u32(1),
    u32(1),
    ...names,
    bytesOfHex(minimum),
    bytesOfHex(maximum),
    Uint8Array.of(flag),
  );
  return concat(covered, u32(crc32(covered)));
}

describe('parseStatistics', () => {
  it.each([
    ['|b1', '00', '01', false, true],
    ['|i1', 'fe', '05', -2, 5],
    ['<i2', 'fe7f', '0580', 32766, -32763],
    ['<i4', 'feff0180', '05000001', -2147352578, 16777221],
    ['<i8', 'feffffffffffffff', '0500000000000000', -2n, 5n],
    ['|u1', '01', 'fe', 1, 254],
    ['<u2', '0100', 'feff', 1, 65534],
    ['<u4', '01000000', 'feffffff', 1, 4294967294],
    ['<u8', '0100000000000000', 'feffffffffffffff', 1n, 18446744073709551614n],
    ['<f2', '00be', '0100', -1.5, 2 ** -24],
    ['<f4', '0000c0bf', '00002040', -1.5, 2.5],
    ['<f8', '000000000000f8bf', '0000000000000440', -1.5, 2.5],
    ['<M8[s]', 'feffffffffffffff', '0500000000000000', -2n, 5n],
    ['<m8[ms]', 'feffffffffffffff', '0500000000000000', -2n, 5n],
  ] as const)('%s', (descr, minimum, maximum, min, max) => {
    expect(parseStatistics(footerOf('x', descr, minimum, maximum), [column('x', descr)], 1)).toEqual([[{ min, max }]]);
    expect(parseStatistics(footerOf('x', descr, minimum, maximum, 0), [column('x', descr)], 1)).toEqual([[null]]);
  });

  it('has nothing for text, whatever the flag says', () => {
    expect(parseStatistics(footerOf('x', '|S2', '6162', '6364'), [column('x', '|S2')], 1)).toEqual([[null]]);
    expect(parseStatistics(footerOf('x', '<U1', '61000000', '62000000'), [column('x', '<U1')], 1)).toEqual([[null]]);
  });

  it('reads halves of every kind', () => {
    const value = (bits: string): unknown =>
      parseStatistics(footerOf('x', '<f2', bits, bits), [column('x', '<f2')], 1)?.[0]?.[0]?.min;
    expect(value('0000')).toBe(0);
    expect(value('0080')).toBe(-0);
    expect(value('ff7b')).toBe(65504);
    expect(value('ff03')).toBe(1023 * 2 ** -24);
    expect(value('007c')).toBe(Infinity);
    expect(value('00fc')).toBe(-Infinity);
    expect(value('007e')).toBeNaN();
  });

  it('wants the columns of the file', () => {
    const footer = footerOf('x', '<i4', '01000000', '02000000');
    expect(parseStatistics(footer, [column('y', '<i4')], 1)).toBeNull();
    expect(parseStatistics(footer, [column('x', '<u4')], 1)).toBeNull();
    expect(parseStatistics(footer, [column('x', '<i4')], 2)).toBeNull();
    expect(parseStatistics(footer, [column('x', '<i4'), column('y', '<i4')], 1)).toBeNull();
    expect(parseStatistics(new Uint8Array(0), [column('x', '<i4')], 1)).toBeNull();
    expect(parseStatistics(footer, [column('\ud800', '<i4')], 1)).toBeNull();
    const longer = concat(footer.subarray(0, -4), Uint8Array.of(0));
    expect(parseStatistics(concat(longer, u32(crc32(longer))), [column('x', '<i4')], 1)).toBeNull();
  });

  it('has no length where the directory cannot be written', () => {
    expect(statisticsByteLength([column('\ud800', '<i4')], 1)).toBeNull();
    expect(statisticsByteLength([column('x'.repeat(65536), '<i4')], 1)).toBeNull();
    expect(statisticsByteLength([column('x'.repeat(65535), '<i4')], 1)).toBe(20 + 2 + 65535 + 2 + 3 + 9 + 4);
  });
});

describe('the golden footers', () => {
  const golden = loadGoldenTables(new URL('../golden/colstore-0.5.1/', import.meta.url), '.cstore').filter(
    ({ hasStatistics }) => hasStatistics,
  );

  it.each(golden)('$name', (table) => {
    const layout = layoutOf(table.file);
    const statistics = runOver((source) => readStatistics(source, layout), table.file);
    expect(statistics).toHaveLength(table.columns.length);
    table.columns.forEach(({ dtype, values }, index) => {
      let start = 0;
      table.recordRows.forEach((rows, record) => {
        const part = values.slice(start, start + rows);
        start += rows;
        const found = statistics?.[index]?.[record];
        const numbers = part.map((value) => (typeof value === 'boolean' ? Number(value) : Number(value)));
        if (dtype.includes('S') || part.some((value) => ['nan', 'inf', '-inf', 'NaT'].includes(String(value))))
          expect(found).toBeNull();
        else if (dtype.includes('M8'))
          expect(found?.min).toBe(BigInt(Math.min(...part.map((value) => Date.parse(`${String(value)}Z`))) / 1000));
        else expect([Number(found?.min), Number(found?.max)]).toEqual([Math.min(...numbers), Math.max(...numbers)]);
      });
    });
  });

  it.each(golden)(
    '$name: every damaged byte of the footer and every cut through it gives the same data and no statistics',
    (table) => {
      const { statisticsOffset, rowCount } = layoutOf(table.file);
      for (const damage of byteFlips(table.file, [0xff, 0x01])) {
        if (damage.byteOffset < statisticsOffset) continue;
        const layout = layoutOf(damage.bytes);
        expect(layout.rowCount).toBe(rowCount);
        expect(
          runOver((source) => readStatistics(source, layout), damage.bytes),
          damage.label,
        ).toBeNull();
      }
      for (const damage of truncations(table.file)) {
        if (damage.byteOffset < statisticsOffset) continue;
        expect(
          runOver((source) => readStatistics(source, layoutOf(damage.bytes)), damage.bytes),
          damage.label,
        ).toBeNull();
      }
      const longer = concat(table.file, Uint8Array.of(0));
      expect(runOver((source) => readStatistics(source, layoutOf(longer)), longer)).toBeNull();
    },
  );

  it('an offset that points anywhere else', () => {
    const table = golden[0]!;
    const layout = layoutOf(table.file);
    for (const statisticsOffset of [
      0,
      1,
      layout.endOffset - 8,
      layout.endOffset + 8,
      layout.byteLength,
      layout.byteLength + 100,
      2 ** 60,
    ]) {
      expect(runOver((source) => readStatistics(source, { ...layout, statisticsOffset }), table.file)).toBeNull();
    }
    expect(runOver(readLayout, table.file).statisticsOffset).toBe(layout.endOffset);
  });
});
