// What a source gives of a column for some rows -> the few kinds of arrays that aggregates, keys and orders work on, so
// that each of their loops sees one kind of array: numbers as float64, 64-bit items as words, text as codes.
import { assertNever, dtypeFacts, isBool, isFixedText, numberKernels } from '@colkit/io';
import type { DTypeFacts, DTypeInfo } from '@colkit/io';
import { arrayOf, valuesOf } from '../chunk/chunk.ts';
import type { Chunk, DictionaryChunk } from '../chunk/chunk.ts';
import type { NarrowArray } from '../query/kernels/narrow-array.ts';
import { decodeFixedStringsUnchecked } from '../values/fixed-strings.ts';
import type { FixedStringType } from '../values/fixed-strings.ts';
import { FixedUtf8 } from '../values/fixed-utf8.ts';
import type { ByteTexts } from '../values/known-texts.ts';
import { ItemCoder } from './codes/item-codes.ts';

/** The code of a row without a text. */
export const NO_TEXT = 0xffff_ffff;

/** One value: boolean of bool, bigint of 64-bit integers and ticks, text, bytes. */
export type Cell = boolean | number | bigint | string | Uint8Array | null;

/** `validity`: one bit a row, least significant first, 1 = not null; null: no row is null. Null rows hold anything. */
export type ColumnValues =
  /** bool (0 and 1), integers of up to 32 bits, floats. */
  | {
      readonly kind: 'numbers';
      readonly numbers: Float64Array;
      /** The same as the source has them, where their loops are worth it; null of booleans, which may be any byte. */
      readonly stored: NarrowArray | null;
      readonly validity: Uint8Array | null;
    }
  /** int64, uint64, datetimes and timedeltas: two words an item, the low one first. */
  | { readonly kind: 'words'; readonly words: Uint32Array; readonly validity: Uint8Array | null }
  /** Text, as indexes into `texts`, which need be neither distinct nor all met; an index outside them is null. */
  | {
      readonly kind: 'codes';
      readonly codes: Int32Array;
      readonly texts: readonly string[];
      /** The same texts, where they lie so in memory: `texts` makes them when it is looked at. */
      readonly utf8?: ByteTexts;
      readonly validity: Uint8Array | null;
    }
  /** The same as UTF-8. Without codes the texts are the rows; NO_TEXT is null. Well-formed. */
  | { readonly kind: 'utf8'; readonly texts: ByteTexts; readonly codes: Uint32Array | null; readonly validity: null }
  /** Binary and float128. */
  | { readonly kind: 'bytes'; readonly values: readonly Uint8Array[]; readonly validity: Uint8Array | null };

/** The kinds of columns, by what their values can do. */
export type Domain = DTypeFacts['domain'];

export function domainOf(info: DTypeInfo): Domain {
  return dtypeFacts(info).domain;
}

const FLOAT128_BYTES = 16;

/** The values of one column, block after block, in memory that the next block uses again. */
export class ValueReader {
  readonly #info: DTypeInfo;
  readonly #domain: Domain;
  #numbers = new Float64Array(0);
  #codes = new Int32Array(0);
  #coder: ItemCoder | null = null;
  #isVaried = false;
  readonly #utf8: FixedUtf8 | null;

  /** @param takesUtf8 whether texts may come as UTF-8, which the addon is there for. */
  constructor(info: DTypeInfo, takesUtf8 = false) {
    this.#info = info;
    this.#utf8 = takesUtf8 && isFixedText(info) && numberKernels() !== null ? new FixedUtf8(info) : null;
    this.#domain = domainOf(info);
  }

  /** Good until the next call. */
  read(chunk: Chunk): ColumnValues {
    const { rowCount, validity } = chunk;
    if (chunk.kind === 'dictionary') return entriesOf(chunk);
    if (chunk.kind !== 'fixed') {
      const values = valuesOf(chunk);
      return this.#domain === 'bytes'
        ? { kind: 'bytes', values: values as readonly Uint8Array[], validity }
        : { kind: 'codes', codes: this.#ordinals(rowCount), texts: values as readonly string[], validity };
    }
    const { bytes } = chunk;
    switch (this.#domain) {
      case 'wide':
      case 'ticks':
        return { kind: 'words', words: new Uint32Array(bytes.buffer, bytes.byteOffset, 2 * rowCount), validity };
      case 'bytes':
        return { kind: 'bytes', values: float128s(bytes, rowCount), validity };
      case 'text': {
        const type = this.#info as FixedStringType;
        this.#coder ??= new ItemCoder(type);
        const coded = this.#isVaried ? null : this.#coder.encode(bytes, rowCount);
        if (coded !== null) return { kind: 'codes', ...coded, validity };
        // Where most texts of a block differ, those of the next ones will.
        this.#isVaried = true;
        if (this.#utf8 !== null && validity === null)
          return { kind: 'utf8', texts: this.#utf8.encode(bytes, rowCount), codes: null, validity };
        const texts = new Array<string>(rowCount);
        decodeFixedStringsUnchecked(bytes, type, 0, rowCount, texts);
        return { kind: 'codes', codes: this.#ordinals(rowCount), texts, validity };
      }
      default:
        return new StoredNumbers(
          arrayOf(this.#info, bytes) as NarrowArray,
          validity,
          this.#domain === 'bool',
          (values) => this.#numbersOf(values, rowCount),
        );
    }
  }

  #numbersOf(values: NarrowArray, rowCount: number): Float64Array {
    if (values instanceof Float64Array) return values;
    if (this.#numbers.length < rowCount) this.#numbers = new Float64Array(rowCount);
    const numbers = this.#numbers.subarray(0, rowCount);
    numbers.set(values);
    // Every byte other than 0 is true.
    if (this.#domain === 'bool') for (let row = 0; row < rowCount; row += 1) if (numbers[row] !== 0) numbers[row] = 1;
    return numbers;
  }

  #ordinals(rowCount: number): Int32Array {
    if (this.#codes.length < rowCount) {
      this.#codes = new Int32Array(rowCount);
      for (let row = 0; row < rowCount; row += 1) this.#codes[row] = row;
    }
    return this.#codes.subarray(0, rowCount);
  }
}

/** Numbers that become float64 when they are asked for as such. */
class StoredNumbers {
  readonly kind = 'numbers';
  readonly stored: NarrowArray | null;
  readonly validity: Uint8Array | null;
  readonly #values: NarrowArray;
  readonly #toNumbers: (values: NarrowArray) => Float64Array;
  #numbers: Float64Array | null = null;

  constructor(
    values: NarrowArray,
    validity: Uint8Array | null,
    isBool: boolean,
    toNumbers: (values: NarrowArray) => Float64Array,
  ) {
    this.stored = isBool ? null : values;
    this.validity = validity;
    this.#values = values;
    this.#toNumbers = toNumbers;
  }

  get numbers(): Float64Array {
    this.#numbers ??= this.#toNumbers(this.#values);
    return this.#numbers;
  }
}

function entriesOf(chunk: DictionaryChunk): ColumnValues {
  const { codes, validity, utf8 } = chunk;
  return {
    kind: 'codes',
    codes,
    get texts() {
      return chunk.dictionary;
    },
    ...(utf8 === undefined ? {} : { utf8: { bytes: utf8.bytes, start: 0, ends: utf8.ends } }),
    validity,
  };
}

function float128s(bytes: Uint8Array, rowCount: number): readonly Uint8Array[] {
  return Array.from({ length: rowCount }, (_, row) => bytes.subarray(row * FLOAT128_BYTES, (row + 1) * FLOAT128_BYTES));
}

/** Whether a row has no value. */
export function isNullAt(values: ColumnValues, row: number): boolean {
  const { validity } = values;
  if (validity !== null && (((validity[row >>> 3] as number) >> (row & 7)) & 1) === 0) return true;
  if (values.kind === 'utf8') return values.codes?.[row] === NO_TEXT;
  return (
    values.kind === 'codes' &&
    !((values.codes[row] as number) >= 0 && (values.codes[row] as number) < values.texts.length)
  );
}

/** One value that is not null. Copies. */
export function cellAt(info: DTypeInfo, values: ColumnValues, row: number): Cell {
  switch (values.kind) {
    case 'numbers':
      return isBool(info) ? values.numbers[row] !== 0 : (values.numbers[row] ?? null);
    case 'words':
      return bigintOfWords(values.words[2 * row] ?? 0, values.words[2 * row + 1] ?? 0, dtypeFacts(info).isUnsigned);
    case 'codes':
      return values.texts[values.codes[row] ?? -1] ?? null;
    case 'utf8':
      return utf8At(values.texts, values.codes === null ? row : (values.codes[row] as number));
    case 'bytes':
      return values.values[row]?.slice() ?? null;
    default:
      return assertNever(values);
  }
}

const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

/** One of the texts. */
export function utf8At({ bytes, start, ends }: ByteTexts, index: number): string {
  return DECODER.decode(bytes.slice(index === 0 ? start : ends[index - 1], ends[index]));
}

export function bigintOfWords(low: number, high: number, unsigned: boolean): bigint {
  return BigInt(unsigned ? high >>> 0 : high | 0) * 2n ** 32n + BigInt(low >>> 0);
}

/** Longer by at least half where it is too short; the new elements hold `fill`. */
export function grown(array: Float64Array<ArrayBuffer>, count: number, fill = 0): Float64Array<ArrayBuffer> {
  if (array.length >= count) return array;
  const longer = new Float64Array(Math.max(count, 2 * array.length));
  longer.set(array);
  if (fill !== 0) longer.fill(fill, array.length);
  return longer;
}
