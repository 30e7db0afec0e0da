// The serialiser against what Python's json.dumps printed (the expected texts were taken from CPython 3.11).
import { describe, expect, it } from 'vitest';
import { JsonNumber, parseJson } from '../../src/layout/json.ts';
import type { JsonValue } from '../../src/layout/json.ts';
import { compareCodePoints, pythonJson } from '../../src/layout/python-json.ts';

const parse = (text: string): JsonValue =>
  parseJson(text, (position, expected) => {
    throw new Error(`${String(position)}: ${expected}`);
  });
const number = (text: string): JsonNumber => new JsonNumber(text);

describe('pythonJson', () => {
  it('sets ", " and ": " between parts', () => {
    expect(pythonJson(parse('{"a":[1,true,false,null,"x"],"b":{},"c":[]}'))).toBe(
      '{"a": [1, true, false, null, "x"], "b": {}, "c": []}',
    );
  });

  it('escapes all but printable ASCII, in lower-case hexadecimal', () => {
    expect(pythonJson('é\x7f\u2028😀')).toBe('"\\u00e9\\u007f\\u2028\\ud83d\\ude00"');
    expect(pythonJson('"\\/<>&\n\r\t\b\f\u0000\u001f ~')).toBe('"\\"\\\\/<>&\\n\\r\\t\\b\\f\\u0000\\u001f ~"');
    expect(pythonJson('\ud800x\udfff')).toBe('"\\ud800x\\udfff"');
  });

  it('prints integers digit for digit and floats by repr', () => {
    const expected: readonly (readonly [string, string])[] = [
      ['0', '0'],
      ['-0', '0'],
      ['-12', '-12'],
      ['9007199254740993', '9007199254740993'],
      ['100000000000000000000000000001', '100000000000000000000000000001'],
      ['1.0', '1.0'],
      ['-0.0', '-0.0'],
      ['1.50', '1.5'],
      ['1e5', '100000.0'],
      ['1e15', '1000000000000000.0'],
      ['1e16', '1e+16'],
      ['1.5e16', '1.5e+16'],
      ['123456789012345680.0', '1.2345678901234568e+17'],
      ['0.0001', '0.0001'],
      ['0.00001', '1e-05'],
      ['1.5e-7', '1.5e-07'],
      ['1e-320', '1e-320'],
      ['0.1', '0.1'],
      ['1e400', 'Infinity'],
      ['-1e400', '-Infinity'],
      ['2.5e-3', '0.0025'],
      ['1e22', '1e+22'],
      ['123.456', '123.456'],
      ['5e-324', '5e-324'],
      ['1.7976931348623157e308', '1.7976931348623157e+308'],
    ];
    for (const [text, printed] of expected) expect(pythonJson(number(text))).toBe(printed);
  });

  it('sorts keys at every level by code point, not by UTF-16 unit', () => {
    const value = parse('{"\\uffff": 1, "😀": 2, "b": {"z": 3, "10": 4, "2": 5}, "a": 6}');
    expect(pythonJson(value, true)).toBe('{"a": 6, "b": {"10": 4, "2": 5, "z": 3}, "\\uffff": 1, "\\ud83d\\ude00": 2}');
    expect(pythonJson(value)).toBe('{"\\uffff": 1, "\\ud83d\\ude00": 2, "b": {"z": 3, "10": 4, "2": 5}, "a": 6}');
  });
});

describe('compareCodePoints', () => {
  it('orders texts as an array of code points would be', () => {
    // Every text of up to two units from both sides of every border, and pairs of pairs.
    const units = ['a', 'b', '\ud7ff', '\ud800', '\udbff', '\udc00', '\udfff', '\ue000', '\uffff'];
    const texts = [
      '',
      ...units,
      ...units.flatMap((first) => units.map((second) => first + second)),
      '😀',
      '😀a',
      '😁',
      '\ud83d',
      '\ud83d\ue000',
      '\ud83da',
    ];
    const points = (text: string): number[] => Array.from(text, (character) => character.codePointAt(0) ?? 0);
    for (const left of texts) {
      for (const right of texts) {
        const [a, b] = [points(left), points(right)];
        const differs = a.findIndex((point, index) => point !== b[index]);
        const expected = differs >= 0 && differs < b.length ? a[differs]! - b[differs]! : a.length - b.length;
        if (Math.sign(compareCodePoints(left, right)) !== Math.sign(expected))
          expect.fail(JSON.stringify([left, right]));
      }
    }
  });
});
