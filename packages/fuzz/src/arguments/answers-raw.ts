// What a raw program of one column answers, worked out value by value: which rows lie in a range, how many, and their
// least or greatest. Programs of other shapes are passed over.
import type { Fixture } from './fixture.ts';
import { itemOf } from './fixture.ts';

type ReadItem = (item: DataView, isLittle: boolean) => number | bigint;

/** Of each type, by its number, how an item is read; of bools, halves and texts there is nothing here. */
const READ: ReadonlyMap<number, ReadItem> = new Map<number, ReadItem>([
  [1, (item) => item.getInt8(0)],
  [3, (item, isLittle) => item.getInt32(0, isLittle)],
  [4, (item, isLittle) => item.getBigInt64(0, isLittle)],
  [5, (item) => item.getUint8(0)],
  [7, (item, isLittle) => item.getUint32(0, isLittle)],
  [8, (item, isLittle) => item.getBigUint64(0, isLittle)],
  [10, (item, isLittle) => item.getFloat32(0, isLittle)],
  [11, (item, isLittle) => item.getFloat64(0, isLittle)],
  [12, (item, isLittle) => item.getBigInt64(0, isLittle)],
]);
const WIDTHS: ReadonlyMap<number, number> = new Map(
  [1, 3, 4, 5, 7, 8, 10, 11, 12].map((type) => [type, widthOf(type)]),
);
const TICKS = 12;
const NAT = -(2n ** 63n);
const WITHIN = 1;

function widthOf(type: number): number {
  if (type === 1 || type === 5) return 1;
  return type === 3 || type === 7 || type === 10 ? 4 : 8;
}

/** What is wrong with it, or null. */
export function rawAnswer(
  program: Float64Array,
  constants: Uint8Array,
  bits: Uint8Array,
  results: Float64Array,
  { bytes }: Fixture,
): string | null {
  const [columns, ranges, nodes, folds, wantsBits, keys, , column = 0, type = 0, isSwapped, start = 0, end = 0] =
    program;
  const [operation, of, flip, low = 0] = program.subarray(12);
  const kind = program[22];
  const read = READ.get(type);
  if (
    columns !== 1 ||
    ranges !== 1 ||
    nodes !== 1 ||
    folds !== 1 ||
    program.length !== 23 ||
    keys !== 0 ||
    read === undefined
  )
    return null;
  if (operation !== WITHIN || of !== 0 || program[21] !== 0 || (kind !== 1 && kind !== 2)) return null;
  const value = (data: Uint8Array, isLittle: boolean): number | bigint =>
    read(new DataView(data.buffer, data.byteOffset, data.byteLength), isLittle);
  const width = WIDTHS.get(type) ?? 0;
  const [least, most] = [low, low + 8].map((at) => value(constants.subarray(at, at + width), true));
  if (least === undefined || most === undefined) return null;
  let matches = 0;
  let best: number | bigint | null = null;
  for (let row = start; row < end; row++) {
    const item = value(itemOf(bytes, column, row), isSwapped === 0);
    const isMatch = (least <= item && item <= most) !== (flip === 1);
    if (wantsBits === 1 && (((bits[(row - start) >> 3] ?? 0) >> ((row - start) & 7)) & 1) !== Number(isMatch))
      return `row ${String(row)}, ${String(item)}, ${isMatch ? 'does not match' : 'matches'}`;
    if (!isMatch) continue;
    matches++;
    if (Number.isNaN(item) || (type === TICKS && item === NAT)) continue;
    if (best === null || (kind === 1 ? item < best : item > best)) best = item;
  }
  if (results[0] !== matches) return `${String(results[0])} rows instead of ${String(matches)}`;
  const finding = matches === 0 ? 0 : best === null ? 1 : 2;
  if (results[2] !== finding) return `finding ${String(results[2])} instead of ${String(finding)}`;
  const found = typeof best === 'bigint' ? wordsOf(results, type) : (results[6] ?? NaN);
  return best === null || Object.is(found, best) ? null : `${String(found)} instead of ${String(best)}`;
}

function wordsOf(results: Float64Array, type: number): bigint {
  const word = (BigInt(results[4] ?? 0) << 32n) | BigInt(results[3] ?? 0);
  return type === 8 ? BigInt.asUintN(64, word) : BigInt.asIntN(64, word);
}
