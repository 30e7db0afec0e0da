// The texts of an Arrow vector, as the bytes that they are. `get` of Apache's library would drop a U+FEFF in front of a
// text, and put U+FFFD where the bytes are no UTF-8.
import { ArgumentError } from '@colkit/io';
import { textOffsets } from '../chunk/chunk.ts';
import { ValidityBuilder } from '../chunk/validity-builder.ts';
import { isValid } from '../validity.ts';
import { isAscii, isUtf8 } from '../values/utf8.ts';
import type { ArrowChunk, ArrowVector } from './arrow-vector.ts';
import { columnLabel } from './typed.ts';
import { TextPieceBuilder, Utf8Texts } from './utf8-texts.ts';
import type { TextPiece } from './utf8-texts.ts';

const VIEW_BYTES = 16;
const INLINE_BYTES = 12;
/** Texts are looked at together, so many bytes of them. */
const LOOK_BYTES = 1 << 16;
/** Pieces that are copied end here. */
const PIECE_BYTES = 1 << 30;

/**
 * The texts of utf8, large utf8, utf8 views, and dictionaries of them. Those of utf8 are not copied.
 * @throws ArgumentError ERR_VALUE naming column and row for bytes that are no UTF-8, or lie outside of their buffer.
 */
export function arrowTexts({ data, length }: ArrowVector, name: string): Utf8Texts {
  const nulls = new ValidityBuilder(length);
  const dictionaries = new Map<ArrowVector, Utf8Texts>();
  const pieces: TextPiece[] = [];
  let row = 0;
  for (const chunk of data) {
    const bitmap = chunk.nullCount === 0 || !chunk.nullBitmap ? null : chunk.nullBitmap;
    nulls.copy(bitmap, chunk.offset, chunk.offset + chunk.length, row);
    const rows = { chunk, bitmap, name, row };
    if (chunk.dictionary) {
      const texts = dictionaries.get(chunk.dictionary) ?? arrowTexts(chunk.dictionary, name);
      dictionaries.set(chunk.dictionary, texts);
      pieces.push(codedPiece(rows, texts, nulls));
    } else {
      const whole = wholePiece(chunk);
      for (const piece of whole === null ? copiedPieces(rows) : [whole]) pieces.push(piece);
    }
    row += chunk.length;
  }
  return new Utf8Texts(pieces, nulls.finish());
}

/** A chunk of an Arrow vector, and the row of the column that is its first. */
interface ChunkRows {
  readonly chunk: ArrowChunk;
  readonly bitmap: Uint8Array | null;
  readonly name: string;
  readonly row: number;
}

function refused({ name, row }: ChunkRows, index: number): ArgumentError {
  return new ArgumentError(
    'ERR_VALUE',
    `${columnLabel(name)}: row ${String(row + index)}`,
    'text in UTF-8',
    'other bytes',
  );
}

/** The chunk as it lies in memory, or null where it does not lie there so, or not all of it is text. */
function wholePiece({ values, valueOffsets, length }: ArrowChunk): TextPiece | null {
  if (length === 0 || valueOffsets === undefined) return null;
  const offsets = offsetsOf(valueOffsets, length + 1);
  const bytes = values as Uint8Array;
  return offsets !== null && areTexts(bytes, offsets) ? { rowCount: length, bytes, offsets, codes: null } : null;
}

/** Null where 32 bits do not hold them. */
function offsetsOf(offsets: ArrayLike<number | bigint>, count: number): Uint32Array | null {
  if (offsets.length < count) return null;
  if (offsets instanceof Int32Array) return new Uint32Array(offsets.buffer, offsets.byteOffset, count);
  if (!(offsets instanceof BigInt64Array)) return null;
  const words = new Uint32Array(offsets.buffer, offsets.byteOffset, 2 * count);
  const low = new Uint32Array(count);
  let high = 0;
  for (let i = 0; i < count; i += 1) {
    low[i] = words[2 * i] as number;
    high |= words[2 * i + 1] as number;
  }
  return high === 0 ? low : null;
}

/** Whether offsets never fall and lie in the bytes, and every text is UTF-8, those of null rows too. */
function areTexts(bytes: Uint8Array, offsets: Uint32Array): boolean {
  const count = offsets.length - 1;
  if (fall(offsets) || (offsets[count] as number) > bytes.length) return false;
  for (let first = 0; first < count; ) {
    const start = offsets[first] as number;
    const last = Math.max(first + 1, lastWithin(offsets, first, start + LOOK_BYTES));
    const look = bytes.subarray(start, offsets[last]);
    // Well-formed as a whole, and none begins in the middle of a character.
    if (!isAscii(look) && !(isUtf8(look) && beginCharacters(bytes, offsets, first, last))) return false;
    first = last;
  }
  return true;
}

/** Whether one offset is below the one before. A loop of its own, which is compiled before it is through. */
function fall(offsets: Uint32Array): boolean {
  let isFalling = 0;
  let before = 0;
  for (let i = 0; i < offsets.length; i += 1) {
    const offset = offsets[i] as number;
    isFalling |= offset < before ? 1 : 0;
    before = offset;
  }
  return isFalling === 1;
}

/** The last of the offsets from `first` on that is at most `most`; they never fall. */
function lastWithin(offsets: Uint32Array, first: number, most: number): number {
  let [low, high] = [first, offsets.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((offsets[middle] as number) <= most) low = middle;
    else high = middle - 1;
  }
  return low;
}

function beginCharacters(bytes: Uint8Array, offsets: Uint32Array, first: number, last: number): boolean {
  const end = offsets[last] as number;
  for (let text = first; text < last; text += 1) {
    const at = offsets[text] as number;
    if (at < end && ((bytes[at] as number) & 0xc0) === 0x80) return false;
  }
  return true;
}

/** Text by text: nulls may be anything, and the first that is no text is named. */
function copiedPieces(rows: ChunkRows): TextPiece[] {
  const { chunk, bitmap } = rows;
  const bytesAt = readerOf(chunk);
  const pieces: TextPiece[] = [];
  let builder = new TextPieceBuilder();
  for (let index = 0; index < chunk.length; index += 1) {
    const bytes = isValid(bitmap, chunk.offset + index) ? bytesAt(index) : NO_BYTES;
    if (bytes === null || !isUtf8(bytes)) throw refused(rows, index);
    if (builder.byteLength > PIECE_BYTES) {
      pieces.push(builder.finish());
      builder = new TextPieceBuilder();
    }
    builder.add(bytes, 0, bytes.length);
  }
  return [...pieces, builder.finish()];
}

const NO_BYTES = new Uint8Array(0);

/** Gives the bytes at an index of a chunk that is not null there; null where they lie outside of their buffer. */
function readerOf({ values, valueOffsets, variadicBuffers = [] }: ArrowChunk): (index: number) => Uint8Array | null {
  const bytes = values as Uint8Array;
  if (valueOffsets) return (index) => within(bytes, Number(valueOffsets[index]), Number(valueOffsets[index + 1]));
  const views = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return (index) => {
    const at = index * VIEW_BYTES;
    if (at + VIEW_BYTES > bytes.length) return null;
    const size = views.getInt32(at, true);
    if (size <= INLINE_BYTES) return within(bytes, at + 4, at + 4 + size);
    const start = views.getInt32(at + 12, true);
    return within(variadicBuffers[views.getInt32(at + 8, true)], start, start + size);
  };
}

function within(bytes: Uint8Array | undefined, start: number, end: number): Uint8Array | null {
  return bytes !== undefined && start >= 0 && start <= end && end <= bytes.length ? bytes.subarray(start, end) : null;
}

/** Rows that have the texts of a dictionary, in which a null makes them null. */
function codedPiece(rows: ChunkRows, texts: Utf8Texts, nulls: ValidityBuilder): TextPiece {
  const { chunk, bitmap, row } = rows;
  const given = chunk.values as ArrayLike<number | bigint>;
  const codes = new Uint32Array(chunk.length);
  for (let index = 0; index < chunk.length; index += 1) {
    if (!isValid(bitmap, chunk.offset + index)) continue;
    const code = Number(given[index]);
    if (!(code >= 0 && code < texts.rowCount)) throw refused(rows, index);
    codes[index] = code;
    if (!isValid(texts.validity, code)) nulls.setNull(row + index);
  }
  const { bytes, ends } = texts.slice(0, texts.rowCount);
  return { rowCount: chunk.length, bytes, offsets: textOffsets(ends), codes };
}
