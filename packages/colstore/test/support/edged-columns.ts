// Columns of every dtype with values at its edges.
import { packedColumn } from './tables.ts';
import type { PackedColumn } from './tables.ts';

const NAT = -(2n ** 63n);
const FLOATS = [0, -0, NaN, Infinity, -Infinity, 1, -1, 0.1, 1e16, -1e16, 2 ** 53, 5e-324, 1.7e308, 65504, 6e-8];
const WIDE = [0n, 1n, -1n, NAT, NAT + 1n, 2n ** 63n - 1n, 2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 32n];
const WHOLE = [0, 1, -1, 127, -128, 255, 32_767, -32_768, 65_535, 2 ** 31 - 1, -(2 ** 31), 2 ** 32 - 1];
const POINTS = [0, 65, 0xd800, 0xdfff, 0xfffd, 0x10ffff, 0x110000, 0xffffffff, 0x1f600, 0xe9];

/** Deterministic values, and among them those that are easily got wrong. */
export function edgedColumn(name: string, descr: string, rowCount: number): PackedColumn {
  const column = packedColumn(name, descr, rowCount);
  const view = new DataView(column.bytes.buffer);
  for (let row = 0; row < rowCount; row += 1) {
    const [at, turn] = [row * column.itemBytes, row % 7 === 3 ? row : -1];
    if (descr === '<f8') view.setFloat64(at, turn < 0 ? (row * 77.7) % 100 : FLOATS[turn % FLOATS.length]!, true);
    if (descr === '<f4') view.setFloat32(at, turn < 0 ? (row * 7.77) % 10 : FLOATS[turn % FLOATS.length]!, true);
    if (descr === '<f2' && turn < 0) view.setUint16(at, 0x3000 + (row % 4096), true);
    if (/8$|8\[/.test(descr) && descr !== '<f8' && turn >= 0) view.setBigInt64(at, WIDE[turn % WIDE.length]!, true);
    if (/[iu]4/.test(descr) && turn >= 0) view.setInt32(at, WHOLE[turn % WHOLE.length]!, true);
    if (descr === '<U3' && turn >= 0) view.setUint32(at + 4 * (row % 3), POINTS[turn % POINTS.length]!, true);
    if (descr === '|S5' && row % 3 === 0) column.bytes.fill(0, at + (row % 6), at + 5);
    if (descr === '|b1' && turn >= 0) view.setUint8(at, turn % 256);
  }
  return column;
}
