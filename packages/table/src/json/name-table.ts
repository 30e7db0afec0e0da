// The names of columns, as records write them -> the numbers of the columns, by the bytes between quotes: what a scan
// of records asks, here and in the addon.

const FIRST_NAMES = 32;
const FIRST_BYTES = 1024;
/** FNV-1a, of 32 bits. */
const [HASH_BASIS, HASH_PRIME] = [0x811c9dc5, 0x01000193];
/** Numbers of an entry: its first byte, the one behind its last, its column. */
const ENTRY = 3;
const ENCODER = new TextEncoder();

export class NameTable {
  /** Of all entries, back to back. */
  bytes = new Uint8Array(FIRST_BYTES);
  /** A power of two of slots: each the number of an entry + 1, or 0; never more than half of them are used. */
  slotCount = 2 * FIRST_NAMES;
  /** The slots, and behind them the entries. */
  numbers = numbersFor(this.slotCount);
  /** Of entries. */
  count = 0;
  readonly columnOfName = new Map<string, number>();
  /** How many columns there are. */
  columns = 0;
  #used = 0;

  /** The next column. */
  add(name: string): void {
    this.columnOfName.set(name, this.columns);
    const written = JSON.stringify(name).slice(1, -1);
    this.#put(written);
    // Many programs write ASCII alone.
    const ascii = written.replaceAll(/[\u{80}-\u{10ffff}]/gu, (unit) => escaped(unit));
    if (ascii !== written) this.#put(ascii);
    this.columns += 1;
  }

  /** The entry that bytes [start, end) are; -1: none. */
  find(bytes: Uint8Array, start: number, end: number): number {
    const mask = this.slotCount - 1;
    for (let at = hashOf(bytes, start, end) & mask; ; at = (at + 1) & mask) {
      const entry = (this.numbers[at] as number) - 1;
      if (entry === -1 || this.is(entry, bytes, start, end)) return entry;
    }
  }

  /** Bytes of an entry; 0: there is none of that number. */
  lengthOf(entry: number): number {
    return entry < this.count ? this.#number(entry, 1) - this.#number(entry, 0) : 0;
  }

  is(entry: number, bytes: Uint8Array, start: number, end: number): boolean {
    const from = this.#number(entry, 0);
    if (this.#number(entry, 1) - from !== end - start) return false;
    for (let at = start; at < end; at += 1) if (this.bytes[from + at - start] !== bytes[at]) return false;
    return true;
  }

  columnOf(entry: number): number {
    return this.#number(entry, 2);
  }

  #put(written: string): void {
    const name = ENCODER.encode(written);
    if (this.#used + name.length > this.bytes.length) this.bytes = grown(this.bytes, this.#used + name.length);
    if (2 * (this.count + 1) > this.slotCount) this.#grow();
    const [start, end] = [this.#used, this.#used + name.length];
    this.bytes.set(name, start);
    this.#used = end;
    this.numbers.set([start, end, this.columns], this.slotCount + ENTRY * this.count);
    this.count += 1;
    this.#place(this.count - 1);
  }

  #grow(): void {
    const entries = this.numbers.subarray(this.slotCount);
    this.slotCount *= 2;
    this.numbers = numbersFor(this.slotCount);
    this.numbers.set(entries, this.slotCount);
    for (let entry = 0; entry < this.count; entry += 1) this.#place(entry);
  }

  #place(entry: number): void {
    const mask = this.slotCount - 1;
    let at = hashOf(this.bytes, this.#number(entry, 0), this.#number(entry, 1)) & mask;
    while (this.numbers[at] !== 0) at = (at + 1) & mask;
    this.numbers[at] = entry + 1;
  }

  #number(entry: number, which: number): number {
    return this.numbers[this.slotCount + ENTRY * entry + which] as number;
  }
}

function numbersFor(slotCount: number): Int32Array {
  return new Int32Array(slotCount + (ENTRY * slotCount) / 2);
}

function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = HASH_BASIS | 0;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (bytes[at] as number), HASH_PRIME);
  return hash;
}

function escaped(unit: string): string {
  let out = '';
  for (let index = 0; index < unit.length; index += 1)
    out += `\\u${unit.charCodeAt(index).toString(16).padStart(4, '0')}`;
  return out;
}

function grown(bytes: Uint8Array, least: number): Uint8Array<ArrayBuffer> {
  const more = new Uint8Array(Math.max(2 * bytes.length, least));
  more.set(bytes);
  return more;
}
