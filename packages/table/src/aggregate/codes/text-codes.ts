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
import type { Texts } from './hashed-texts.ts';

class MappedTexts implements Texts {
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];

  get count(): number {
    return this.#texts.length;
  }

  numberOf(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.#texts.push(text) - 1;
      this.#numbers.set(text, number);
    }
    return number;
  }

  textOf(number: number): string {
    return this.#texts[number] ?? '';
  }
}

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
    const met = metTexts(codes, texts.ends.length);
    const numbers = new Uint32Array(met.order?.length ?? texts.ends.length);
    const number = (first: number, end: number): void => {
      if (first < end) this.#numberUtf8(texts, met.order?.subarray(first, end) ?? null, numbers.subarray(first, end));
    };
    // Null gets the number that is next where it is first met.
    const before = met.beforeNull ?? numbers.length;
    number(0, before);
    const codeOfNull = met.beforeNull === null ? -1 : this.#nullCode();
    number(before, numbers.length);
    const isPlain = met.rows === null && this.#null.code === -1;
    if (isPlain) out.set(numbers);
    else
      for (let row = 0, { rows } = met; row < (rows ?? numbers).length; row += 1) {
        const index = rows === null ? row : (rows[row] as number);
        out[row] = index === -1 ? codeOfNull : this.#null.of(numbers[index] as number);
      }
  }

  /** @param order those that are numbered; null: all. */
  #numberUtf8(texts: ByteTexts, order: Uint32Array | null, numbers: Uint32Array): void {
    const kernels = numberKernels();
    if (kernels !== null && this.#texts instanceof MappedTexts) this.#texts = new HashedTexts(kernels, this.#texts);
    const own = this.#texts;
    if (kernels !== null && own instanceof HashedTexts)
      own.numberAll(order === null ? texts : pickTexts(kernels, texts, order), numbers);
    else for (const i of numbers.keys()) numbers[i] = own.numberOf(utf8At(texts, order?.[i] ?? i));
    this.#checkCount();
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

/**
 * The codes that rows have, each once, and for each row which of these it is, -1 for a null; null: all, one by one.
 * `beforeNull`: how many of them are met before the first null; null where there is none.
 */
function metTexts(
  codes: Uint32Array | null,
  textCount: number,
): { readonly order: Uint32Array | null; readonly rows: Int32Array | null; readonly beforeNull: number | null } {
  if (codes === null) return { order: null, rows: null, beforeNull: null };
  const places = new Int32Array(textCount).fill(-1);
  const rows = new Int32Array(codes.length);
  const order = new Uint32Array(Math.min(codes.length, textCount));
  let count = 0;
  let beforeNull: number | null = null;
  for (let row = 0; row < rows.length; row += 1) {
    const code = codes[row] as number;
    if (code === NO_TEXT) {
      rows[row] = -1;
      beforeNull ??= count;
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
