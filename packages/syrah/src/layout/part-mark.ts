// Files that are parts of one set, because the metadata of one would have outgrown its limit, say so in the last bytes
// of their data region, which belong to no array: every reader, the original too, goes by the offsets of arrays and
// skips them.
//
//   metadata offset - 40   "SYRPART" 01
//                   - 32   the set, 16 random bytes: parts of another writing have others
//                   - 16   u32 number of the part, from 0
//                   - 12   u32 number of parts in the last part, 0 in those before it
//                   -  8   u32 CRC-32 of the 32 bytes before
//                   -  4   00 00 00 00
import { crc32 } from '@colkit/io';
import { readBytes } from '@colkit/io/effects';
import type { RangeSource, Work } from '@colkit/io/effects';
import { DATA_OFFSET, HEADER_BYTES } from './constants.ts';
import type { Header } from './header.ts';
import { readHeader } from './header.ts';

export const PART_MARK_BYTES = 40;
const MAGIC = Uint8Array.of(0x53, 0x59, 0x52, 0x50, 0x41, 0x52, 0x54, 0x01);
const SET_BYTES = 16;
const CHECKED_BYTES = 32;

export interface PartMark {
  /** Hexadecimal. */
  readonly set: string;
  /** From 0. */
  readonly number: number;
  /** Null in all parts but the last, which is the first to know. */
  readonly count: number | null;
}

export function encodePartMark({ set, number, count }: PartMark): Uint8Array {
  const bytes = new Uint8Array(PART_MARK_BYTES);
  const view = new DataView(bytes.buffer);
  bytes.set(MAGIC);
  for (let k = 0; k < SET_BYTES; k += 1) bytes[MAGIC.length + k] = parseInt(set.slice(2 * k, 2 * k + 2), 16);
  view.setUint32(24, number, true);
  view.setUint32(28, count ?? 0, true);
  view.setUint32(CHECKED_BYTES, crc32(bytes.subarray(0, CHECKED_BYTES)), true);
  return bytes;
}

/** Null where the bytes are no mark. */
function decodePartMark(bytes: Uint8Array): PartMark | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (
    MAGIC.some((byte, k) => bytes[k] !== byte) ||
    crc32(bytes.subarray(0, CHECKED_BYTES)) !== view.getUint32(CHECKED_BYTES, true)
  )
    return null;
  const set = Array.from(bytes.subarray(MAGIC.length, MAGIC.length + SET_BYTES), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
  const [number, count] = [view.getUint32(24, true), view.getUint32(28, true)];
  return count !== 0 && number !== count - 1 ? null : { set, number, count: count === 0 ? null : count };
}

/** The mark of a file with that header. */
export function* readPartMark(
  source: RangeSource,
  { metadataOffset }: Pick<Header, 'metadataOffset'>,
): Work<PartMark | null> {
  if (metadataOffset < DATA_OFFSET + PART_MARK_BYTES) return null;
  return decodePartMark(yield* readBytes(source, metadataOffset - PART_MARK_BYTES, PART_MARK_BYTES));
}

/** The mark of a whole file. @throws CorruptFileError, UnsupportedError where it is no .syr file. */
export function* readMarkOfFile(source: RangeSource): Work<PartMark | null> {
  const header = yield* readBytes(source, 0, Math.min(HEADER_BYTES, source.byteLength));
  return yield* readPartMark(source, readHeader(header, source.byteLength, source.path));
}

/** 'train.syr' -> 'train.00001.syr'; the first part has the name of the set. */
export function partPath(path: string, number: number): string {
  if (number === 0) return path;
  const { stem, extension } = split(path);
  return `${stem}.${String(number).padStart(5, '0')}${extension}`;
}

/** The number that a file name has as a part of the set of that name; null where it is no part's name. */
export function partNumber(setName: string, name: string): number | null {
  const { stem, extension } = split(setName);
  // Whatever else the name has is compared with the name that the number makes.
  const digits = name.slice(stem.length + 1, name.length - extension.length);
  const number = /^\d{5,10}$/u.test(digits) ? Number(digits) : 0;
  return number > 0 && partPath(setName, number) === name ? number : null;
}

/** As path.extname: a dot at the start of a name begins no extension. */
function split(path: string): { readonly stem: string; readonly extension: string } {
  const slash = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  const dot = path.lastIndexOf('.');
  const end = dot > slash + 1 ? dot : path.length;
  return { stem: path.slice(0, end), extension: path.slice(end) };
}

/** 'train.00001.syr' -> 'train.syr', 1; a name that no set gives is that of a first part. */
export function setAndNumber(path: string): { readonly set: string; readonly number: number } {
  const found = /^(.+)\.(\d{5,10})(\.[^./\\]+)$/u.exec(path);
  const set = found === null ? path : `${found[1] ?? ''}${found[3] ?? ''}`;
  const number = found === null ? 0 : (partNumber(set, path) ?? 0);
  return number === 0 ? { set: path, number } : { set, number };
}
