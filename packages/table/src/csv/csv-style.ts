// How values are written as cells of CSV: what would read as null, or holds a separator, a quote or a line break, is
// quoted.
import { dtypeFacts } from '@colkit/io';
import type { DTypeInfo } from '@colkit/io';
import type { TextBytes } from '../text-output/text-bytes.ts';
import type { ValueStyle, WriteRow } from '../text-output/value-writers.ts';

const QUOTE = 0x22;
/** A byte order mark. Readers drop it where a file begins, as the first text does where there are no names. */
const [MARK_0, MARK_1, MARK_2] = [0xef, 0xbb, 0xbf];

export class CsvStyle implements ValueStyle {
  readonly nullWord: Uint8Array;
  readonly shortFloats = true;
  /** What no cell may be or hold without quotes, but for line breaks. */
  readonly #reserved: readonly string[];
  /** For each byte 1 where a cell that has it is quoted. */
  readonly #special = new Uint8Array(256);

  /** @param separator one ASCII character. */
  constructor(separator: string, nullWord: string) {
    this.nullWord = new TextEncoder().encode(nullWord);
    this.#reserved = [separator, nullWord];
    for (const character of `"\n\r${separator}`) this.#special[character.charCodeAt(0)] = 1;
  }

  get natWord(): Uint8Array {
    return this.nullWord;
  }

  nonFinite(number: number): string {
    return Number.isNaN(number) ? 'nan' : number < 0 ? '-inf' : 'inf';
  }

  wide(digits: string): string {
    return digits;
  }

  aroundMoment(): readonly [string, string] {
    return ['', ''];
  }

  utf8(out: TextBytes, bytes: Uint8Array, from: number, end: number): void {
    const start = out.at;
    out.copy(bytes, from, end);
    this.#finish(out, start);
  }

  text(out: TextBytes, text: string): void {
    const start = out.at;
    out.text(text);
    this.#finish(out, start);
  }

  /** In quotes, too, where readers take it for no name (blanks). */
  name(out: TextBytes, name: string): void {
    const start = out.at;
    out.text(name);
    this.#finish(out, start, name.trim() === '');
  }

  bytes(): never {
    throw new TypeError('bytes are no cells');
  }

  /** A writer whose cells are quoted where they must be: with the usual settings texts alone, which see to it. */
  quoting(info: DTypeInfo, out: TextBytes, write: WriteRow): WriteRow {
    const characters = charactersOf(info);
    if (characters === null || !this.#reserved.some((each) => characters.test(each))) return write;
    return (row) => {
      const start = out.at;
      write(row);
      this.#finish(out, start);
    };
  }

  /** Quotes what was written from there on, if that is said, or it would read as something else. */
  #finish(out: TextBytes, start: number, isSaid = false): void {
    const { nullWord } = this;
    const special = this.#special;
    const length = out.at - start;
    let quotes = 0;
    let isQuoted = length === nullWord.length;
    for (let i = 0; isQuoted && i < length; i += 1) isQuoted = out.bytes[start + i] === nullWord[i];
    isQuoted ||= isSaid || isMarked(out.bytes, start, out.at);
    for (let at = start; at < out.at; at += 1) {
      const byte = out.bytes[at] as number;
      if (special[byte] === 0) continue;
      isQuoted = true;
      if (byte === QUOTE) quotes += 1;
    }
    if (!isQuoted) return;
    const end = out.at;
    out.room(quotes + 2);
    const { bytes } = out;
    let to = end + quotes + 2;
    out.at = to;
    bytes[--to] = QUOTE;
    for (let at = end - 1; at >= start; at -= 1) {
      const byte = bytes[at] as number;
      bytes[--to] = byte;
      if (byte === QUOTE) bytes[--to] = QUOTE;
    }
    bytes[start] = QUOTE;
  }
}

function isMarked(bytes: Uint8Array, start: number, end: number): boolean {
  return bytes[start] === MARK_0 && end - start > 2 && bytes[start + 1] === MARK_1 && bytes[start + 2] === MARK_2;
}

/** Characters that cells are made of; null: any. */
function charactersOf(info: DTypeInfo): RegExp | null {
  switch (dtypeFacts(info).value) {
    case 'bool':
      return /^[truefals]+$/u;
    case 'int':
      return /^[-\d]+$/u;
    case 'float':
      return /^[-+.\denaif]+$/u;
    case 'moment':
      return /^[-+:.\dTZ]+$/u;
    default:
      return null;
  }
}
