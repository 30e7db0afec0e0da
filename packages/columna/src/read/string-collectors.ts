// Pages of a column of byte strings -> strings, byte arrays, or codes into distinct strings. Entries of a dictionary become strings once, whatever the number of rows.
import type { ColumnData } from '@colkit/table';
import type { ByteStrings } from '../columns/vector.ts';
import type { ColumnPage } from './column-page.ts';
import type { Collector } from './fixed-collector.ts';
import { ResultValidity, RowRank, isPresent } from './rank.ts';
import type { Span } from './spans.ts';
import { decodeTexts } from './texts.ts';

/** Entries that were decoded last: a chunk's dictionary serves all its pages. */
class EntryTexts {
  #entries: ByteStrings | null = null;
  #texts: readonly string[] = [];

  of(entries: ByteStrings, page: ColumnPage): readonly string[] {
    if (this.#entries !== entries) {
      this.#texts = decodeTexts(entries, page.place);
      this.#entries = entries;
    }
    return this.#texts;
  }
}

/** Stands for a null among places of values. */
const NULL_PLACE = 0xffffffff;

/** The values that a span needs, and for each of its rows the place of its value among them. */
interface Places {
  readonly first: number;
  readonly last: number;
  /** NULL_PLACE for a null; null: the rows are the values, one after another. */
  readonly places: Uint32Array | null;
}

function placesOf(page: ColumnPage, { start, end, picks }: Span): Places {
  const { validity, valueCount } = page;
  const count = picks === null ? end - start : picks.length;
  if (valueCount === 0) return { first: 0, last: 0, places: new Uint32Array(count).fill(NULL_PLACE) };
  if (validity === null) return { first: start, last: end, places: picks === null ? null : picks.map((row) => row - start) };
  const rank = new RowRank(validity, page.rowCount);
  const [first, last] = [rank.before(start), rank.before(end)];
  const places = new Uint32Array(count);
  if (picks === null) {
    // Which row is null cannot be predicted, so it is arithmetic and not a branch: all bits set for a null.
    for (let i = 0, row = start, next = 0; i < count; i++, row++) {
      const present = ((validity[row >>> 3] as number) >>> (row & 7)) & 1;
      places[i] = next | (present - 1);
      next += present;
    }
  } else for (let i = 0; i < count; i++) places[i] = isPresent(validity, picks[i] as number) ? rank.before(picks[i] as number) - first : NULL_PLACE;
  return { first, last, places };
}

/** Marks the nulls of a span in the result. */
function markNulls(result: ResultValidity, page: ColumnPage, { start, end, picks, to, positions }: Span, places: Uint32Array | null): void {
  if (places === null || (page.validity === null && page.valueCount > 0)) return;
  if (picks === null && page.validity !== null) {
    result.copy(page.validity, start, end, to);
    return;
  }
  for (let i = 0; i < places.length; i++) if (places[i] === NULL_PLACE) result.setNull(positions === null ? to + i : (positions[i] as number));
}

export class TextCollector implements Collector {
  readonly #values: string[];
  readonly #validity: ResultValidity;
  readonly #entries = new EntryTexts();

  constructor(count: number) {
    this.#values = new Array<string>(count);
    this.#validity = new ResultValidity(count);
  }

  add(page: ColumnPage, span: Span): void {
    const { to, positions } = span;
    const { first, last, places } = placesOf(page, span);
    const strings = first === last ? null : page.strings(first, last);
    const codes = strings?.kind === 'coded' ? strings.codes : null;
    const texts = strings === null ? [] : strings.kind === 'coded' ? this.#entries.of(strings.entries, page) : decodeTexts(strings, page.place);
    if (places === null) copyRun(texts, codes, this.#values, to);
    else if (positions === null) copyPlaces(texts, codes, places, this.#values, to);
    else {
      for (let i = 0; i < places.length; i++) {
        const place = places[i] as number;
        this.#values[positions[i] as number] = place === NULL_PLACE ? '' : (texts[codes === null ? place : (codes[place] as number)] as string);
      }
    }
    markNulls(this.#validity, page, span, places);
  }

  finish(): ColumnData {
    return { kind: 'values', values: this.#values, validity: this.#validity.finish() };
  }
}

function copyRun(texts: readonly string[], codes: Uint32Array | null, values: string[], to: number): void {
  if (codes === null) for (let i = 0; i < texts.length; i++) values[to + i] = texts[i] as string;
  else for (let i = 0; i < codes.length; i++) values[to + i] = texts[codes[i] as number] as string;
}

function copyPlaces(texts: readonly string[], codes: Uint32Array | null, places: Uint32Array, values: string[], to: number): void {
  // A null reads the text behind the last one: again no branch.
  const empty = codes === null ? texts.length : codes.length;
  const extended = [...texts, ''];
  const numbers = new Uint32Array(empty + 1).fill(texts.length);
  if (codes === null) for (let i = 0; i < empty; i++) numbers[i] = i;
  else numbers.set(codes);
  for (let i = 0; i < places.length; i++) values[to + i] = extended[numbers[Math.min(places[i] as number, empty)] as number] as string;
}

export class BinaryCollector implements Collector {
  readonly #values: Uint8Array[];
  readonly #validity: ResultValidity;

  constructor(count: number) {
    this.#values = new Array<Uint8Array>(count);
    this.#validity = new ResultValidity(count);
  }

  add(page: ColumnPage, span: Span): void {
    const { start, end, picks, to, positions } = span;
    const { first, last, places } = placesOf(page, span);
    const strings = first === last ? null : page.strings(first, last);
    const codes = strings?.kind === 'coded' ? strings.codes : null;
    const entries = strings?.kind === 'coded' ? strings.entries : strings;
    const count = picks === null ? end - start : picks.length;
    for (let i = 0; i < count; i++) {
      const place = places === null ? i : (places[i] as number);
      // Each row has bytes of its own: they are the caller's to change.
      const bytes = place === NULL_PLACE || entries === null ? new Uint8Array(0) : bytesAt(entries, codes === null ? place : (codes[place] as number)).slice();
      this.#values[positions === null ? to + i : (positions[i] as number)] = bytes;
    }
    markNulls(this.#validity, page, span, places);
  }

  finish(): ColumnData {
    return { kind: 'values', values: this.#values, validity: this.#validity.finish() };
  }
}

/** One string's bytes, not copied. */
export function bytesAt({ bytes, start, ends }: ByteStrings, index: number): Uint8Array {
  return bytes.subarray(index === 0 ? start : ends[index - 1], ends[index]);
}

/** Distinct texts get numbers in the order in which they are met. */
export class CodeCollector implements Collector {
  readonly #codes: Int32Array;
  readonly #validity: ResultValidity;
  readonly #dictionary: string[] = [];
  readonly #known = new Map<string, number>();
  #entries: ByteStrings | null = null;
  /** For every entry of the last dictionary its number, or -1 where it was not met yet. */
  #numbers = new Int32Array(0);
  #texts: readonly string[] = [];

  constructor(count: number) {
    this.#codes = new Int32Array(count);
    this.#validity = new ResultValidity(count);
  }

  add(page: ColumnPage, span: Span): void {
    const out = this.#codes;
    const { start, end, picks, to, positions } = span;
    const { first, last, places } = placesOf(page, span);
    const strings = first === last ? null : page.strings(first, last);
    const texts = strings?.kind === 'strings' ? decodeTexts(strings, page.place) : [];
    if (strings?.kind === 'coded') this.#enter(strings.entries, page);
    const codes = strings?.kind === 'coded' ? strings.codes : null;
    const count = picks === null ? end - start : picks.length;
    for (let i = 0; i < count; i++) {
      const place = places === null ? i : (places[i] as number);
      const position = positions === null ? to + i : (positions[i] as number);
      if (place === NULL_PLACE) out[position] = -1;
      else out[position] = codes === null ? this.#numberOf(texts[place] as string) : this.#numberOfEntry(codes[place] as number);
    }
    markNulls(this.#validity, page, span, places);
  }

  finish(): ColumnData {
    return { kind: 'dictionary', codes: this.#codes, dictionary: this.#dictionary, validity: this.#validity.finish() };
  }

  #enter(entries: ByteStrings, page: ColumnPage): void {
    if (this.#entries === entries) return;
    this.#texts = decodeTexts(entries, page.place);
    this.#numbers = new Int32Array(entries.count).fill(-1);
    this.#entries = entries;
  }

  #numberOfEntry(code: number): number {
    const number = this.#numbers[code] as number;
    if (number !== -1) return number;
    return (this.#numbers[code] = this.#numberOf(this.#texts[code] as string));
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
