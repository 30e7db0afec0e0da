// Whatever a caller gives, a message can say what it was, on one line and without a character that a terminal obeys.
import { expect, test } from 'vitest';
import { describeValue, visibleJson, visibleText } from '@colkit/io';

function* generator(): Generator<number> {
  yield 1;
}
class Point {
  x = 1;
}

test.each<[unknown, string]>([
  ['3', '"3"'],
  ['a\n\u001b\u009b\u202e"', '"a\\n\\u001b\\u009b\\u202e\\""'],
  ['x'.repeat(50), `"${'x'.repeat(40)}…"`],
  [3, '3'],
  [-0, '-0'],
  [NaN, 'NaN'],
  [1n, '1n'],
  [10n ** 50n, `1${'0'.repeat(39)}…n`],
  [true, 'true'],
  [undefined, 'undefined'],
  [null, 'null'],
  [Symbol('s'), 'a symbol (Symbol(s))'],
  [() => 1, 'a function'],
  [Point, 'a function'],
  [[], 'an empty array'],
  [['a', 1n, null], 'an array (["a", 1n, null])'],
  [[1, 2, 3, 4, 5], 'an array of 5'],
  [[[1]], 'an array of 1'],
  [{}, 'an object (Object)'],
  [Object.create(null), 'an object (Object)'],
  [new Point(), 'an object (Point)'],
  [new Set(), 'an object (Set)'],
  [generator(), 'an object (Generator)'],
  [Promise.resolve(), 'an object (Promise)'],
  [new Float32Array(3), 'a Float32Array of 3'],
  [new ArrayBuffer(3), 'an object (ArrayBuffer)'],
  [new Date(0), 'a Date (1970-01-01T00:00:00.000Z)'],
  [new Date(NaN), 'an invalid Date'],
  [Proxy.revocable({}, {}).proxy, 'an object (Object)'],
])('%s', (value, text) => {
  expect(describeValue(value)).toBe(text);
});

test('a revoked proxy is described too', () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  expect(describeValue(proxy)).toMatch(/object/);
});

const OBEYED = [
  '\u0000',
  '\u0007',
  '\b',
  '\t',
  '\n',
  '\r',
  '\u001b',
  '\u007f',
  '\u0080',
  '\u0085',
  '\u009b',
  '\u009d',
  '\u061c',
  '\u200e',
  '\u200f',
  '\u2028',
  '\u2029',
  '\u202a',
  '\u202e',
  '\u2066',
  '\u2069',
];

test.each(OBEYED)('%j becomes visible, in text and in JSON', (character) => {
  const escape = `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  expect(visibleText(`a${character}b${character}`)).toBe(`a${escape}b${escape}`);
  const json = visibleJson(JSON.stringify({ [character]: `é${character}🙂` }, null, 1));
  expect(json).not.toMatch(/[^\n\P{Cc}]|[\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
  expect(JSON.parse(json)).toEqual({ [character]: `é${character}🙂` });
});

test('what is harmless stays', () => {
  expect(visibleText('naïve — 日本 🙂 \\ " …')).toBe('naïve — 日本 🙂 \\ " …');
});
