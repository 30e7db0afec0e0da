// Packed texts of fixed width -> the same as UTF-8, back to back: for those who tell texts apart by their bytes. A
// string for each costs more than all the rest.
import { scalarValue } from './fixed-strings.ts';
import type { FixedStringType } from './fixed-strings.ts';
import type { ByteTexts } from './known-texts.ts';

/** Bytes of UTF-8 that a unit becomes at most. */
const BYTES_OF_LATIN1 = 2;
const BYTES_OF_UCS4 = 4;

/** Memory that is used again for each block. */
export class FixedUtf8 {
  readonly #type: FixedStringType;
  #bytes = new Uint8Array(0);
  #ends = new Uint32Array(0);

  constructor(type: FixedStringType) {
    this.#type = type;
  }

  /** The texts that `decodeFixedStrings` makes of the items. Good until the next call. */
  encode(items: Uint8Array, rowCount: number): ByteTexts {
    const { kind, length } = this.#type;
    const most = length * rowCount * (kind === 'bytes' ? BYTES_OF_LATIN1 : BYTES_OF_UCS4);
    if (this.#bytes.length < most) this.#bytes = new Uint8Array(most);
    if (this.#ends.length < rowCount) this.#ends = new Uint32Array(rowCount);
    const [bytes, ends] = [this.#bytes, this.#ends.subarray(0, rowCount)];
    if (kind === 'bytes') writeLatin1(items, length, bytes, ends);
    else writeUcs4(wordsOf(items), length, bytes, ends);
    return { bytes, start: 0, ends };
  }
}

function writeLatin1(items: Uint8Array, length: number, bytes: Uint8Array, ends: Uint32Array): void {
  let used = 0;
  for (let row = 0; row < ends.length; row += 1) {
    const first = row * length;
    let stop = first + length;
    while (stop > first && items[stop - 1] === 0) stop -= 1;
    for (let at = first; at < stop; at += 1) {
      const unit = items[at] as number;
      if (unit >= 0x80) bytes[used++] = 0xc0 | (unit >> 6);
      bytes[used++] = unit < 0x80 ? unit : 0x80 | (unit & 0x3f);
    }
    ends[row] = used;
  }
}

function writeUcs4(points: Uint32Array, length: number, bytes: Uint8Array, ends: Uint32Array): void {
  let used = 0;
  for (let row = 0; row < ends.length; row += 1) {
    const first = row * length;
    let stop = first + length;
    while (stop > first && points[stop - 1] === 0) stop -= 1;
    for (let at = first; at < stop; at += 1) {
      const point = scalarValue(points[at] as number);
      if (point < 0x80) bytes[used++] = point;
      else {
        if (point < 0x800) bytes[used++] = 0xc0 | (point >> 6);
        else {
          if (point < 0x1_0000) bytes[used++] = 0xe0 | (point >> 12);
          else {
            bytes[used++] = 0xf0 | (point >> 18);
            bytes[used++] = 0x80 | ((point >> 12) & 0x3f);
          }
          bytes[used++] = 0x80 | ((point >> 6) & 0x3f);
        }
        bytes[used++] = 0x80 | (point & 0x3f);
      }
    }
    ends[row] = used;
  }
}

function wordsOf(items: Uint8Array): Uint32Array {
  const own = items.byteOffset % 4 === 0 ? items : items.slice();
  return new Uint32Array(own.buffer, own.byteOffset, own.byteLength / 4);
}
