// The kernel of the gathers in TypeScript: copies items of any width, given where each starts and where it goes, by the
// widest words that all of them allow. Integers only: a float that passes through a JavaScript number may lose the
// payload of a NaN.

/**
 * Bytes to read from or write to, as words of 1, 2 and 4 bytes from one origin: that of the ArrayBuffer, up to 3 bytes
 * before the first.
 */
export class Words {
  readonly u8: Uint8Array;
  /** Where byte 0 of the bytes stands, from the origin. */
  readonly shift: number;
  #u16: Uint16Array | null = null;
  #u32: Uint32Array | null = null;

  constructor(bytes: Uint8Array) {
    this.shift = bytes.byteOffset % 4;
    this.u8 = new Uint8Array(bytes.buffer, bytes.byteOffset - this.shift, bytes.byteLength + this.shift);
  }

  get u16(): Uint16Array {
    this.#u16 ??= new Uint16Array(this.u8.buffer, this.u8.byteOffset, Math.floor(this.u8.byteLength / 2));
    return this.#u16;
  }

  get u32(): Uint32Array {
    this.#u32 ??= new Uint32Array(this.u8.buffer, this.u8.byteOffset, Math.floor(this.u8.byteLength / 4));
    return this.#u32;
  }
}

/**
 * Offsets in words. 32-bit integers make the kernels several times faster; only memory of 2 GiB and more needs doubles.
 */
export type Offsets = Int32Array | Float64Array;

export function newOffsets(length: number, byteLength: number): Offsets {
  return byteLength < 0x7fff_0000 ? new Int32Array(length) : new Float64Array(length);
}

/**
 * The widest word in which an item, all its distances and its first addresses can be counted: `bits` has every bit set
 * that any of them has.
 */
export function wordBytes(bits: number): 1 | 2 | 4 {
  return (bits & 3) === 0 ? 4 : (bits & 1) === 0 ? 2 : 1;
}

/**
 * Copies item i, for i in [0, count), from word from[i] of `source` to word to[i] of `target`. The caller has made sure
 * that all lie inside and are whole words.
 */
export function copyItemsUnchecked(
  word: 1 | 2 | 4,
  target: Words,
  to: Offsets,
  source: Words,
  from: Offsets,
  count: number,
  itemBytes: number,
): void {
  if (word === 4) copyWords32(target.u32, to, source.u32, from, count, itemBytes / 4);
  else if (word === 2) copyWords16(target.u16, to, source.u16, from, count, itemBytes / 2);
  else copyWords8(target.u8, to, source.u8, from, count, itemBytes);
}

// Functions that look alike, on purpose: each sees one kind of array, which is what lets the compiler make a tight loop
// of it.

function copyWords32(
  target: Uint32Array,
  to: Offsets,
  source: Uint32Array,
  from: Offsets,
  count: number,
  words: number,
): void {
  const done =
    words === 1
      ? copySingles(target, to, source, from, count)
      : words === 2
        ? copyPairs(target, to, source, from, count)
        : 0;
  for (let i = done; i < count; i++) {
    const s = from[i] as number;
    const t = to[i] as number;
    for (let w = 0; w < words; w++) target[t + w] = source[s + w] as number;
  }
}

// The two common widths, several items at a time: loads that stand together miss the cache together (2.5 times as fast
// for random rows of a large column). They return how many items they copied; a few are left.

function copySingles(target: Uint32Array, to: Offsets, source: Uint32Array, from: Offsets, count: number): number {
  let i = 0;
  for (; i + 8 <= count; i += 8) {
    const v0 = source[from[i + 0] as number] as number;
    const v1 = source[from[i + 1] as number] as number;
    const v2 = source[from[i + 2] as number] as number;
    const v3 = source[from[i + 3] as number] as number;
    const v4 = source[from[i + 4] as number] as number;
    const v5 = source[from[i + 5] as number] as number;
    const v6 = source[from[i + 6] as number] as number;
    const v7 = source[from[i + 7] as number] as number;
    target[to[i + 0] as number] = v0;
    target[to[i + 1] as number] = v1;
    target[to[i + 2] as number] = v2;
    target[to[i + 3] as number] = v3;
    target[to[i + 4] as number] = v4;
    target[to[i + 5] as number] = v5;
    target[to[i + 6] as number] = v6;
    target[to[i + 7] as number] = v7;
  }
  return i;
}

function copyPairs(target: Uint32Array, to: Offsets, source: Uint32Array, from: Offsets, count: number): number {
  let i = 0;
  for (; i + 4 <= count; i += 4) {
    const s0 = from[i + 0] as number;
    const s1 = from[i + 1] as number;
    const s2 = from[i + 2] as number;
    const s3 = from[i + 3] as number;
    const a0 = source[s0] as number;
    const a1 = source[s1] as number;
    const a2 = source[s2] as number;
    const a3 = source[s3] as number;
    const b0 = source[s0 + 1] as number;
    const b1 = source[s1 + 1] as number;
    const b2 = source[s2 + 1] as number;
    const b3 = source[s3 + 1] as number;
    const t0 = to[i + 0] as number;
    const t1 = to[i + 1] as number;
    const t2 = to[i + 2] as number;
    const t3 = to[i + 3] as number;
    target[t0] = a0;
    target[t1] = a1;
    target[t2] = a2;
    target[t3] = a3;
    target[t0 + 1] = b0;
    target[t1 + 1] = b1;
    target[t2 + 1] = b2;
    target[t3 + 1] = b3;
  }
  return i;
}

function copyWords16(
  target: Uint16Array,
  to: Offsets,
  source: Uint16Array,
  from: Offsets,
  count: number,
  words: number,
): void {
  for (let i = 0; i < count; i++) {
    const s = from[i] as number;
    const t = to[i] as number;
    for (let w = 0; w < words; w++) target[t + w] = source[s + w] as number;
  }
}

function copyWords8(
  target: Uint8Array,
  to: Offsets,
  source: Uint8Array,
  from: Offsets,
  count: number,
  words: number,
): void {
  for (let i = 0; i < count; i++) {
    const s = from[i] as number;
    const t = to[i] as number;
    for (let w = 0; w < words; w++) target[t + w] = source[s + w] as number;
  }
}
