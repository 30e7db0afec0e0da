// Packed texts of fixed width -> codes and the texts that differ: rows are told apart by their bytes, and a string is
// made only once for each text of a block, in place of one for each row.
import { decodeFixedStringsUnchecked } from '../../values/fixed-strings.ts';
import type { FixedStringType } from '../../values/fixed-strings.ts';

/** Beyond this share of the rows telling them apart costs more than it spares. */
const MOST_SHARE = 1 / 4;
const LEAST_SLOTS = 1024;

interface CodedItems {
  readonly codes: Int32Array;
  readonly texts: readonly string[];
}

/** Memory that is used again for each block. */
export class ItemCoder {
  readonly #type: FixedStringType;
  #codes = new Int32Array(0);
  /** Open addressing: a code, or -1. */
  #slots = new Int32Array(LEAST_SLOTS);
  /** Of each code its hash and the first row that has it. */
  #hashes = new Int32Array(LEAST_SLOTS);
  #rows = new Int32Array(LEAST_SLOTS);

  constructor(type: FixedStringType) {
    this.#type = type;
  }

  /** Good until the next call. Null where most rows differ. */
  encode(bytes: Uint8Array, rowCount: number): CodedItems | null {
    const { itemBytes } = this.#type;
    const hasWords = itemBytes % 4 === 0 && bytes.byteOffset % 4 === 0;
    const units = hasWords ? new Int32Array(bytes.buffer, bytes.byteOffset, (itemBytes / 4) * rowCount) : bytes;
    const width = hasWords ? itemBytes / 4 : itemBytes;
    if (this.#codes.length < rowCount) this.#codes = new Int32Array(rowCount);
    this.#slots.fill(-1);
    const most = Math.max(LEAST_SLOTS / 2, rowCount * MOST_SHARE);
    const count = hasWords
      ? this.#encodeWords(units as Int32Array, width, rowCount, most)
      : this.#encodeBytes(bytes, width, rowCount, most);
    if (count === -1) return null;
    return { codes: this.#codes.subarray(0, rowCount), texts: this.#textsOf(bytes, count) };
  }

  #encodeWords(units: Int32Array, width: number, rowCount: number, most: number): number {
    let count = 0;
    for (let row = 0, at = 0; row < rowCount; row += 1, at += width) {
      let hash = 0;
      for (let unit = at; unit < at + width; unit += 1) {
        hash = Math.imul(hash ^ (units[unit] as number), 0x9e3779b1);
        hash ^= hash >>> 15;
      }
      let slot = hash & (this.#slots.length - 1);
      for (;;) {
        const code = this.#slots[slot] as number;
        if (code === -1) {
          if (count >= most) return -1;
          count = this.#add(slot, hash, row, count);
          break;
        }
        if (this.#hashes[code] === hash) {
          let unit = 0;
          const other = width * (this.#rows[code] as number);
          while (unit < width && units[at + unit] === units[other + unit]) unit += 1;
          if (unit === width) {
            this.#codes[row] = code;
            break;
          }
        }
        slot = (slot + 1) & (this.#slots.length - 1);
      }
    }
    return count;
  }

  /** The same over bytes: a function of its own, so that each sees one kind of array. */
  #encodeBytes(units: Uint8Array, width: number, rowCount: number, most: number): number {
    let count = 0;
    for (let row = 0, at = 0; row < rowCount; row += 1, at += width) {
      let hash = 0;
      for (let unit = at; unit < at + width; unit += 1) hash = Math.imul(hash ^ (units[unit] as number), 0x9e3779b1);
      hash ^= hash >>> 15;
      let slot = hash & (this.#slots.length - 1);
      for (;;) {
        const code = this.#slots[slot] as number;
        if (code === -1) {
          if (count >= most) return -1;
          count = this.#add(slot, hash, row, count);
          break;
        }
        if (this.#hashes[code] === hash) {
          let unit = 0;
          const other = width * (this.#rows[code] as number);
          while (unit < width && units[at + unit] === units[other + unit]) unit += 1;
          if (unit === width) {
            this.#codes[row] = code;
            break;
          }
        }
        slot = (slot + 1) & (this.#slots.length - 1);
      }
    }
    return count;
  }

  /** The next code; there are always twice as many slots. */
  #add(slot: number, hash: number, row: number, code: number): number {
    this.#slots[slot] = code;
    this.#hashes[code] = hash;
    this.#rows[code] = row;
    this.#codes[row] = code;
    const count = code + 1;
    if (2 * count >= this.#slots.length) this.#grow(count);
    return count;
  }

  #grow(count: number): void {
    const length = 4 * this.#slots.length;
    this.#slots = new Int32Array(length).fill(-1);
    const [hashes, rows] = [this.#hashes, this.#rows];
    this.#hashes = new Int32Array(length);
    this.#hashes.set(hashes);
    this.#rows = new Int32Array(length);
    this.#rows.set(rows);
    for (let code = 0; code < count; code += 1) {
      let slot = (hashes[code] as number) & (length - 1);
      while (this.#slots[slot] !== -1) slot = (slot + 1) & (length - 1);
      this.#slots[slot] = code;
    }
  }

  #textsOf(bytes: Uint8Array, count: number): readonly string[] {
    const { itemBytes } = this.#type;
    const firsts = new Uint8Array(count * itemBytes);
    for (let code = 0; code < count; code += 1) {
      const start = (this.#rows[code] as number) * itemBytes;
      firsts.set(bytes.subarray(start, start + itemBytes), code * itemBytes);
    }
    const texts = new Array<string>(count);
    decodeFixedStringsUnchecked(firsts, this.#type, 0, count, texts);
    return texts;
  }
}
