// Swapping in place, in packed and in strided outputs.
import { bytesOfHex } from '@colkit/testkit';
import { describe, expect, it } from 'vitest';
import { swapItems, swapUnit } from '../../src/columns/byte-order.ts';
import { parseDescr } from '../../src/layout/descr.ts';

const unitOf = (descr: string): number => swapUnit(parseDescr(descr)!);

describe('swapItems', () => {
  it('reverses packed items', () => {
    const bytes = bytesOfHex('0001 0002 fffe');
    swapItems({ bytes, byteOffset: 0, byteStride: 2 }, 3, 2, 2);
    expect(bytes).toEqual(bytesOfHex('0100 0200 feff'));
  });

  it('reverses each code point of a U item, not the item', () => {
    const bytes = bytesOfHex('00000061 0001f600');
    swapItems({ bytes, byteOffset: 0, byteStride: 8 }, 1, 8, unitOf('>U2'));
    expect(bytes).toEqual(bytesOfHex('61000000 00f60100'));
  });

  it('leaves what lies between strided items', () => {
    const bytes = bytesOfHex('aa 00000001 bbbb 00000002 cc');
    swapItems({ bytes, byteOffset: 1, byteStride: 6 }, 2, 4, 4);
    expect(bytes).toEqual(bytesOfHex('aa 01000000 bbbb 02000000 cc'));
  });

  it('knows the units', () => {
    expect(['>i2', '>f4', '>f8', '>M8[s]', '>U7'].map(unitOf)).toEqual([2, 4, 8, 8, 4]);
    // Bytes have no order.
    expect(swapUnit({ dtype: parseDescr('|S5')!.dtype })).toBe(1);
  });
});
