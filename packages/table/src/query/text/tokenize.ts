// The text of a predicate -> tokens with their positions. Keywords are told from names by the parser's word list,
// whatever their case.
import { QueryError } from '@colkit/io';

export type Token =
  | { readonly kind: 'number'; readonly value: number | bigint; readonly position: number; readonly end: number }
  | { readonly kind: 'text'; readonly value: string; readonly position: number; readonly end: number }
  | { readonly kind: 'bytes'; readonly value: Uint8Array; readonly position: number; readonly end: number }
  /** A name in back-ticks, or a word that is no keyword. */
  | { readonly kind: 'name'; readonly value: string; readonly position: number; readonly end: number }
  | { readonly kind: 'keyword'; readonly value: Keyword; readonly position: number; readonly end: number }
  | { readonly kind: 'parameter'; readonly value: string; readonly position: number; readonly end: number }
  | { readonly kind: 'sign'; readonly value: Sign; readonly position: number; readonly end: number }
  | { readonly kind: 'end'; readonly position: number; readonly end: number };

export const KEYWORDS = [
  'and',
  'or',
  'not',
  'in',
  'is',
  'null',
  'none',
  'between',
  'true',
  'false',
  'nan',
  'inf',
  'infinity',
] as const;
export type Keyword = (typeof KEYWORDS)[number];
const SIGNS = [
  '==',
  '=',
  '!=',
  '<>',
  '<=',
  '>=',
  '<',
  '>',
  '(',
  ')',
  '[',
  ']',
  ',',
  '+',
  '-',
  '*',
  '/',
  '%',
  '//',
  '**',
  '&',
  '|',
  '^',
  '~',
] as const;
export type Sign = (typeof SIGNS)[number];

const SPACE = /\s+/uy;
/** Letters of any script, digits and underscores; not a digit first. */
export const WORD = /[\p{L}_][\p{L}\p{M}\p{N}_]*/uy;
/** Integers also in hexadecimal; an underscore between two digits says nothing. */
const NUMBER =
  /(?:0[xX][\da-fA-F](?:_?[\da-fA-F])*|(?:\d(?:_?\d)*\.?(?:\d(?:_?\d)*)?|\.\d(?:_?\d)*)(?:[eE][+-]?\d(?:_?\d)*)?)n?/uy;
const HEX = /[xX]'([0-9a-fA-F]*)'/uy;
/** What others write for the same: the remedy is named. */
const FOREIGN: ReadonlyMap<string, string> = new Map([
  ['===', '=='],
  ['!==', '!='],
  ['&&', 'and'],
  ['||', 'or'],
  ['!', 'not'],
]);
/** The longest first, so that '<=' is not '<'. */
const ALL_SIGNS: readonly string[] = [...SIGNS, ...FOREIGN.keys()].sort((left, right) => right.length - left.length);

/** @throws QueryError ERR_QUERY_SYNTAX at the character that begins no token. */
export function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let position = 0; ; ) {
    position += match(SPACE, text, position)?.[0].length ?? 0;
    if (position >= text.length) {
      tokens.push({ kind: 'end', position: text.length, end: text.length });
      return tokens;
    }
    const token = nextToken(text, position);
    tokens.push(token);
    position = token.end;
  }
}

export function syntaxError(text: string, position: number, message: string): QueryError {
  return new QueryError('ERR_QUERY_SYNTAX', text, position, message);
}

function nextToken(text: string, position: number): Token {
  const first = text[position] ?? '';
  if (first === "'" || first === '"') return textToken(text, position, first);
  if (first === '`') return nameToken(text, position);
  if (first === '@') return parameterToken(text, position);
  const hex = match(HEX, text, position);
  if (hex !== null)
    return { kind: 'bytes', value: bytesOfHex(text, hex[1] ?? '', position), position, end: position + hex[0].length };
  const word = match(WORD, text, position);
  if (word !== null) return wordToken(word[0], position);
  const number = match(NUMBER, text, position);
  if (number !== null) return numberToken(text, number[0], position);
  const sign = ALL_SIGNS.find((known) => text.startsWith(known, position));
  if (sign === undefined)
    throw syntaxError(
      text,
      position,
      `unexpected ${JSON.stringify(String.fromCodePoint(text.codePointAt(position) ?? 0))}`,
    );
  const remedy = FOREIGN.get(sign);
  if (remedy !== undefined)
    throw syntaxError(text, position, `expected ${JSON.stringify(remedy)} but found ${JSON.stringify(sign)}`);
  return { kind: 'sign', value: sign as Sign, position, end: position + sign.length };
}

function wordToken(word: string, position: number): Token {
  const end = position + word.length;
  const keyword = KEYWORDS.find((known) => known === word.toLowerCase());
  return keyword === undefined
    ? { kind: 'name', value: word, position, end }
    : { kind: 'keyword', value: keyword, position, end };
}

/** Integers beyond +-2^53 are bigint, so that they stay what was written; `n` asks for bigint. */
function numberToken(text: string, written: string, position: number): Token {
  const end = position + written.length;
  const follower = match(WORD, text, end);
  if (follower !== null)
    throw syntaxError(text, position, `expected a number but found ${JSON.stringify(written + follower[0])}`);
  const digits = written.replace(/n$|_/gu, '');
  const isInteger = /^(?:0x[\da-f]+|\d+)$/iu.test(digits);
  if (written.endsWith('n') && !isInteger)
    throw syntaxError(text, position, `expected an integer before "n" but found ${JSON.stringify(written)}`);
  const value =
    isInteger && (written.endsWith('n') || !Number.isSafeInteger(Number(digits))) ? BigInt(digits) : Number(digits);
  return { kind: 'number', value, position, end };
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v', 0: '\0' };
const UNICODE_ESCAPE = /u(?:([0-9a-fA-F]{4})|\{([0-9a-fA-F]{1,6})\})/uy;

/** A string in either quote, with JavaScript's escapes; a doubled quote is one, as in SQL. */
function textToken(text: string, position: number, quote: string): Token {
  let value = '';
  for (let index = position + 1; index < text.length; index += 1) {
    const unit = text[index] ?? '';
    if (unit === quote && text[index + 1] === quote) {
      value += unit;
      index += 1;
      continue;
    }
    if (unit === quote) return { kind: 'text', value, position, end: index + 1 };
    if (unit !== '\\') {
      value += unit;
      continue;
    }
    index += 1;
    const escape = text[index] ?? '';
    if (escape !== 'u') {
      value += ESCAPES[escape] ?? escape;
      continue;
    }
    const unicode = match(UNICODE_ESCAPE, text, index);
    const point = Number.parseInt(unicode?.[1] ?? unicode?.[2] ?? '', 16);
    if (unicode === null || point > 0x10ffff) throw syntaxError(text, index - 1, 'expected \\uXXXX or \\u{X…}');
    value += String.fromCodePoint(point);
    index += unicode[0].length - 1;
  }
  throw syntaxError(text, position, `expected a closing ${quote === '"' ? "'\"'" : '"\'"'} for this string`);
}

/** A name in back-ticks; a doubled back-tick is one. */
function nameToken(text: string, position: number): Token {
  let value = '';
  for (let index = position + 1; index < text.length; index += 1) {
    const unit = text[index] ?? '';
    if (unit !== '`') value += unit;
    else if (text[index + 1] === '`') {
      value += unit;
      index += 1;
    } else return { kind: 'name', value, position, end: index + 1 };
  }
  throw syntaxError(text, position, 'expected a closing back-tick for this name');
}

function parameterToken(text: string, position: number): Token {
  const word = match(WORD, text, position + 1);
  if (word === null) throw syntaxError(text, position, 'expected a name after "@"');
  return { kind: 'parameter', value: word[0], position, end: position + 1 + word[0].length };
}

function bytesOfHex(text: string, digits: string, position: number): Uint8Array {
  if (digits.length % 2 !== 0) throw syntaxError(text, position, 'expected two hexadecimal digits for each byte');
  return Uint8Array.from({ length: digits.length / 2 }, (_, index) =>
    Number.parseInt(digits.slice(2 * index, 2 * index + 2), 16),
  );
}

function match(pattern: RegExp, text: string, position: number): RegExpExecArray | null {
  pattern.lastIndex = position;
  return pattern.exec(text);
}
