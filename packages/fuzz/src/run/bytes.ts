// Bytes: reading and changing numbers in them, and the mutations that know no format.
import { crc32 } from '@colkit/io';
import { chance, hostileNumber } from './random.ts';
import type { Random } from './random.ts';

export type Width = 1 | 2 | 4 | 8;

export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

export function join(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

export function getNumber(bytes: Uint8Array, at: number, width: Width): bigint {
  let value = 0n;
  for (let i = width - 1; i >= 0; i -= 1) value = (value << 8n) | BigInt(bytes[at + i] ?? 0);
  return value;
}

export function putNumber(bytes: Uint8Array, at: number, width: Width, value: bigint): void {
  for (let i = 0; i < width && at + i < bytes.length; i += 1) bytes[at + i] = Number((value >> BigInt(8 * i)) & 0xffn);
}

/** Another number in the field at `at`. */
export function mutateNumber(
  random: Random,
  bytes: Uint8Array,
  at: number,
  width: Width,
  near: readonly bigint[] = [],
): void {
  if (at + width <= bytes.length)
    putNumber(bytes, at, width, hostileNumber(random, 8 * width, getNumber(bytes, at, width), near));
}

/** The checksum of [start, end) to `at`, as a u32, where all of that is in the file. */
export function putCrc(bytes: Uint8Array, at: number, start: number, end: number): void {
  if (at >= 0 && at + 4 <= bytes.length && start >= 0 && start <= end && end <= bytes.length)
    viewOf(bytes).setUint32(at, crc32(bytes.subarray(start, end)), true);
}

export function alignUp(value: number, alignment: number): number {
  return Math.ceil(value / alignment) * alignment;
}

const WIDTHS: readonly Width[] = [1, 2, 4, 8];

/**
 * A mutation that knows nothing of the format: a byte, a bit, a number, a cut, a repeated or missing piece, a splice
 * with another file.
 */
export function mutateBlindly(random: Random, file: Uint8Array, others: readonly Uint8Array[]): Uint8Array {
  if (file.length === 0) return file;
  const at = random.integer(file.length);
  const bytes = file.slice();
  switch (random.integer(8)) {
    case 0:
      bytes[at] = random.integer(256);
      return bytes;
    case 1:
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random.integer(8));
      return bytes;
    case 2:
    case 3: {
      const width = random.pick(WIDTHS);
      mutateNumber(random, bytes, chance(random, 0.7) ? at - (at % width) : at, width, [BigInt(file.length)]);
      return bytes;
    }
    case 4:
      return bytes.slice(0, at);
    case 5: {
      const piece = bytes.slice(at, at + 1 + random.integer(64));
      const offset = random.integer(file.length);
      return join([bytes.subarray(0, offset), piece, bytes.subarray(offset)]);
    }
    case 6:
      return join([bytes.subarray(0, at), bytes.subarray(Math.min(bytes.length, at + 1 + random.integer(64)))]);
    default: {
      const other = random.pick(others);
      return chance(random, 0.5)
        ? join([bytes.subarray(0, at), other.subarray(Math.min(other.length, at))])
        : join([bytes, other]);
    }
  }
}
