// LZ4 frames made by hand, of each part that the format has; every cut is an error. Those of pyarrow and Polars are in
// arrow-file.test.ts.
import { describe, expect, it } from 'vitest';
import { decodeLz4Frame } from '../../src/tables/lz4-frame.ts';

const u32 = (value: number): number[] => [value & 255, (value >> 8) & 255, (value >> 16) & 255, value >>> 24];
const text = (letters: string): number[] => Array.from(letters, (letter) => letter.charCodeAt(0));
const frame = (flags: number, ...rest: readonly number[][]): Uint8Array =>
  Uint8Array.from([0x04, 0x22, 0x4d, 0x18, 0x40 | flags, 0x40, ...rest.flat()]);
const HEADER_CHECKSUM = [0];
const END = u32(0);
/** `ab`, then six bytes from two before (they overlap), then `c`. */
const block = [0x22, ...text('ab'), 2, 0, 0x10, ...text('c')];
const stored = [...u32(0x8000_0003), ...text('xyz')];

describe('frames', () => {
  it.each([
    ['one block', frame(0x20, HEADER_CHECKSUM, u32(block.length), block, END), 'ababababc'],
    ['a stored block', frame(0x20, HEADER_CHECKSUM, stored, END), 'xyz'],
    ['no block', frame(0x20, HEADER_CHECKSUM, END), ''],
    [
      'checksums of blocks, the size and a checksum of the whole',
      frame(
        0x3c,
        [12, 0, 0, 0, 0, 0, 0, 0],
        HEADER_CHECKSUM,
        [...u32(block.length), ...block, 1, 2, 3, 4],
        [...stored, 5, 6, 7, 8],
        END,
        [1, 2, 3, 4],
      ),
      'ababababcxyz',
    ],
    // Nothing but a match and what has to follow it.
    [
      'a block that refers to one before',
      frame(0, HEADER_CHECKSUM, stored, [...u32(4), 0, 3, 0, 0], END),
      'xyzx'.padEnd(7, 'yzx'),
    ],
    [
      'long literals and a long match',
      frame(0, HEADER_CHECKSUM, [...u32(23), 0xff, 1, ...text('0123456789abcdef'), 16, 0, 255, 0, 0], END),
      '0123456789abcdef'.repeat(20).slice(0, 16 + 15 + 255 + 4),
    ],
  ])('%s', (_what, bytes, expected) => {
    // At an odd address, within other bytes.
    const around = new Uint8Array(bytes.length + 9).fill(0xff);
    around.set(bytes, 5);
    expect(new TextDecoder().decode(decodeLz4Frame(around.subarray(5, 5 + bytes.length)))).toBe(expected);
  });
});

describe('damage', () => {
  const whole = frame(0x20, HEADER_CHECKSUM, u32(block.length), block, END);

  it('every cut is an error', () => {
    for (let length = 0; length < whole.length; length++)
      expect(() => decodeLz4Frame(whole.subarray(0, length)), String(length)).toThrow(/LZ4/);
  });

  it.each([
    ['another magic', 0, 0x05],
    ['another version', 4, 0xa0],
    ['a dictionary', 4, 0x61],
    ['a distance of 0', 14, 0],
    ['a distance beyond the first byte', 14, 3],
    ['literals beyond the block', 11, 0xe2],
  ])('%s', (_what, at, value) => {
    const bytes = whole.slice();
    bytes[at] = value;
    expect(() => decodeLz4Frame(bytes)).toThrow(/LZ4/);
  });
});
