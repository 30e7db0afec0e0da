// Pages of a column of byte strings -> codes into distinct texts: an entry of a dictionary is looked up once, whatever
// the number of rows.
import { allocateOutputs } from '@colkit/io';
import { ValidityBuilder } from '@colkit/table';
import type { Chunk } from '@colkit/table';
import { loadedStrings, pickStrings } from '../../../columns/byte-strings.ts';
import type { ByteStrings } from '../../../columns/vector.ts';
import type { FileLocation } from '../../../layout/location.ts';
import type { DecodedBytes } from '../../file/decoded-bytes.ts';
import type { Span } from '../../file/spans.ts';
import type { ColumnPage } from '../opened-page.ts';
import type { Collector } from '../fixed-collector.ts';
import { NULL_INDEX, copyNulls, rowValuesOf, positionOf, stringsAt, wantedCodes } from './row-strings.ts';
import { textNumbers } from './text-numbers.ts';
import type { TextNumbers } from './mapped-numbers.ts';

const UNMET = -2;
/** Of an entry that was met, until it has its number. */
const MET = -3;

/** Distinct texts get numbers in the order in which they are met. */
export class CodeCollector implements Collector {
  readonly #codes: Int32Array;
  readonly #validity: ValidityBuilder;
  readonly #texts: TextNumbers;
  #entries: ByteStrings | null = null;
  /** Behind -1, for null: for every entry of the last dictionary its number, or UNMET. */
  #numbers = new Int32Array(0);
  /** Entries of it that were not met. */
  #unmet = 0;

  /** @param transferable whether the codes must be an ordinary ArrayBuffer of their own. */
  constructor(count: number, transferable = false, decoded: DecodedBytes | null = null) {
    const [bytes = new Uint8Array(0)] = allocateOutputs([4 * count], { transferable });
    this.#codes = new Int32Array(bytes.buffer, bytes.byteOffset, count);
    this.#validity = new ValidityBuilder(count);
    this.#texts = textNumbers(count, transferable, decoded);
  }

  add(page: ColumnPage, span: Span): void {
    copyNulls(this.#validity, page, span);
    const { byRow, location, rowCount } = page;
    if (byRow?.entries.kind === 'strings') {
      const codes = wantedCodes({ byRow, rowCount }, span);
      this.#meet(byRow.entries, codes, location);
      this.#addCodes(codes, null, span);
      return;
    }
    const where = rowValuesOf(page, span);
    const { valueIndexes } = where;
    const strings = stringsAt(page, where);
    if (strings?.kind === 'coded') {
      const { buffer, byteOffset, length } = strings.codes;
      const codes = new Int32Array(buffer, byteOffset, length);
      this.#meet(strings.entries, codes, location);
      this.#addCodes(codes, valueIndexes, span);
      return;
    }
    const numbers = strings === null ? null : this.#texts.numbersOf(strings, location);
    const out = this.#codes;
    if (numbers !== null && valueIndexes === null && span.positions === null) {
      out.set(numbers, span.to);
      return;
    }
    const count = valueIndexes?.length ?? numbers?.length ?? 0;
    for (let i = 0; i < count; i++) {
      const index = valueIndexes === null ? i : (valueIndexes[i] as number);
      out[positionOf(span, i)] = index === NULL_INDEX || numbers === null ? -1 : (numbers[index] as number);
    }
  }

  finish(): Chunk {
    const codes = this.#codes;
    return this.#texts.finish({ rowCount: codes.length, codes, validity: this.#validity.finish() });
  }

  /** Gives entries of a dictionary that rows have for the first time their numbers; -1 stands for a null. */
  #meet(entries: ByteStrings, codes: Int32Array, location: FileLocation): void {
    if (this.#entries !== entries) {
      this.#numbers = new Int32Array(entries.count + 1).fill(UNMET);
      this.#numbers[0] = -1;
      this.#unmet = entries.count;
      this.#entries = entries;
    }
    const numbers = this.#numbers;
    const met: number[] = [];
    // Only until every entry was met does a row have to be asked whether its text is new.
    for (let i = 0; i < codes.length && met.length < this.#unmet; i++) {
      const code = codes[i] as number;
      if (numbers[code + 1] !== UNMET) continue;
      numbers[code + 1] = MET;
      met.push(code);
    }
    if (met.length === 0) return;
    this.#unmet -= met.length;
    const own = this.#texts.numbersOf(
      pickStrings(loadedStrings(entries) as ByteStrings, Uint32Array.from(met)),
      location,
    );
    for (const [i, code] of met.entries()) numbers[code + 1] = own[i] as number;
  }

  /** Rows by the codes of their values, or by those of the rows where there are no indexes of values. */
  #addCodes(codes: Int32Array, valueIndexes: Uint32Array | null, span: Span): void {
    const [out, numbers, { to, positions }] = [this.#codes, this.#numbers, span];
    if (valueIndexes === null && positions === null) {
      for (let i = 0; i < codes.length; i++) out[to + i] = numbers[(codes[i] as number) + 1] as number;
      return;
    }
    const count = valueIndexes?.length ?? codes.length;
    for (let i = 0; i < count; i++) {
      const index = valueIndexes === null ? i : (valueIndexes[i] as number);
      out[positionOf(span, i)] = index === NULL_INDEX ? -1 : (numbers[(codes[index] as number) + 1] as number);
    }
  }
}
