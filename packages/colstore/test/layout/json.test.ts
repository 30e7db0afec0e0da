// The strict JSON parser: what it takes, what it refuses and where, and that numbers stay text.
import { describe, expect, it } from 'vitest';
import { JsonNumber, parseJson } from '../../src/layout/json.ts';
import type { JsonValue } from '../../src/layout/json.ts';

class Flaw extends Error {
  readonly position: number;

  readonly expected: string;
  readonly found: string;

  constructor(position: number, expected: string, found: string) {
    super(`${String(position)}: expected ${expected} but found ${found}`);
    this.position = position;
    this.expected = expected;
    this.found = found;
  }
}

const parse = (text: string): JsonValue =>
  parseJson(text, (position, expected, found) => {
    throw new Flaw(position, expected, found);
  });

function flawOf(text: string): number {
  return flawIn(text).position;
}

function flawIn(text: string): Flaw {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof Flaw) return error;
    throw error;
  }
  throw new Error(`${text} was taken`);
}

describe('parseJson', () => {
  it('takes every kind of value', () => {
    expect(parse(' { "a" : [ 1 , true , false , null , "x" ] , "b" : { } , "c" : [ ] } ')).toEqual(
      new Map<string, JsonValue>([
        ['a', [new JsonNumber('1'), true, false, null, 'x']],
        ['b', new Map()],
        ['c', []],
      ]),
    );
  });

  it('keeps numbers as text', () => {
    for (const text of [
      '0',
      '-0',
      '12',
      '-7',
      '9007199254740993',
      '1152921504606846976',
      '1.50',
      '1e5',
      '1E+05',
      '-2.5e-3',
      `1${'0'.repeat(500)}`,
    ]) {
      const value = parse(text);
      expect(value).toBeInstanceOf(JsonNumber);
      expect((value as JsonNumber).text).toBe(text);
    }
    expect((parse('10') as JsonNumber).isInteger).toBe(true);
    for (const text of ['1.0', '1e5', '1E5']) expect((parse(text) as JsonNumber).isInteger).toBe(false);
  });

  it('reads every escape, pairs and lone halves included', () => {
    expect(parse('"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00\\uD800x\\u0000"')).toBe(
      '"\\/\b\f\n\r\té😀\ud800x\u0000',
    );
    expect(parse('"é😀\u2028\u007f"')).toBe('é😀\u2028\u007f');
  });

  it('keeps keys that break careless readers, and their order; the last duplicate wins', () => {
    const value = parse('{"__proto__":1,"10":2,"2":3,"constructor":4,"":5,"10":6}') as ReadonlyMap<string, JsonValue>;
    expect([...value.keys()]).toEqual(['__proto__', '10', '2', 'constructor', '']);
    expect(value.get('10')).toEqual(new JsonNumber('6'));
  });

  it.each([
    ['', 0],
    ['  ', 2],
    ['{', 1],
    ['[', 1],
    ['[1', 2],
    ['[1,', 3],
    ['[1,]', 3],
    ['[1 2]', 3],
    ['{"a"}', 4],
    ['{"a":}', 5],
    ['{"a":1,}', 7],
    ['{a:1}', 1],
    ["{'a':1}", 1],
    ['"abc', 0],
    ['"a\nb"', 2],
    ['"\\x41"', 1],
    ['"\\u12g4"', 1],
    ['"\\u12', 1],
    ['"\\', 1],
    ['01', 1],
    ['1.', 1],
    ['.5', 0],
    ['+1', 0],
    ['-', 0],
    ['1e', 1],
    ['NaN', 0],
    ['Infinity', 0],
    ['-Infinity', 0],
    ['nul', 0],
    ['True', 0],
    ['truex', 4],
    ['1 2', 2],
    ['\ufeff{}', 0],
    ['{}\u0000', 2],
    ['\u00a01', 0],
    ['// x\n1', 0],
  ])('refuses %j at %i', (text, position) => {
    expect(flawOf(text)).toBe(position);
  });

  it('quotes the next twelve characters, or says that the text ends', () => {
    expect(flawIn(`[1, ${'z'.repeat(1000)}`)).toMatchObject({ position: 4, found: `"${'z'.repeat(12)}"` });
    expect(flawIn('{"a"')).toMatchObject({ expected: '":"', found: 'the end of the text' });
  });

  it('takes 32 levels and refuses 33, without deep recursion', () => {
    expect(() => parse('['.repeat(32) + ']'.repeat(32))).not.toThrow();
    expect(flawOf('['.repeat(33) + ']'.repeat(33))).toBe(32);
    expect(flawOf('{"a":'.repeat(1_000_000))).toBe(32 * 5);
  });
});
