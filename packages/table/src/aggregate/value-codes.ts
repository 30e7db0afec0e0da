// Values of a column -> numbers from 0 on, in the order in which the values are first met; null is one of them. 0 and
// -0 are one value, and so is NaN. Text is looked up once for each entry of a dictionary, not once a row.
import { assertNever, dtypeFacts, isBool, numberKernels } from '@colkit/io';
import type { DTypeInfo } from '@colkit/io';
import type { NarrowArray } from '../query/kernels/narrow-array.ts';
import { isValid } from '../validity.ts';
import { bigintOfWords, domainOf } from './column-values.ts';
import { checkGrouped } from './value-checks.ts';
import type { Cell, ColumnValues } from './column-values.ts';
import { NullCode } from './codes/codes.ts';
import type { ValueCodes } from './codes/codes.ts';
import { BytesCodes } from './codes/bytes-codes.ts';
import { NO_PAIR, PairCodes } from './codes/pair-codes.ts';
import { TextCodes } from './codes/text-codes.ts';
import { stateError } from './state.ts';

/** One value of 64 bits, as what it may be. */
const WORDS = new Int32Array(2);
const DOUBLE = new Float64Array(WORDS.buffer);
const WIDE = new BigInt64Array(WORDS.buffer);
/** As many as are worth a table. */
const SMALL_INTEGERS = 2 ** 14;
/** Fewer rows are looked up here. */
const WORTH_A_CALL = 64;

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
      if (this.#encodeIntegers(stored, values.validity, rowCount, out)) return;
    }
    const words = values.kind === 'words' ? values.words : this.#wordsOf(values, rowCount);
    this.#encodeWords(words, values.validity, rowCount, out);
  }

  #encodeWords(words: Uint32Array, validity: Uint8Array | null, rowCount: number, out: Int32Array): void {
    const pairs = this.#pairs;
    const firstNull = validity === null || this.#null.code !== -1 ? rowCount : firstUnset(validity, rowCount);
    if (firstNull < rowCount) {
      // Null gets the number that is next where it is first met.
      pairs.encode(words.subarray(0, 2 * firstNull), null, null, out);
      this.#null.code = pairs.count;
    }
    pairs.encode(words.subarray(0, 2 * rowCount), null, validity, out);
    const { code } = this.#null;
    if (code === -1) return;
    for (let row = 0; row < rowCount; row += 1) {
      const index = out[row] as number;
      out[row] = index === NO_PAIR ? code : this.#null.of(index);
    }
  }

  /** Small ones are looked up by what they are; false where there are others, which the addon is faster with. */
  #encodeIntegers(integers: NarrowArray, validity: Uint8Array | null, rowCount: number, out: Int32Array): boolean {
    const isSearchedHere = rowCount < WORTH_A_CALL || numberKernels() === null;
    // Filling that many takes longer than to search for few.
    if (rowCount >= WORTH_A_CALL) this.#small ??= new Int32Array(SMALL_INTEGERS).fill(-1);
    const small = this.#small;
    for (let row = 0; row < rowCount; row += 1) {
      if (!isValid(validity, row)) {
        out[row] = this.codeOf(null);
        continue;
      }
      const integer = integers[row] as number;
      const isSmall = small !== null && integer >= 0 && integer < SMALL_INTEGERS;
      if (!isSmall && !isSearchedHere) return false;
      let index = isSmall ? (small[integer] as number) : -1;
      if (index === -1) {
        DOUBLE[0] = integer;
        index = this.#pairs.codeOf(WORDS[0] as number, WORDS[1] as number);
        if (isSmall) small[integer] = index;
      }
      out[row] = this.#null.of(index);
    }
    return true;
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
  #wordsOf(values: ColumnValues, rowCount: number): Uint32Array {
    if (this.#numbers.length < rowCount) this.#numbers = new Float64Array(rowCount);
    const own = this.#numbers;
    if (values.kind === 'numbers') {
      const { numbers } = values;
      for (let row = 0; row < rowCount; row += 1) {
        const number = numbers[row] as number;
        own[row] = number === number ? number + 0 : Number.NaN;
      }
    }
    return new Uint32Array(own.buffer, 0, 2 * rowCount);
  }
}

/** The first row whose bit is 0; `rowCount` where there is none. */
function firstUnset(validity: Uint8Array, rowCount: number): number {
  for (let row = 0; row < rowCount; row += 1) if (!isValid(validity, row)) return row;
  return rowCount;
}
