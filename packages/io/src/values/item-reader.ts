// One item of fixed width, at any offset -> its value.
import { dtypeFacts } from './dtype-facts.ts';
import type { DTypeInfo } from './dtype.ts';

/** Of an item that starts at byte `at`; bigint of 64-bit integers and ticks. */
export type ReadItem = (view: DataView, at: number) => number | bigint | boolean;

const ticks: ReadItem = (view, at) => view.getBigInt64(at, true);

const READERS: ReadonlyMap<string, ReadItem> = new Map<string, ReadItem>([
  ['bool', (view, at) => view.getUint8(at) !== 0],
  ['int8', (view, at) => view.getInt8(at)],
  ['uint8', (view, at) => view.getUint8(at)],
  ['int16', (view, at) => view.getInt16(at, true)],
  ['uint16', (view, at) => view.getUint16(at, true)],
  ['int32', (view, at) => view.getInt32(at, true)],
  ['uint32', (view, at) => view.getUint32(at, true)],
  ['int64', ticks],
  ['uint64', (view, at) => view.getBigUint64(at, true)],
  ['float16', (view, at) => halfOfBits(view.getUint16(at, true))],
  ['float32', (view, at) => view.getFloat32(at, true)],
  ['float64', (view, at) => view.getFloat64(at, true)],
]);

/** Null for items that are no numbers: packed text, float128, and what has no fixed width. */
export function itemReader(info: DTypeInfo): ReadItem | null {
  return dtypeFacts(info).domain === 'ticks' ? ticks : (READERS.get(info.name) ?? null);
}

/** An IEEE half as a number: DataView.getFloat16 comes with Node 24. */
export function halfOfBits(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
