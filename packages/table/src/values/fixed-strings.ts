// Items of S<n> and U<n> columns <-> JavaScript strings, by numpy's rules: S<n> is one byte a character
// (U+0000..U+00FF), U<n> one UCS-4 code point; both are padded with NUL on the right, and trailing NULs are not part of
// the text. Embedded NULs are.
import { ArgumentError, attached, checkOptions, isFixedText, option, parseDType, viewAs } from '@colkit/io';
import type { DType, OptionSet } from '@colkit/io';

export interface FixedStringOptions {
  /**
   * How the bytes of an S column are read: 'latin1' (the default: every byte is a character and survives a round trip)
   * or 'utf8' (bad sequences become U+FFFD).
   */
  readonly encoding?: 'latin1' | 'utf8';
}

const FIXED_STRING_OPTIONS: OptionSet<FixedStringOptions> = { encoding: option.word('latin1', 'utf8') };

/** An S or U dtype taken apart. */
export interface FixedStringType {
  readonly kind: 'bytes' | 'unicode';
  readonly itemBytes: number;
  readonly length: number;
}

const REPLACEMENT = 0xfffd;
/** Code units that one call turns into a string: few enough for the stack, enough to make the call cheap. */
const CHUNK_UNITS = 4096;
/** Fewer become a string one by one; of many that are ASCII, what decodes UTF-8 takes a small part of that time. */
const WORTH_A_DECODER = 256;
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Packed items -> one string each. Copies.
 * @param bytes whole items of `dtype`.
 * @throws ArgumentError ERR_ARGUMENT where the dtype is not S or U, or the bytes are not whole items.
 */
export function decodeFixedStrings(bytes: Uint8Array, dtype: DType, options: FixedStringOptions = {}): string[] {
  checkOptions('decodeFixedStrings', FIXED_STRING_OPTIONS, options);
  const info = parseDType(dtype);
  if (!isFixedText(info)) throw new ArgumentError('ERR_ARGUMENT', 'dtype', 'S<n> or U<n>', dtype);
  if (attached(bytes, 'decodeFixedStrings', 'the bytes').length % info.itemBytes !== 0)
    throw new ArgumentError(
      'ERR_ARGUMENT',
      'bytes',
      `whole items of ${String(info.itemBytes)} bytes`,
      `${String(bytes.length)} bytes`,
    );
  const { encoding = 'latin1' } = options;
  const count = bytes.length / info.itemBytes;
  const out = new Array<string>(count);
  if (encoding === 'utf8' && info.kind === 'bytes') decodeUtf8Unchecked(bytes, info.itemBytes, out);
  else decodeFixedStringsUnchecked(bytes, info, 0, count, out);
  return out;
}

/** Items [start, end) of packed `bytes` into out[start..end). Relies on `bytes` and `out` being long enough. */
export function decodeFixedStringsUnchecked(
  bytes: Uint8Array,
  type: FixedStringType,
  start: number,
  end: number,
  out: string[],
): void {
  if (type.kind === 'bytes') decodeLatin1Unchecked(bytes, type.length, start, end, out);
  else decodeUcs4Unchecked(bytes, type.length, start, end, out);
}

/** Many items, without their padding, become one string, and each a piece of it. */
function decodeLatin1Unchecked(bytes: Uint8Array, length: number, start: number, end: number, out: string[]): void {
  const itemsPerChunk = Math.max(1, Math.floor(CHUNK_UNITS / length));
  const units = new Uint8Array(length * Math.min(itemsPerChunk, end - start));
  const ends = new Uint32Array(itemsPerChunk);
  for (let first = start; first < end; first += itemsPerChunk) {
    const last = Math.min(end, first + itemsPerChunk);
    let [used, all] = [0, 0];
    for (let item = first; item < last; item += 1) {
      let stop = (item + 1) * length;
      while (stop > item * length && bytes[stop - 1] === 0) stop -= 1;
      for (let at = item * length; at < stop; at += 1) all |= units[used++] = bytes[at] as number;
      ends[item - first] = used;
    }
    const packed = units.subarray(0, used);
    const text = all < 0x80 && used >= WORTH_A_DECODER ? DECODER.decode(packed) : textOfUnits(packed);
    used = 0;
    for (let item = first; item < last; item += 1) out[item] = text.slice(used, (used = ends[item - first] as number));
  }
}

function decodeUcs4Unchecked(bytes: Uint8Array, length: number, start: number, end: number, out: string[]): void {
  const points = wordsOf(bytes.subarray(4 * length * start, 4 * length * end));
  // A code point becomes one or two UTF-16 code units. Many items become one string, and each a piece of it.
  const most = 2 * length;
  const units = new Uint16Array(Math.min(Math.max(most, CHUNK_UNITS), 2 * points.length));
  const ends = new Uint32Array(Math.min(CHUNK_UNITS, end - start));
  let [used, kept] = [0, 0];
  for (let item = start; item < end; item += 1) {
    const first = (item - start) * length;
    let stop = first + length;
    while (stop > first && points[stop - 1] === 0) stop -= 1;
    for (let at = first; at < stop; at += 1) {
      const point = scalarValue(points[at] as number);
      const isPair = point > 0xffff;
      if (isPair) units[used++] = 0xd7c0 + (point >> 10);
      units[used++] = isPair ? 0xdc00 + (point & 0x3ff) : point;
    }
    ends[kept++] = used;
    if (used + most <= units.length && kept < ends.length && item + 1 < end) continue;
    const text = textOfUnits(units.subarray(0, used));
    used = 0;
    for (let each = 0; each < kept; used = ends[each++] as number)
      out[item + 1 - kept + each] = text.slice(used, ends[each]);
    used = kept = 0;
  }
}

/** The numbers of characters of U items; of bytes that are not aligned a copy. */
export function wordsOf(bytes: Uint8Array): Uint32Array {
  return viewAs(Uint32Array, bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes));
}

/** A Unicode scalar value; everything else (surrogates, beyond U+10FFFF) reads as U+FFFD. */
export function scalarValue(point: number): number {
  return point > 0x10_ffff || (point >= 0xd800 && point <= 0xdfff) ? REPLACEMENT : point;
}

function decodeUtf8Unchecked(bytes: Uint8Array, itemBytes: number, out: string[]): void {
  for (let item = 0; item < out.length; item += 1) {
    let stop = (item + 1) * itemBytes;
    while (stop > item * itemBytes && bytes[stop - 1] === 0) stop -= 1;
    out[item] = DECODER.decode(bytes.subarray(item * itemBytes, stop));
  }
}

/** A character for each unit. */
export function textOfUnits(units: Uint8Array | Uint16Array): string {
  if (units.length <= CHUNK_UNITS) return textOfChunk(units);
  let text = '';
  for (let start = 0; start < units.length; start += CHUNK_UNITS) {
    text += textOfChunk(units.subarray(start, start + CHUNK_UNITS));
  }
  return text;
}

/** At most CHUNK_UNITS of them: they are arguments, which live on the stack. */
function textOfChunk(units: Uint8Array | Uint16Array): string {
  // eslint-disable-next-line no-restricted-syntax -- bounded
  return String.fromCharCode.apply(null, units as unknown as number[]);
}

/** Why a text does not fit an item of the type, as what was found there; null where it fits. */
export function fixedStringFault(text: string, type: FixedStringType): string | null {
  if (text.endsWith('\0')) return 'trailing NULs, which are padding and would be lost';
  if (type.kind === 'bytes') {
    for (let position = 0; position < text.length; position += 1) {
      const unit = text.charCodeAt(position);
      if (unit > 0xff)
        return `U+${unit.toString(16).toUpperCase().padStart(4, '0')} at character ${String(position)} (U<n> holds it)`;
    }
    return text.length <= type.length ? null : `${String(text.length)} characters`;
  }
  let points = 0;
  for (let position = 0; position < text.length; position += 1, points += 1) {
    const unit = text.charCodeAt(position);
    if (unit < 0xd800 || unit > 0xdfff) continue;
    const next = text.charCodeAt(position + 1);
    if (unit > 0xdbff || Number.isNaN(next) || next < 0xdc00 || next > 0xdfff)
      return `a lone surrogate at character ${String(position)}`;
    position += 1;
  }
  return points <= type.length ? null : `${String(points)} code points`;
}

/**
 * Texts [start, end) into packed, zeroed items from byte 0 of `out` on; null leaves an item of zeros. Relies on
 * `fixedStringFault` having passed each.
 */
export function encodeFixedStringsUnchecked(
  texts: readonly (string | null)[],
  type: FixedStringType,
  start: number,
  end: number,
  out: Uint8Array,
): void {
  for (let item = start; item < end; item += 1) {
    const text = texts[item];
    if (text === null || text === undefined) continue;
    let position = (item - start) * type.itemBytes;
    if (type.kind === 'bytes') {
      for (let index = 0; index < text.length; index += 1, position += 1) out[position] = text.charCodeAt(index);
      continue;
    }
    for (let index = 0; index < text.length; index += 1, position += 4) {
      const point = text.codePointAt(index) ?? 0;
      if (point > 0xffff) index += 1;
      out[position] = point & 0xff;
      out[position + 1] = (point >> 8) & 0xff;
      out[position + 2] = point >> 16;
    }
  }
}
