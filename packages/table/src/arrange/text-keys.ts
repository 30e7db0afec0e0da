// The texts of a column that is ordered by -> numbers, in no order until they are sorted. A text gets one where a row
// that is kept has it: of the others it is only known on which side of the last kept one they are.
import { numberKernels } from '@colkit/io';
import type { Work } from '@colkit/io/effects';
import { NO_TEXT, utf8At } from '../aggregate/column-values.ts';
import type { ColumnValues } from '../aggregate/column-values.ts';
import { compareBytes, utf8Of } from '../query/bind/literal-order.ts';
import type { ByteTexts } from '../values/known-texts.ts';
import { compareText } from '../values/text-order.ts';
import { gathered } from './gathered.ts';
import { KeptBytes } from './kept-bytes.ts';
import { KeptStrings } from './numbered-texts.ts';
import type { NumberedTexts, TextBlock } from './numbered-texts.ts';
import type { OrderKeys } from './order-keys.ts';
import type { RadixOrder } from './radix-order.ts';

const NULL = -1;
/** Whether a text comes before the last one kept. */
const UNKNOWN = 0;
const BEHIND = 1;
const EQUAL = 2;
const BEFORE = 3;

export class TextKeys implements OrderKeys {
  readonly #descending: boolean;
  /** Of kept rows. */
  readonly #numbers: Int32Array;
  #texts: NumberedTexts = new KeptStrings();
  #block: TextBlock = { texts: [] };
  #entryCount = 0;
  /** Of the rows of the block: where their texts are in it. */
  #entries = new Int32Array(0);
  #last: string | null = null;
  #lastBytes: Uint8Array | null = null;

  constructor(descending: boolean, capacity: number) {
    this.#descending = descending;
    this.#numbers = new Int32Array(capacity);
  }

  read(values: ColumnValues, rowCount: number): void {
    if (this.#entries.length < rowCount) this.#entries = new Int32Array(rowCount);
    const entries = this.#entries;
    if (values.kind === 'utf8') {
      const { codes, texts } = values;
      this.#block = blockOf(texts);
      this.#entryCount = texts.ends.length;
      for (let row = 0; row < rowCount; row += 1) {
        const entry = codes === null ? row : (codes[row] as number);
        entries[row] = entry === NO_TEXT ? NULL : entry;
      }
    }
    if (values.kind !== 'codes') return;
    const { codes, utf8, validity } = values;
    this.#block = values;
    const entryCount = utf8?.ends.length ?? values.texts.length;
    this.#entryCount = entryCount;
    for (let row = 0; row < rowCount; row += 1) {
      const entry = codes[row] as number;
      const isNull = validity !== null && (((validity[row >>> 3] as number) >> (row & 7)) & 1) === 0;
      entries[row] = isNull || entry < 0 || entry >= entryCount ? NULL : entry;
    }
  }

  pick(rowCount: number, orEqual: boolean, picks: Int32Array): number {
    const standings = new Uint8Array(this.#entryCount);
    const ofNull = this.#last === null ? EQUAL : BEHIND;
    let count = 0;
    for (let row = 0; row < rowCount; row += 1) {
      const entry = this.#entries[row] as number;
      let standing = entry === NULL ? ofNull : (standings[entry] as number);
      if (standing === UNKNOWN) standings[entry] = standing = this.#standingOf(entry);
      if (standing === BEHIND || (standing === EQUAL && !orEqual)) continue;
      picks[count] = row;
      count += 1;
    }
    return count;
  }

  append(picks: Int32Array | null, count: number, at: number): void {
    const met = new Met(this.#entryCount, count);
    for (let index = 0; index < count; index += 1) {
      const entry = this.#entries[picks === null ? index : (picks[index] as number)] as number;
      this.#numbers[at + index] = entry === NULL ? NULL : met.placeOf(entry);
    }
    const numbers = this.#textsFor(this.#block).number(this.#block, met.all());
    for (let index = at; index < at + count; index += 1) {
      const place = this.#numbers[index] as number;
      if (place !== NULL) this.#numbers[index] = numbers[place] as number;
    }
  }

  *sort(order: RadixOrder, count: number): Work<void> {
    const sorted = yield* this.#texts.sorted();
    const ranks = new Uint32Array(sorted.length);
    for (let rank = 0; rank < sorted.length; rank += 1)
      ranks[sorted[rank] as number] = this.#descending ? sorted.length - rank : rank;
    const words = new Uint32Array(count);
    for (let index = 0; index < count; index += 1) {
      const number = this.#numbers[index] as number;
      words[index] = number === NULL ? sorted.length + 1 : (ranks[number] as number);
    }
    yield* order.by(words);
  }

  keep(indexes: Int32Array): void {
    const numbers = gathered(this.#numbers, indexes);
    const last = numbers.at(-1) ?? NULL;
    this.#last = last === NULL ? null : this.#texts.textOf(last);
    this.#lastBytes = this.#last === null ? null : utf8Of(this.#last);
    const met = new Met(this.#texts.count, numbers.length);
    for (let index = 0; index < numbers.length; index += 1) {
      const number = numbers[index] as number;
      this.#numbers[index] = number === NULL ? NULL : met.placeOf(number);
    }
    this.#texts = this.#texts.only(met.all());
  }

  /** What numbers texts that come as those of a block do: once some came without UTF-8, all are texts. */
  #textsFor({ utf8 }: TextBlock): NumberedTexts {
    const kernels = utf8 === undefined ? null : numberKernels();
    const isBytes = this.#texts instanceof KeptBytes;
    if (isBytes !== (kernels !== null)) {
      if (isBytes) this.#texts = new KeptStrings(this.#texts.all());
      else if (kernels !== null && this.#texts.count === 0) this.#texts = new KeptBytes(kernels);
    }
    return this.#texts;
  }

  #standingOf(entry: number): number {
    if (this.#last === null) return BEFORE;
    const { utf8 } = this.#block;
    const order =
      utf8 === undefined || this.#lastBytes === null
        ? compareText(this.#block.texts[entry] as string, this.#last)
        : compareBytes(
            utf8.bytes.subarray(entry === 0 ? utf8.start : utf8.ends[entry - 1], utf8.ends[entry]),
            this.#lastBytes,
          );
    if (order === 0) return EQUAL;
    return order < 0 !== this.#descending ? BEFORE : BEHIND;
  }
}

function blockOf(utf8: ByteTexts): TextBlock {
  return {
    utf8,
    get texts() {
      return Array.from(utf8.ends, (_, index) => utf8At(utf8, index));
    },
  };
}

/** Numbers below a limit, each at the place where it was first met. */
class Met {
  readonly #places: Int32Array;
  readonly #order: Uint32Array;
  #count = 0;

  /** @param most how often it is asked. */
  constructor(limit: number, most: number) {
    this.#places = new Int32Array(limit).fill(-1);
    this.#order = new Uint32Array(Math.min(limit, most));
  }

  placeOf(number: number): number {
    let place = this.#places[number] as number;
    if (place === -1) {
      place = this.#count;
      this.#places[number] = place;
      this.#order[place] = number;
      this.#count += 1;
    }
    return place;
  }

  all(): Uint32Array {
    return this.#order.subarray(0, this.#count);
  }
}
