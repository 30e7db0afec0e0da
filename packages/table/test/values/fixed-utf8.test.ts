// Packed texts as UTF-8: the bytes of the strings that the same items are decoded to, whatever units they hold.
import { createRandom } from '@colkit/testkit';
import { expect, test } from 'vitest';
import { decodeFixedStrings } from '../../src/values/fixed-strings.ts';
import { FixedUtf8 } from '../../src/values/fixed-utf8.ts';

const POINTS = [0, 1, 0x41, 0x7f, 0x80, 0xff, 0x7ff, 0x800, 0xd7ff, 0xd800, 0xdfff, 0xe000, 0xfeff, 0xffff];
const WIDE = [...POINTS, 0x1_0000, 0x1_f600, 0x10_ffff, 0x11_0000, 0x8000_0000, 0xffff_ffff];

test.each([
  ['S1', 0],
  ['S7', 3],
  ['S8', 0],
  ['U1', 0],
  ['U5', 0],
  ['U5', 2],
] as const)('%s at byte %d', (dtype, offset) => {
  const kind = dtype.startsWith('S') ? 'bytes' : 'unicode';
  const length = Number(dtype.slice(1));
  const itemBytes = kind === 'bytes' ? length : 4 * length;
  const random = createRandom(length);
  const coder = new FixedUtf8({ kind, length, itemBytes });
  // Memory is used again: for more rows, and for fewer.
  for (const rowCount of [300, 1000, 0, 40]) {
    const items = new Uint8Array(new ArrayBuffer(offset + rowCount * itemBytes), offset);
    const view = new DataView(items.buffer, offset);
    for (let unit = 0; unit < rowCount * length; unit++)
      if (kind === 'bytes') items[unit] = random.pick(POINTS) & 0xff;
      else view.setUint32(4 * unit, random.pick(WIDE), true);
    const { bytes, start, ends } = coder.encode(items, rowCount);
    const found = Array.from(ends, (end, row) => Buffer.from(bytes.subarray(row === 0 ? start : ends[row - 1], end)));
    expect(found.map((each) => each.toString('hex'))).toEqual(
      decodeFixedStrings(items, dtype).map((text) => Buffer.from(text).toString('hex')),
    );
  }
});
