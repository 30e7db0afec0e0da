// The kernel of the gathers in TypeScript: copies items of any width from given addresses to given positions, by the widest words that all addresses allow. Integers only:
// a float that passes through a JavaScript number may lose the payload of a NaN.

/** Bytes to read from or write to, seen as words of 1, 2 and 4 bytes from one common origin. */
export class Words {
  readonly u8: Uint8Array;
  /** Where byte 0 of the bytes stands, from the origin of the word arrays. */
  readonly shift: number;
  #u16: Uint16Array | null = null;
  #u32: Uint32Array | null = null;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.shift = bytes.byteOffset % 4;
    this.u8 = new Uint8Array(bytes.buffer, bytes.byteOffset - this.shift, bytes.byteLength + this.shift);
  }

  get u16(): Uint16Array {
    this.#u16 ??= new Uint16Array(this.#bytes.buffer, this.#bytes.byteOffset - this.shift, Math.floor((this.#bytes.byteLength + this.shift) / 2));
    return this.#u16;
  }

  get u32(): Uint32Array {
    this.#u32 ??= new Uint32Array(this.#bytes.buffer, this.#bytes.byteOffset - this.shift, Math.floor((this.#bytes.byteLength + this.shift) / 4));
    return this.#u32;
  }
}

/**
 * Copies item i, for i in [0, count), from byte addresses[i] of `source` to byte targetOffset + positions[i] * targetStride of `target`. The caller has checked that all lie
 * inside. @param addressBits the low bits that any of the addresses has set: which words they can be read by.
 */
export function copyItemsUnchecked(
  target: Words, targetOffset: number, targetStride: number, source: Words, addresses: Float64Array, addressBits: number, positions: Float64Array, count: number, itemBytes: number,
): void {
  const first = targetOffset + target.shift;
  const bits = first | targetStride | addressBits | source.shift | itemBytes;
  if ((bits & 3) === 0) copyWords32(target.u32, first / 4, targetStride / 4, source.u32, addresses, source.shift, positions, count, itemBytes / 4);
  else if ((bits & 1) === 0) copyWords16(target.u16, first / 2, targetStride / 2, source.u16, addresses, source.shift, positions, count, itemBytes / 2);
  else copyBytes(target.u8, first, targetStride, source.u8, addresses, source.shift, positions, count, itemBytes);
}

// Three functions that look alike, on purpose: each sees one kind of array, which is what lets the compiler make a tight loop of it.

function copyWords32(
  target: Uint32Array, first: number, stride: number, source: Uint32Array, addresses: Float64Array, shift: number, positions: Float64Array, count: number, words: number,
): void {
  if (words === 1) {
    for (let i = 0; i < count; i++) target[first + (positions[i] as number) * stride] = source[((addresses[i] as number) + shift) / 4] as number;
  } else if (words === 2) {
    for (let i = 0; i < count; i++) {
      const from = ((addresses[i] as number) + shift) / 4;
      const to = first + (positions[i] as number) * stride;
      target[to] = source[from] as number;
      target[to + 1] = source[from + 1] as number;
    }
  } else {
    for (let i = 0; i < count; i++) {
      const from = ((addresses[i] as number) + shift) / 4;
      const to = first + (positions[i] as number) * stride;
      for (let w = 0; w < words; w++) target[to + w] = source[from + w] as number;
    }
  }
}

function copyWords16(
  target: Uint16Array, first: number, stride: number, source: Uint16Array, addresses: Float64Array, shift: number, positions: Float64Array, count: number, words: number,
): void {
  for (let i = 0; i < count; i++) {
    const from = ((addresses[i] as number) + shift) / 2;
    const to = first + (positions[i] as number) * stride;
    for (let w = 0; w < words; w++) target[to + w] = source[from + w] as number;
  }
}

function copyBytes(
  target: Uint8Array, first: number, stride: number, source: Uint8Array, addresses: Float64Array, shift: number, positions: Float64Array, count: number, itemBytes: number,
): void {
  for (let i = 0; i < count; i++) {
    const from = (addresses[i] as number) + shift;
    const to = first + (positions[i] as number) * stride;
    for (let b = 0; b < itemBytes; b++) target[to + b] = source[from + b] as number;
  }
}
