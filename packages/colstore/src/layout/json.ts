// Manifest text -> JSON values, strictly: RFC 8259 and nothing more, at most MANIFEST_LIMIT_DEPTH levels, and every
// number as its text, because the checksum of a manifest is taken over what Python would print again, and a JavaScript
// number would lose digits. Objects are Maps (any text is a legal key; the last duplicate wins, as in Python).
import { LimitError } from '@colkit/io';
import { MANIFEST_LIMIT_DEPTH, MANIFEST_LIMIT_OBJECTS, MANIFEST_LIMIT_VALUES } from './constants.ts';

/** A JSON number, not yet a value. */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  get isInteger(): boolean {
    return !/[.eE]/.test(this.text);
  }
}

export type JsonObject = ReadonlyMap<string, JsonValue>;
export type JsonValue = null | boolean | string | JsonNumber | readonly JsonValue[] | JsonObject;

/** Throws for a syntax error at `position` (UTF-16 units from the start of the text). */
type JsonFailure = (position: number, expected: string, found: string) => never;

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
// What a string may hold as it stands: all but the quote, the backslash and the C0 controls.
// eslint-disable-next-line no-control-regex
const PLAIN_TEXT = /[^"\\\u0000-\u001f]*/y;
/** Space, tab, line feed, carriage return. */
const SPACES: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

/**
 * Parses one JSON value that fills `text`. Cost: linear. `fail` is called at the first flaw.
 * @throws LimitError for more values than any manifest has.
 */
export function parseJson(text: string, fail: JsonFailure): JsonValue {
  const reader = new JsonReader(text, fail);
  const value = reader.value(0);
  reader.end();
  return value;
}

class JsonReader {
  readonly #text: string;
  readonly #fail: JsonFailure;
  #position = 0;
  #values = 0;
  #objects = 0;

  constructor(text: string, fail: JsonFailure) {
    this.#text = text;
    this.#fail = fail;
  }

  value(depth: number): JsonValue {
    this.#values += 1;
    if (this.#values > MANIFEST_LIMIT_VALUES)
      throw new LimitError('ERR_LIMIT', 'values of a manifest', MANIFEST_LIMIT_VALUES, this.#values);
    this.#skipSpace();
    const start = this.#text[this.#position];
    if (start === '{') return this.#object(depth + 1);
    if (start === '[') return this.#array(depth + 1);
    if (start === '"') return this.#string();
    if (this.#text.startsWith('true', this.#position)) return this.#word('true', true);
    if (this.#text.startsWith('false', this.#position)) return this.#word('false', false);
    if (this.#text.startsWith('null', this.#position)) return this.#word('null', null);
    const number = this.#match(NUMBER);
    if (number === '') return this.#stop('a JSON value');
    return new JsonNumber(number);
  }

  end(): void {
    this.#skipSpace();
    if (this.#position < this.#text.length) this.#stop('the end of the JSON text');
  }

  #object(depth: number): JsonObject {
    this.#open(depth);
    this.#objects += 1;
    if (this.#objects > MANIFEST_LIMIT_OBJECTS)
      throw new LimitError('ERR_LIMIT', 'objects of a manifest', MANIFEST_LIMIT_OBJECTS, this.#objects);
    const members = new Map<string, JsonValue>();
    if (this.#closes('}')) return members;
    do {
      this.#skipSpace();
      if (this.#text[this.#position] !== '"') this.#stop('a key in quotes');
      const key = this.#string();
      this.#skipSpace();
      if (this.#text[this.#position] !== ':') this.#stop('":"');
      this.#position += 1;
      members.set(key, this.value(depth));
    } while (this.#continues('}'));
    return members;
  }

  #array(depth: number): readonly JsonValue[] {
    this.#open(depth);
    const items: JsonValue[] = [];
    if (this.#closes(']')) return items;
    do items.push(this.value(depth));
    while (this.#continues(']'));
    return items;
  }

  #open(depth: number): void {
    if (depth > MANIFEST_LIMIT_DEPTH)
      this.#fail(this.#position, `at most ${String(MANIFEST_LIMIT_DEPTH)} levels of nesting`, 'one more');
    this.#position += 1;
  }

  #closes(end: string): boolean {
    this.#skipSpace();
    if (this.#text[this.#position] !== end) return false;
    this.#position += 1;
    return true;
  }

  #continues(end: string): boolean {
    if (this.#closes(end)) return false;
    if (this.#text[this.#position] !== ',') this.#stop(`"," or "${end}"`);
    this.#position += 1;
    return true;
  }

  #string(): string {
    const start = this.#position;
    this.#position += 1;
    let result = this.#match(PLAIN_TEXT);
    while (this.#text[this.#position] !== '"') {
      if (this.#position >= this.#text.length)
        return this.#fail(start, 'a string with its closing quote', 'the end of the text');
      if (this.#text[this.#position] !== '\\') return this.#stop('an escaped control character');
      result += this.#escape() + this.#match(PLAIN_TEXT);
    }
    this.#position += 1;
    return result;
  }

  #escape(): string {
    const letter = this.#text.charAt(this.#position + 1);
    if (letter === 'u') {
      const digits = this.#text.slice(this.#position + 2, this.#position + 6);
      if (!/[0-9a-fA-F]{4}/.test(digits)) return this.#stop('four hexadecimal digits after \\u');
      this.#position += 6;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    const plain = ESCAPES.get(letter);
    if (plain === undefined) return this.#stop('one of the escapes \\" \\\\ \\/ \\b \\f \\n \\r \\t \\u');
    this.#position += 2;
    return plain;
  }

  #word<T extends null | boolean>(word: string, value: T): T {
    this.#position += word.length;
    return value;
  }

  #skipSpace(): void {
    while (SPACES.has(this.#text.charCodeAt(this.#position))) this.#position += 1;
  }

  /** The longest match of a sticky pattern here, '' where there is none; moves behind it. */
  #match(pattern: RegExp): string {
    const start = this.#position;
    pattern.lastIndex = start;
    if (pattern.test(this.#text)) this.#position = pattern.lastIndex;
    return this.#text.slice(start, this.#position);
  }

  #stop(expected: string): never {
    const found = this.#text[this.#position];
    return this.#fail(
      this.#position,
      expected,
      found === undefined
        ? 'the end of the text'
        : JSON.stringify(this.#text.slice(this.#position, this.#position + 12)),
    );
  }
}
