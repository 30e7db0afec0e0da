// Values of a column -> numbers from 0 on, in the order in which the values are first met; null is one of them. 0 and
// -0 are one value, and so is NaN. Text is looked up once for each entry of a dictionary, not once a row.
import { LimitError, assertNever, dtypeFacts, isBool } from '@colkit/io';
import type { DTypeInfo } from '@colkit/io';
import type { NarrowArray } from '../query/kernels/narrow-array.ts';
import { textOfUnits } from '../values/fixed-strings.ts';
import { bigintOfWords, domainOf } from './column-values.ts';
import { checkGrouped } from './value-checks.ts';
import type { Cell, ColumnValues } from './column-values.ts';
import { PairCodes } from './codes/pair-codes.ts';
import { stateError } from './state.ts';

/** One value of 64 bits, as what it may be. */
const WORDS = new Int32Array(2);
const DOUBLE = new Float64Array(WORDS.buffer);
const WIDE = new BigInt64Array(WORDS.buffer);
/** As many as are worth a table. */
const SMALL_INTEGERS = 2 ** 14;

export interface ValueCodes {
  /** How many values there are, null included. */
  readonly count: number;
  /** The number of null; -1: it was not met. */
  readonly codeOfNull: number;
  /** The numbers of the values of some rows. @throws LimitError. */
  encode(values: ColumnValues, rowCount: number, out: Int32Array): void;
  codeOf(value: Cell): number;
  valueOf(code: number): Cell;
}

/**
 * @param operation what is done with it, for the message.
 * @param what in the plural, for the message about too many: 'groups'.
 * @throws UnsupportedError ERR_DTYPE for float128.
 */
export function valueCodes(info: DTypeInfo, operation: string, what: string, most: number): ValueCodes {
  checkGrouped(info, operation);
  const domain = domainOf(info);
  switch (domain) {
    case 'text':
      return new TextCodes(what, most);
    case 'bytes':
      return new BytesCodes(what, most);
    case 'bool':
    case 'integers':
    case 'floats':
    case 'wide':
    case 'ticks':
      return new WordCodes(info, what, most);
    default:
      return assertNever(domain);
  }
}

/** What null takes from the numbers of the values. */
class NullCode {
  code = -1;

  /** The number of a value that is not null, given its index among those. */
  of(index: number): number {
    return this.code !== -1 && index >= this.code ? index + 1 : index;
  }

  indexOf(code: number): number {
    return this.code !== -1 && code > this.code ? code - 1 : code;
  }
}

/** All that is of fixed width and no text: float64 or 64-bit patterns. */
class WordCodes implements ValueCodes {
  readonly #info: DTypeInfo;
  readonly #isWide: boolean;
  readonly #pairs: PairCodes;
  readonly #null = new NullCode();
  /** The index of each small integer, in the order of the integers; -1: it was not met. */
  #small: Int32Array | null = null;
  #numbers = new Float64Array(1);

  constructor(info: DTypeInfo, what: string, most: number) {
    this.#info = info;
    const domain = domainOf(info);
    this.#isWide = domain === 'wide' || domain === 'ticks';
    this.#pairs = new PairCodes(what, most);
  }

  get count(): number {
    return this.#pairs.count + (this.#null.code === -1 ? 0 : 1);
  }

  get codeOfNull(): number {
    return this.#null.code;
  }

  encode(values: ColumnValues, rowCount: number, out: Int32Array): void {
    const stored = values.kind === 'numbers' ? values.stored : null;
    if (stored !== null && !(stored instanceof Float64Array || stored instanceof Float32Array)) {
      this.#encodeIntegers(stored, values.validity, rowCount, out);
      return;
    }
    const words =
      values.kind === 'words'
        ? new Int32Array(values.words.buffer, values.words.byteOffset, 2 * rowCount)
        : this.#wordsOf(values, rowCount);
    const { validity } = values;
    const pairs = this.#pairs;
    for (let row = 0; row < rowCount; row += 1) {
      if (validity !== null && (((validity[row >>> 3] as number) >> (row & 7)) & 1) === 0) {
        if (this.#null.code === -1) this.#null.code = this.#pairs.count;
        out[row] = this.#null.code;
        continue;
      }
      const index = pairs.codeOf(words[2 * row] as number, words[2 * row + 1] as number);
      out[row] = this.#null.of(index);
    }
  }

  /** Small ones are looked up by what they are. */
  #encodeIntegers(integers: NarrowArray, validity: Uint8Array | null, rowCount: number, out: Int32Array): void {
    const pairs = this.#pairs;
    const small = (this.#small ??= new Int32Array(SMALL_INTEGERS).fill(-1));
    for (let row = 0; row < rowCount; row += 1) {
      if (validity !== null && (((validity[row >>> 3] as number) >> (row & 7)) & 1) === 0) {
        if (this.#null.code === -1) this.#null.code = pairs.count;
        out[row] = this.#null.code;
        continue;
      }
      const integer = integers[row] as number;
      const isSmall = integer >= 0 && integer < SMALL_INTEGERS;
      let index = isSmall ? (small[integer] as number) : -1;
      if (index === -1) {
        DOUBLE[0] = integer;
        index = pairs.codeOf(WORDS[0] as number, WORDS[1] as number);
        if (isSmall) small[integer] = index;
      }
      out[row] = this.#null.of(index);
    }
  }

  codeOf(value: Cell): number {
    if (value === null) {
      if (this.#null.code === -1) this.#null.code = this.#pairs.count;
      return this.#null.code;
    }
    if (this.#isWide) {
      if (typeof value !== 'bigint') throw stateError('bigints', value);
      WIDE[0] = value;
    } else {
      if (typeof value !== 'number' && typeof value !== 'boolean') throw stateError('numbers', value);
      const number = Number(value);
      DOUBLE[0] = number === number ? number + 0 : Number.NaN;
    }
    return this.#null.of(this.#pairs.codeOf(WORDS[0] as number, WORDS[1] as number));
  }

  valueOf(code: number): Cell {
    if (code === this.#null.code) return null;
    const index = this.#null.indexOf(code);
    const [low, high] = [this.#pairs.leftOf(index), this.#pairs.rightOf(index)];
    if (this.#isWide) return bigintOfWords(low, high, dtypeFacts(this.#info).isUnsigned);
    WORDS[0] = low;
    WORDS[1] = high;
    const number = DOUBLE[0] as number;
    return isBool(this.#info) ? number !== 0 : number;
  }

  /** One pattern for 0 and -0, and one for NaN. */
  #wordsOf(values: ColumnValues, rowCount: number): Int32Array {
    if (this.#numbers.length < rowCount) this.#numbers = new Float64Array(rowCount);
    const own = this.#numbers;
    if (values.kind === 'numbers') {
      const { numbers } = values;
      for (let row = 0; row < rowCount; row += 1) {
        const number = numbers[row] as number;
        own[row] = number === number ? number + 0 : Number.NaN;
      }
    }
    return new Int32Array(own.buffer, 0, 2 * rowCount);
  }
}

/** Values that a Map can tell apart. */
abstract class KeyCodes implements ValueCodes {
  readonly #what: string;
  readonly #most: number;
  readonly #codes = new Map<string, number>();
  readonly #values: Cell[] = [];
  #codeOfNull = -1;

  constructor(what: string, most: number) {
    this.#what = what;
    this.#most = most;
  }

  abstract encode(values: ColumnValues, rowCount: number, out: Int32Array): void;
  abstract codeOf(value: Cell): number;

  get count(): number {
    return this.#values.length;
  }

  get codeOfNull(): number {
    return this.#codeOfNull;
  }

  valueOf(code: number): Cell {
    return this.#values[code] ?? null;
  }

  protected nullCode(): number {
    if (this.#codeOfNull === -1) this.#codeOfNull = this.#values.push(null) - 1;
    return this.#codeOfNull;
  }

  /** @throws LimitError. */
  protected codeOfKey(key: string, value: Cell): number {
    let code = this.#codes.get(key);
    if (code === undefined) {
      if (this.#codes.size === this.#most) throw new LimitError('ERR_LIMIT', this.#what, this.#most, this.#most + 1);
      // Bytes are the source's memory, which is used again.
      code = this.#values.push(value instanceof Uint8Array ? value.slice() : value) - 1;
      this.#codes.set(key, code);
    }
    return code;
  }
}

class TextCodes extends KeyCodes {
  /** For every entry of the last dictionary its number; -1: it was not met yet. */
  #known = new Int32Array(0);
  #texts: readonly string[] | null = null;

  encode(values: ColumnValues, rowCount: number, out: Int32Array): void {
    if (values.kind !== 'codes') return;
    const { codes, texts, validity } = values;
    if (this.#texts !== texts) {
      this.#known = new Int32Array(texts.length).fill(-1);
      this.#texts = texts;
    }
    const known = this.#known;
    for (let row = 0; row < rowCount; row += 1) {
      const index = codes[row] as number;
      if (
        (validity !== null && (((validity[row >>> 3] as number) >> (row & 7)) & 1) === 0) ||
        index < 0 ||
        index >= known.length
      ) {
        out[row] = this.nullCode();
        continue;
      }
      let code = known[index] as number;
      if (code === -1) {
        const text = texts[index] as string;
        known[index] = code = this.codeOfKey(text, text);
      }
      out[row] = code;
    }
  }

  codeOf(value: Cell): number {
    if (value === null) return this.nullCode();
    if (typeof value !== 'string') throw stateError('text', value);
    return this.codeOfKey(value, value);
  }
}

class BytesCodes extends KeyCodes {
  encode(values: ColumnValues, rowCount: number, out: Int32Array): void {
    if (values.kind !== 'bytes') return;
    // Rows may share a value, of any length. The next block may have others in the same memory.
    const known = new Map<Uint8Array, number>();
    for (let row = 0; row < rowCount; row += 1) {
      const { validity } = values;
      const isNull = validity !== null && (((validity[row >>> 3] as number) >> (row & 7)) & 1) === 0;
      const value = isNull ? null : (values.values[row] ?? null);
      let code = value === null ? this.nullCode() : known.get(value);
      if (code === undefined) {
        code = this.codeOf(value);
        known.set(value as Uint8Array, code);
      }
      out[row] = code;
    }
  }

  codeOf(value: Cell): number {
    if (value === null) return this.nullCode();
    if (!(value instanceof Uint8Array)) throw stateError('bytes', value);
    return this.codeOfKey(textOfUnits(value), value);
  }
}
