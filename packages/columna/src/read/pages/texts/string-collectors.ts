// Pages of a column of byte strings -> strings or byte arrays. Entries of a dictionary become strings once, whatever
// the number of rows.
import { arrayFor, ValidityBuilder } from '@colkit/table';
import type { Chunk } from '@colkit/table';
import { loadedStrings, pickedStrings, stringAt, wantAllEntries } from '../../../columns/byte-strings.ts';
import type { ByteStrings, Strings } from '../../../columns/vector.ts';
import type { ColumnPage } from '../opened-page.ts';
import type { DecodedBytes } from '../../file/decoded-bytes.ts';
import type { Collector } from '../fixed-collector.ts';
import { RowRank, isPresent } from '../../file/rank.ts';
import { NULL_INDEX, copyNulls, rowValuesOf, positionOf, stringsAt, wantedCodes } from './row-strings.ts';
import { spanCount } from '../../file/spans.ts';
import type { Span } from '../../file/spans.ts';
import { askedStrings, decodeEntries, decodeTexts } from './texts.ts';

/**
 * Distinct texts that are interned at most, and rows that there must be for each of them: it takes as long as some
 * fifty rows.
 */
const MOST_INTERNED = 4096;
const ROWS_PER_INTERNED = 64;

/**
 * The same text as the engine keeps names of properties: once, and with the long-lived objects. An array of millions of
 * pointers to young strings would be looked through by the collector again and again, and every store into it noted.
 */
function interned(text: string): string {
  return Object.keys({ [text]: 0 })[0] ?? text;
}

/** Entries that were decoded last: a chunk's dictionary serves all its pages. */
class EntryTexts {
  #mostInterned: number;
  readonly #decoded: DecodedBytes | null;
  #entries: ByteStrings | null = null;
  #texts: readonly string[] = [];

  /** @param rowCount of the result: what is not met often is not worth interning. */
  constructor(rowCount: number, decoded: DecodedBytes | null) {
    this.#decoded = decoded;
    this.#mostInterned = Math.min(MOST_INTERNED, rowCount / ROWS_PER_INTERNED);
  }

  has(entries: ByteStrings): boolean {
    return this.#entries === entries;
  }

  /** Null where one of them is ill-formed. */
  of(entries: ByteStrings, page: ColumnPage): readonly string[] | null {
    if (this.#entries !== entries) {
      const texts = decodeEntries(entries, page.location, this.#decoded);
      if (texts === null) return null;
      const isMetOften = texts.length <= this.#mostInterned;
      // Each page may have a dictionary of its own.
      if (isMetOften) this.#mostInterned -= texts.length;
      this.#texts = isMetOften ? texts.map(interned) : texts;
      this.#entries = entries;
    }
    return this.#texts;
  }
}

export class TextCollector implements Collector {
  readonly #values: string[];
  readonly #validity: ValidityBuilder;
  readonly #entries: EntryTexts;
  readonly #decoded: DecodedBytes | null;

  constructor(count: number, decoded: DecodedBytes | null = null) {
    this.#entries = new EntryTexts(count, decoded);
    this.#decoded = decoded;
    this.#values = arrayFor<string>(count);
    this.#validity = new ValidityBuilder(count);
  }

  add(page: ColumnPage, span: Span): void {
    const { to, positions } = span;
    const { validity, byRow } = page;
    if (byRow !== null && byRow.entries.kind === 'strings' && this.#wantsAll(byRow.entries, spanCount(span))) {
      const texts = this.#entries.of(byRow.entries, page);
      if (texts !== null) {
        const codes = wantedCodes({ byRow, rowCount: page.rowCount }, span);
        this.#addByRow(page, codes, ['', ...texts], span);
        return;
      }
    }
    if (validity !== null && span.picks === null && positions === null) {
      this.#addSparse(page, validity, span);
      return;
    }
    const where = rowValuesOf(page, span);
    const { valueIndexes } = where;
    const { texts, codes } = this.#textsOf(page, stringsAt(page, where));
    if (valueIndexes === null) copyRun(texts, codes, this.#values, to);
    else {
      for (let i = 0; i < valueIndexes.length; i++) {
        const index = valueIndexes[i] as number;
        this.#values[positionOf(span, i)] =
          index === NULL_INDEX ? '' : (texts[codes === null ? index : (codes[index] as number)] as string);
      }
    }
    copyNulls(this.#validity, page, span);
  }

  /** Codes of the wanted rows: a null's leads to the text before the first one. */
  #addByRow(page: ColumnPage, codes: Int32Array, texts: readonly string[], span: Span): void {
    if (span.positions === null) copyByRow(texts, codes, this.#values, span.to);
    else
      for (let i = 0; i < codes.length; i++)
        this.#values[positionOf(span, i)] = texts[(codes[i] as number) + 1] as string;
    copyNulls(this.#validity, page, span);
  }

  /** Rows that follow each other, some of them null. */
  #addSparse(page: ColumnPage, validity: Uint8Array, { start, end, to }: Span): void {
    const rank = new RowRank(validity, page.rowCount);
    const { texts, codes } = this.#textsOf(page, loadedStrings(page.strings(rank.before(start), rank.before(end))));
    if (codes === null) spreadTexts(texts, validity, start, end, this.#values, to);
    else spreadCoded(texts, codes, validity, start, end, this.#values, to);
    this.#validity.copy(validity, start, end, to);
  }

  /** Whether so many rows make it worth while to have all entries of a dictionary as texts, or these are there. */
  #wantsAll(entries: ByteStrings, rowCount: number): boolean {
    return this.#entries.has(entries) || wantAllEntries(entries, rowCount);
  }

  /** Texts, or codes into texts. */
  #textsOf(
    page: ColumnPage,
    strings: Strings | null,
  ): { readonly texts: readonly string[]; readonly codes: Uint32Array | null } {
    if (strings === null) return { texts: [], codes: null };
    const isSparse = strings.kind === 'coded' && !this.#wantsAll(strings.entries, strings.codes.length);
    const found = isSparse ? pickedStrings(strings.entries, strings.codes) : strings;
    if (found.kind !== 'coded') return { texts: decodeTexts(found, page.location, this.#decoded), codes: null };
    const all = this.#entries.of(found.entries, page);
    if (all !== null) return { texts: all, codes: found.codes };
    const { entries, codes } = askedStrings(found);
    return { texts: decodeTexts(entries, page.location, this.#decoded), codes };
  }

  finish(): Chunk {
    return { kind: 'values', rowCount: this.#values.length, values: this.#values, validity: this.#validity.finish() };
  }
}

function copyByRow(texts: readonly string[], codes: Int32Array, values: string[], to: number): void {
  for (let i = 0; i < codes.length; i++) values[to + i] = texts[(codes[i] as number) + 1] as string;
}

function copyRun(texts: readonly string[], codes: Uint32Array | null, values: string[], to: number): void {
  if (codes === null) for (let i = 0; i < texts.length; i++) values[to + i] = texts[i] as string;
  else for (let i = 0; i < codes.length; i++) values[to + i] = texts[codes[i] as number] as string;
}

function spreadTexts(
  texts: readonly string[],
  validity: Uint8Array,
  start: number,
  end: number,
  values: string[],
  to: number,
): void {
  for (let row = start, next = 0; row < end; row++)
    values[to + row - start] = isPresent(validity, row) ? (texts[next++] as string) : '';
}

function spreadCoded(
  texts: readonly string[],
  codes: Uint32Array,
  validity: Uint8Array,
  start: number,
  end: number,
  values: string[],
  to: number,
): void {
  const extended = [...texts, ''];
  const empty = texts.length;
  const { length } = codes;
  let row = start;
  let at = to;
  // Which row is null cannot be predicted, so it is arithmetic and not a branch: a null reads the text behind the last
  // one.
  for (let next = 0; row < end && next < length; row++, at++) {
    const present = ((validity[row >>> 3] as number) >>> (row & 7)) & 1;
    values[at] = extended[empty + (((codes[next] as number) - empty) & -present)] as string;
    next += present;
  }
  for (; row < end; row++, at++) values[at] = '';
}

/**
 * Rows with the same entry of a dictionary share its bytes, as they would share a text: a file says an entry once, and
 * for each row a few bits.
 */
export class BinaryCollector implements Collector {
  readonly #values: Uint8Array[];
  readonly #validity: ValidityBuilder;
  #entries: ByteStrings | null = null;
  /** Of each entry of the last dictionary that was met. */
  #copies: (Uint8Array | undefined)[] = [];
  readonly #decoded: DecodedBytes | null;

  constructor(count: number, decoded: DecodedBytes | null = null) {
    this.#decoded = decoded;
    this.#values = arrayFor<Uint8Array>(count);
    this.#validity = new ValidityBuilder(count);
  }

  add(page: ColumnPage, span: Span): void {
    const { start, end, picks } = span;
    const where = rowValuesOf(page, span);
    const { valueIndexes } = where;
    const strings = stringsAt(page, where);
    const count = picks === null ? end - start : picks.length;
    for (let i = 0; i < count; i++) {
      const index = valueIndexes === null ? i : (valueIndexes[i] as number);
      this.#values[positionOf(span, i)] =
        index === NULL_INDEX || strings === null ? new Uint8Array(0) : this.#bytesOf(strings, index);
    }
    copyNulls(this.#validity, page, span);
  }

  /** A copy: the page's memory is used again. */
  #bytesOf(strings: Strings, index: number): Uint8Array {
    if (strings.kind === 'strings') return this.#copy(strings, index);
    if (this.#entries !== strings.entries) {
      this.#entries = strings.entries;
      this.#copies = [];
    }
    const code = strings.codes[index] as number;
    return (this.#copies[code] ??= this.#copy(strings.entries, code));
  }

  #copy(strings: ByteStrings, index: number): Uint8Array {
    const bytes = stringAt(strings, index);
    this.#decoded?.add(bytes.length);
    return bytes.slice();
  }

  finish(): Chunk {
    return { kind: 'values', rowCount: this.#values.length, values: this.#values, validity: this.#validity.finish() };
  }
}
