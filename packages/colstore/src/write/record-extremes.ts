// Items of one column of one record, as they are written -> its smallest and largest value, for the statistics footer.
// None where a NaN, an infinity or a NaT is among them, where there are no rows, and for text: what Python's writer
// calls not prunable.
import { dtypeFacts, typedArrayOver } from '@colkit/io';
import type { StoredDType } from '../layout/descr.ts';

/** Items as they stand in the file; null: nothing is said of the record. */
type StoredExtremes = { readonly min: Uint8Array; readonly max: Uint8Array } | null;

type Integers = Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array;
type Floats = Float32Array | Float64Array;

interface Found {
  readonly min: number;
  readonly max: number;
}

/** Finds positions of the extremes among items; null where something is among them that makes them unusable. */
type Search = (bytes: Uint8Array) => Found | null;

export class RecordExtremes {
  readonly #dtype: StoredDType;
  readonly #search: Search | null;
  #isUsable: boolean;
  /** The smallest and largest item so far, one behind the other. */
  #ends: Uint8Array | null = null;

  constructor(dtype: StoredDType) {
    this.#dtype = dtype;
    this.#search = searchOf(dtype);
    this.#isUsable = this.#search !== null;
  }

  add(items: Uint8Array): void {
    if (!this.#isUsable || this.#search === null || items.length === 0) return;
    const found = this.#search(aligned(items, this.#dtype.itemBytes));
    if (found === null) {
      this.#isUsable = false;
      return;
    }
    const { itemBytes } = this.#dtype;
    const pair = new Uint8Array(2 * itemBytes);
    pair.set(items.subarray(found.min * itemBytes, (found.min + 1) * itemBytes));
    pair.set(items.subarray(found.max * itemBytes, (found.max + 1) * itemBytes), itemBytes);
    this.#ends = this.#ends === null ? pair : this.#merged(this.#ends, pair, this.#search);
  }

  /** Of the record that ends here; the next one begins. */
  take(): StoredExtremes {
    const ends = this.#isUsable ? this.#ends : null;
    this.#isUsable = this.#search !== null;
    this.#ends = null;
    if (ends === null) return null;
    const { itemBytes } = this.#dtype;
    return { min: ends.subarray(0, itemBytes), max: ends.subarray(itemBytes) };
  }

  #merged(before: Uint8Array, pair: Uint8Array, search: Search): Uint8Array {
    const { itemBytes } = this.#dtype;
    const all = new Uint8Array(4 * itemBytes);
    all.set(before);
    all.set(pair, 2 * itemBytes);
    const { min, max } = search(all) ?? { min: 0, max: 1 };
    const ends = new Uint8Array(2 * itemBytes);
    ends.set(all.subarray(min * itemBytes, (min + 1) * itemBytes));
    ends.set(all.subarray(max * itemBytes, (max + 1) * itemBytes), itemBytes);
    return ends;
  }
}

function aligned(items: Uint8Array, itemBytes: number): Uint8Array {
  return items.byteOffset % Math.min(8, itemBytes) === 0 ? items : items.slice();
}

function searchOf(dtype: StoredDType): Search | null {
  const { domain, isUnsigned } = dtypeFacts(dtype);
  switch (domain) {
    case 'floats':
      return dtype.itemBytes === 2 ? searchHalves : (bytes) => searchFloats(typedArrayOver(dtype, bytes) as Floats);
    case 'ticks':
      return searchTicks;
    case 'wide':
      return isUnsigned ? searchUnsigned64 : searchSigned64;
    case 'bool':
    case 'integers':
      return (bytes) => searchNumbers(typedArrayOver(dtype, bytes) as Integers);
    default:
      return null;
  }
}

function searchNumbers(values: Integers | Floats): Found {
  let [min, max] = [0, 0];
  let least = values[0] ?? 0;
  let most = least;
  for (let at = 1; at < values.length; at += 1) {
    const value = values[at] as number;
    if (value < least) {
      least = value;
      min = at;
    } else if (value > most) {
      most = value;
      max = at;
    }
  }
  return { min, max };
}

/** Finite numbers only: a difference with itself is 0 for those, and NaN for the others. */
function areFinite(values: Floats): boolean {
  let sum = 0;
  for (let at = 0; at < values.length; at += 1) sum += (values[at] as number) - (values[at] as number);
  return sum === 0;
}

function searchFloats(values: Floats): Found | null {
  return areFinite(values) ? searchNumbers(values) : null;
}

/** Halves in the order of their bits: those of negative ones count downwards. Both zeros are one number. */
function searchHalves(bytes: Uint8Array): Found | null {
  const halves = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
  const ranks = new Int32Array(halves.length);
  for (let at = 0; at < halves.length; at += 1) {
    const half = halves[at] as number;
    const size = half & 0x7fff;
    if (size >= 0x7c00) return null;
    ranks[at] = half & 0x8000 ? -size : size;
  }
  return searchNumbers(ranks);
}

function searchSigned64(bytes: Uint8Array): Found {
  return searchWords(
    new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4),
    new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4),
  );
}

function searchUnsigned64(bytes: Uint8Array): Found {
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  return searchWords(words, words);
}

/** Two words make an integer: much quicker than bigints. The upper one has the sign. */
function searchWords(upper: Int32Array | Uint32Array, lower: Uint32Array): Found {
  let [min, max] = [0, 0];
  for (let at = 2; at < lower.length; at += 2) {
    if (isBelow(upper, lower, at, min)) min = at;
    else if (isBelow(upper, lower, max, at)) max = at;
  }
  return { min: min / 2, max: max / 2 };
}

function isBelow(upper: Int32Array | Uint32Array, lower: Uint32Array, one: number, other: number): boolean {
  const [a, b] = [upper[one + 1] as number, upper[other + 1] as number];
  return a < b || (a === b && (lower[one] as number) < (lower[other] as number));
}

function searchTicks(bytes: Uint8Array): Found | null {
  const found = searchSigned64(bytes);
  // NaT is the smallest of all integers.
  const view = new DataView(bytes.buffer, bytes.byteOffset + found.min * 8, 8);
  return view.getInt32(4, true) === -0x80000000 && view.getUint32(0, true) === 0 ? null : found;
}
