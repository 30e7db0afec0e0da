// Texts -> numbers: in a Map as long as they come as texts of the language, in the addon's table where they come as
// UTF-8.
import { LimitError, numberKernels } from '@colkit/io';
import type { ByteTexts } from '../../values/known-texts.ts';
import { NO_TEXT, utf8At } from '../column-values.ts';
import type { Cell, ColumnValues } from '../column-values.ts';
import { stateError } from '../state.ts';
import { NullCode } from './codes.ts';
import type { ValueCodes } from './codes.ts';
import { HashedTexts, pickTexts } from './hashed-texts.ts';
import { MappedTexts } from './mapped-texts.ts';

export class TextCodes implements ValueCodes {
  readonly #what: string;
  readonly #most: number;
  readonly #null = new NullCode();
  #texts: MappedTexts | HashedTexts = new MappedTexts();
  /** For every entry of the last dictionary its number; -1: it was not met yet. */
  #known = new Int32Array(0);
  #entries: readonly string[] | null = null;

  constructor(what: string, most: number) {
    this.#what = what;
    this.#most = most;
  }

  get count(): number {
    return this.#texts.count + (this.#null.code === -1 ? 0 : 1);
  }

  get codeOfNull(): number {
    return this.#null.code;
  }

  valueOf(code: number): Cell {
    return code === this.#null.code ? null : this.#texts.textOf(this.#null.indexOf(code));
  }

  codeOf(value: Cell): number {
    if (value === null) return this.#nullCode();
    if (typeof value !== 'string') throw stateError('text', value);
    const index = this.#texts.numberOf(value);
    this.#checkCount();
    return this.#null.of(index);
  }

  encode(values: ColumnValues, rowCount: number, out: Int32Array): void {
    if (values.kind === 'utf8') this.#encodeUtf8(values.texts, values.codes, out);
    if (values.kind !== 'codes') return;
    const { codes, texts, validity } = values;
    if (this.#entries !== texts) {
      this.#known = new Int32Array(texts.length).fill(-1);
      this.#entries = texts;
    }
    const known = this.#known;
    for (let row = 0; row < rowCount; row += 1) {
      const entry = codes[row] as number;
      if (
        (validity !== null && (((validity[row >>> 3] as number) >> (row & 7)) & 1) === 0) ||
        entry < 0 ||
        entry >= known.length
      ) {
        out[row] = this.#nullCode();
        continue;
      }
      let index = known[entry] as number;
      if (index === -1) {
        known[entry] = index = this.#texts.numberOf(texts[entry] as string);
        this.#checkCount();
      }
      out[row] = this.#null.of(index);
    }
  }

  #encodeUtf8(texts: ByteTexts, codes: Uint32Array | null, out: Int32Array): void {
    const kernels = numberKernels();
    if (kernels !== null && this.#texts instanceof MappedTexts) this.#texts = new HashedTexts(kernels, this.#texts);
    const met = metTexts(codes, texts.ends.length);
    const count = met.order?.length ?? texts.ends.length;
    const numbers = new Uint32Array(count);
    if (met.beforeNull === -1 || this.#null.code !== -1) this.#numberUtf8(texts, met.order, numbers, 0, count);
    else {
      // Null gets the number that is next where it is first met.
      this.#numberUtf8(texts, met.order, numbers, 0, met.beforeNull);
      this.#nullCode();
      this.#numberUtf8(texts, met.order, numbers, met.beforeNull, count);
    }
    this.#checkCount();
    const isPlain = met.rows === null && this.#null.code === -1;
    if (isPlain) out.set(numbers);
    else
      for (let row = 0, { rows } = met; row < (rows ?? numbers).length; row += 1) {
        const index = rows === null ? row : (rows[row] as number);
        out[row] = index === -1 ? this.#null.code : this.#null.of(numbers[index] as number);
      }
  }

  /** Texts [from, to), of `order` where there is one. */
  #numberUtf8(texts: ByteTexts, order: Uint32Array | null, numbers: Uint32Array, from: number, to: number): void {
    const kernels = numberKernels();
    const own = this.#texts;
    if (kernels === null || !(own instanceof HashedTexts))
      for (let i = from; i < to; i += 1) numbers[i] = own.numberOf(utf8At(texts, order?.[i] ?? i));
    else if (order === null) own.numberAll(texts, numbers);
    else if (from < to) own.numberAll(pickTexts(kernels, texts, order.subarray(from, to)), numbers.subarray(from, to));
  }

  #nullCode(): number {
    if (this.#null.code === -1) this.#null.code = this.#texts.count;
    return this.#null.code;
  }

  /** @throws LimitError. */
  #checkCount(): void {
    if (this.#texts.count > this.#most) throw new LimitError('ERR_LIMIT', this.#what, this.#most, this.#most + 1);
  }
}

interface MetTexts {
  /** The codes that rows have, each once, as they are met; null: all texts, one by one. */
  readonly order: Uint32Array | null;
  /** For each row which of these it is, -1 for a null; null: the first row the first one, and so on. */
  readonly rows: Int32Array | null;
  /** How many are met before the first null; -1: there is none. */
  readonly beforeNull: number;
}

function metTexts(codes: Uint32Array | null, textCount: number): MetTexts {
  if (codes === null) return { order: null, rows: null, beforeNull: -1 };
  const places = new Int32Array(textCount).fill(-1);
  const rows = new Int32Array(codes.length);
  const order = new Uint32Array(Math.min(codes.length, textCount));
  let [count, beforeNull] = [0, -1];
  for (let row = 0; row < rows.length; row += 1) {
    const code = codes[row] as number;
    if (code === NO_TEXT) {
      rows[row] = -1;
      if (beforeNull === -1) beforeNull = count;
      continue;
    }
    if (places[code] === -1) {
      places[code] = count;
      order[count] = code;
      count += 1;
    }
    rows[row] = places[code] as number;
  }
  return { order: order.subarray(0, count), rows, beforeNull };
}
