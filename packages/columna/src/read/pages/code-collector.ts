// Pages of a column of byte strings -> codes into distinct texts: an entry of a dictionary is looked up once, whatever
// the number of rows.
import { allocateOutputs } from '@colkit/io';
import { ValidityBuilder } from '@colkit/table';
import type { Chunk } from '@colkit/table';
import type { ByteStrings } from '../../columns/vector.ts';
import type { DecodedBytes } from '../file/decoded-bytes.ts';
import type { Span } from '../file/spans.ts';
import type { ColumnPage } from './column-page.ts';
import type { Collector } from './fixed-collector.ts';
import { NULL_INDEX, copyNulls, rowValuesOf, positionOf, stringsAt, wantedCodes } from './row-strings.ts';
import { askedStrings, decodeEntries, decodeTexts } from './texts.ts';

const UNMET = -2;

/** out[to …] = numbers[codes[…] + 1]. */
function translate(codes: Int32Array, numbers: Int32Array, out: Int32Array, to: number): void {
  for (let i = 0; i < codes.length; i++) out[to + i] = numbers[(codes[i] as number) + 1] as number;
}

/** Distinct texts get numbers in the order in which they are met. */
export class CodeCollector implements Collector {
  readonly #codes: Int32Array;
  readonly #validity: ValidityBuilder;
  readonly #dictionary: string[] = [];
  readonly #known = new Map<string, number>();
  #entries: ByteStrings | null = null;
  /** Behind -1, for null: for every entry of the last dictionary its number, or UNMET. */
  #numbers = new Int32Array(0);
  /** Entries of it that were not met. */
  #unmet = 0;
  #texts: readonly string[] = [];
  readonly #decoded: DecodedBytes | null;

  /** @param transferable whether the codes must be an ordinary ArrayBuffer of their own. */
  constructor(count: number, transferable = false, decoded: DecodedBytes | null = null) {
    this.#decoded = decoded;
    const [bytes = new Uint8Array(0)] = allocateOutputs([4 * count], { transferable });
    this.#codes = new Int32Array(bytes.buffer, bytes.byteOffset, count);
    this.#validity = new ValidityBuilder(count);
  }

  add(page: ColumnPage, span: Span): void {
    const out = this.#codes;
    const { start, end, picks, to, positions } = span;
    const { byRow } = page;
    if (byRow !== null && byRow.entries.kind === 'strings' && this.#enters(byRow.entries, page)) {
      this.#addByRow(page, wantedCodes({ byRow, rowCount: page.rowCount }, span), span);
      return;
    }
    const where = rowValuesOf(page, span);
    const { valueIndexes } = where;
    let strings = stringsAt(page, where);
    if (strings?.kind === 'coded' && !this.#enters(strings.entries, page)) {
      strings = askedStrings(strings);
      this.#enter(strings.entries, decodeTexts(strings.entries, page.location, this.#decoded));
    }
    const texts = strings?.kind === 'strings' ? decodeTexts(strings, page.location, this.#decoded) : [];
    const codes = strings?.kind === 'coded' ? strings.codes : null;
    if (codes !== null && positions === null) this.#addCoded(codes, valueIndexes, to);
    else {
      const count = picks === null ? end - start : picks.length;
      for (let i = 0; i < count; i++) {
        const index = valueIndexes === null ? i : (valueIndexes[i] as number);
        const position = positionOf(span, i);
        if (index === NULL_INDEX) out[position] = -1;
        else
          out[position] =
            codes === null ? this.#numberOf(texts[index] as string) : this.#numberOfEntry(codes[index] as number);
      }
    }
    copyNulls(this.#validity, page, span);
  }

  /** Codes of the wanted rows, -1 for a null. */
  #addByRow(page: ColumnPage, codes: Int32Array, span: Span): void {
    // Only until every entry was met does a row have to be asked whether its text is new.
    for (let i = 0; this.#unmet > 0 && i < codes.length; i++)
      if (codes[i] !== -1) this.#numberOfEntry(codes[i] as number);
    if (span.positions === null) translate(codes, this.#numbers, this.#codes, span.to);
    else
      for (let i = 0; i < codes.length; i++)
        this.#codes[positionOf(span, i)] = this.#numbers[(codes[i] as number) + 1] as number;
    copyNulls(this.#validity, page, span);
  }

  /** The common case, in a loop of its own: after the first rows every entry has its number. */
  #addCoded(codes: Uint32Array, valueIndexes: Uint32Array | null, to: number): void {
    const out = this.#codes;
    const numbers = this.#numbers;
    if (valueIndexes === null) {
      for (let i = 0; i < codes.length; i++) {
        const number = numbers[(codes[i] as number) + 1] as number;
        out[to + i] = number === UNMET ? this.#numberOfEntry(codes[i] as number) : number;
      }
      return;
    }
    for (let i = 0; i < valueIndexes.length; i++) {
      const index = valueIndexes[i] as number;
      if (index === NULL_INDEX) {
        out[to + i] = -1;
        continue;
      }
      const number = numbers[(codes[index] as number) + 1] as number;
      out[to + i] = number === UNMET ? this.#numberOfEntry(codes[index] as number) : number;
    }
  }

  finish(): Chunk {
    return {
      kind: 'dictionary',
      rowCount: this.#codes.length,
      codes: this.#codes,
      dictionary: this.#dictionary,
      validity: this.#validity.finish(),
    };
  }

  /** False where one of the entries is ill-formed. */
  #enters(entries: ByteStrings, page: ColumnPage): boolean {
    if (this.#entries === entries) return true;
    const texts = decodeEntries(entries, page.location, this.#decoded);
    if (texts !== null) this.#enter(entries, texts);
    return texts !== null;
  }

  #enter(entries: ByteStrings, texts: readonly string[]): void {
    this.#texts = texts;
    this.#numbers = new Int32Array(entries.count + 1).fill(UNMET);
    this.#numbers[0] = -1;
    this.#unmet = entries.count;
    this.#entries = entries;
  }

  #numberOfEntry(code: number): number {
    const number = this.#numbers[code + 1] as number;
    if (number !== UNMET) return number;
    this.#unmet--;
    return (this.#numbers[code + 1] = this.#numberOf(this.#texts[code] as string));
  }

  #numberOf(text: string): number {
    let number = this.#known.get(text);
    if (number === undefined) {
      number = this.#dictionary.push(text) - 1;
      this.#known.set(text, number);
    }
    return number;
  }
}
