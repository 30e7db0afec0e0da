// JSON values -> the text that Python's json.dumps prints with its default settings, character for character: ", " and
// ": " between parts, keys sorted by code point where asked, everything outside U+0020..U+007E escaped, integers digit
// for digit, floats by repr. Manifests are written with it, and their checksum covers its output.
import { JsonNumber } from './json.ts';
import type { JsonValue } from './json.ts';

/** `json.dumps(value, sort_keys=sortKeys)`. ASCII only, so one character is one byte. */
export function pythonJson(value: JsonValue, sortKeys = false): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value === 'string') return pythonString(value);
  if (value instanceof JsonNumber) return pythonNumber(value);
  if (value instanceof Map) {
    const members = [...(value as ReadonlyMap<string, JsonValue>)];
    if (sortKeys) members.sort(([left], [right]) => compareCodePoints(left, right));
    return `{${members.map(([key, member]) => `${pythonString(key)}: ${pythonJson(member, sortKeys)}`).join(', ')}}`;
  }
  return `[${(value as readonly JsonValue[]).map((item) => pythonJson(item, sortKeys)).join(', ')}]`;
}

/**
 * Python's order of strings: by code point, also of lone surrogates, which JSON can hold (`compareText` of the table
 * layer is for text without).
 */
export function compareCodePoints(left: string, right: string): number {
  const shared = Math.min(left.length, right.length);
  for (let index = 0; index < shared; index += 1) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a === b) continue;
    return rank(left, index, a) - rank(right, index, b);
  }
  return left.length - right.length;
}

/**
 * A unit's rank in code point order: halves of a pair stand above the whole basic plane, a lone surrogate stays where
 * its number is.
 */
function rank(text: string, index: number, unit: number): number {
  if (unit < 0xd800 || unit > 0xdfff) return unit;
  const paired = unit < 0xdc00 ? isTrail(text.charCodeAt(index + 1)) : isLead(text.charCodeAt(index - 1));
  return paired ? unit + 0x10000 : unit;
}

const isLead = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isTrail = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

const PRINTABLE = /^[ !#-[\]-~]*$/;

/** JSON's own escapes, and what is not printable ASCII by its number. */
function pythonString(text: string): string {
  // Nearly every text, many times in each file that is opened.
  if (PRINTABLE.test(text)) return `"${text}"`;
  return JSON.stringify(text).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function pythonNumber(number: JsonNumber): string {
  if (number.isInteger) return number.text === '-0' ? '0' : number.text;
  return (number.text.startsWith('-') ? '-' : '') + pythonFloat(Math.abs(Number(number.text)));
}

/**
 * `repr` of a float without its sign, `Infinity` beyond the finite; the same shortest digits as JavaScript's, set
 * differently: always a point or an exponent, two exponent digits.
 */
function pythonFloat(value: number): string {
  if (value === Infinity) return 'Infinity';
  const text = value.toExponential();
  const end = text.indexOf('e');
  const digits = text.slice(0, end).replace('.', '');
  const exponent = Number(text.slice(end + 1));
  if (exponent < -4 || exponent >= 16) {
    const tail = digits.length > 1 ? `.${digits.slice(1)}` : '';
    return `${digits.charAt(0)}${tail}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
  }
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return `${whole}.${digits.slice(exponent + 1) || '0'}`;
}
