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

/** Hands out, in the order of the span's rows, each one's place among the values read, and where it goes. */
function eachRow(page: ColumnPage, span: Span, use: (firstValue: number, lastValue: number) => (value: number, position: number) => void, onNull: (position: number) => void): void {
  const { start, end, picks, to, positions } = span;
  const { validity, valueCount } = page;
  const count = picks === null ? end - start : picks.length;
  if (valueCount === 0) {
    for (let i = 0; i < count; i++) onNull(positions === null ? to + i : (positions[i] as number));
    return;
  }
  const rank = validity === null ? null : new RowRank(validity, page.rowCount);
  const [first, last] = rank === null ? [start, end] : [rank.before(start), rank.before(end)];
  const put = use(first, last);
  let next = 0;
  for (let i = 0; i < count; i++) {
    const row = picks === null ? start + i : (picks[i] as number);
    const position = positions === null ? to + i : (positions[i] as number);
    if (validity !== null && !isPresent(validity, row)) onNull(position);
    else if (picks === null) put(next++, position);
    else put((rank === null ? row : rank.before(row)) - first, position);
  }
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
    const values = this.#values;
    const { start, end, picks, to } = span;
    if (picks === null && page.validity === null && page.valueCount > 0) {
      this.#addRun(page, start, end, to);
      return;
    }
    eachRow(page, span, (first, last) => {
      const strings = first === last ? null : page.strings(first, last);
      if (strings === null) return () => undefined;
      if (strings.kind === 'strings') {
        const texts = decodeTexts(strings, page.place);
        return (value, position) => {
          values[position] = texts[value] as string;
        };
      }
      const texts = this.#entries.of(strings.entries, page);
      const { codes } = strings;
      return (value, position) => {
        values[position] = texts[codes[value] as number] as string;
      };
    }, (position) => {
      values[position] = '';
      this.#validity.setNull(position);
    });
  }

  finish(): ColumnData {
    return { kind: 'values', values: this.#values, validity: this.#validity.finish() };
  }

  #addRun(page: ColumnPage, start: number, end: number, to: number): void {
    const values = this.#values;
    const strings = page.strings(start, end);
    if (strings.kind === 'strings') {
      const texts = decodeTexts(strings, page.place);
      for (let i = 0; i < texts.length; i++) values[to + i] = texts[i] as string;
      return;
    }
    const texts = this.#entries.of(strings.entries, page);
    const { codes, count } = strings;
    for (let i = 0; i < count; i++) values[to + i] = texts[codes[i] as number] as string;
  }
}

export class BinaryCollector implements Collector {
  readonly #values: Uint8Array[];
  readonly #validity: ResultValidity;

  constructor(count: number) {
    this.#values = new Array<Uint8Array>(count);
    this.#validity = new ResultValidity(count);
  }

  add(page: ColumnPage, span: Span): void {
    const values = this.#values;
    eachRow(page, span, (first, last) => {
      if (first === last) return () => undefined;
      const strings = page.strings(first, last);
      const entries = strings.kind === 'coded' ? strings.entries : strings;
      const codes = strings.kind === 'coded' ? strings.codes : null;
      return (value, position) => {
        // Each row has bytes of its own: they are the caller's to change.
        values[position] = bytesAt(entries, codes === null ? value : (codes[value] as number)).slice();
      };
    }, (position) => {
      values[position] = new Uint8Array(0);
      this.#validity.setNull(position);
    });
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
    eachRow(page, span, (first, last) => {
      if (first === last) return () => undefined;
      const strings = page.strings(first, last);
      if (strings.kind === 'strings') {
        const texts = decodeTexts(strings, page.place);
        return (value, position) => {
          out[position] = this.#numberOf(texts[value] as string);
        };
      }
      this.#enter(strings.entries, page);
      const { codes } = strings;
      return (value, position) => {
        const code = codes[value] as number;
        let number = this.#numbers[code] as number;
        if (number === -1) this.#numbers[code] = number = this.#numberOf(this.#texts[code] as string);
        out[position] = number;
      };
    }, (position) => {
      out[position] = -1;
      this.#validity.setNull(position);
    });
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

  #numberOf(text: string): number {
    let number = this.#known.get(text);
    if (number === undefined) {
      number = this.#dictionary.push(text) - 1;
      this.#known.set(text, number);
    }
    return number;
  }
}
