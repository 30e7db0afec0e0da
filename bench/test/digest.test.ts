import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { UnequalResultsError, addToDigests, assertEqualResults, digestText } from '../src/report/digest.ts';

const digest = (...values: number[]) => addToDigests([], { values: Float64Array.from(values) });

test('a digest is the CRC of the bytes, whatever their array is called', () => {
  const bytes = Uint8Array.of(1, 2, 3, 4);
  const expected = [{ name: 'x', byteLength: 4, crc32: crc32(bytes) }];
  expect(addToDigests([], { x: bytes })).toEqual(expected);
  expect(addToDigests([], { x: new Int32Array(bytes.buffer) })).toEqual(expected);
  expect(addToDigests([], { x: new Uint8Array(Uint8Array.of(9, 1, 2, 3, 4, 9).buffer, 1, 4) })).toEqual(expected);
});

test('results are chained in order, and names sorted', () => {
  const twice = addToDigests(addToDigests([], { b: Uint8Array.of(1), a: Uint8Array.of(5) }), {
    a: Uint8Array.of(6),
    b: Uint8Array.of(2),
  });
  expect(twice).toEqual([
    { name: 'a', byteLength: 2, crc32: crc32(Uint8Array.of(5, 6)) },
    { name: 'b', byteLength: 2, crc32: crc32(Uint8Array.of(1, 2)) },
  ]);
});

test('equal results pass and give their digest', () => {
  const found = assertEqualResults(
    't',
    new Map([
      ['a', digest(1, 2)],
      ['b', digest(1, 2)],
    ]),
    null,
  );
  expect(found).toBe(digestText(digest(1, 2)));
  expect(assertEqualResults('t', new Map(), null)).toBeNull();
});

test.each([
  ['another value', digest(1, 3)],
  ['the sign of zero', digest(1, -0)],
  ['another length', digest(1, 2, 0)],
  ['another name', addToDigests([], { other: Float64Array.of(1, 2) })],
  ['an array too many', addToDigests([], { values: Float64Array.of(1, 2), more: Uint8Array.of() })],
])('%s is told, with the names of who differs', (_, different) => {
  const results = new Map([
    ['a', digest(1, 2)],
    ['b', digest(1, 2)],
    ['c', different],
  ]);
  expect(() => assertEqualResults('t', results, null)).toThrow(UnequalResultsError);
  expect(() => assertEqualResults('t', results, null)).toThrow(/<- a, b\n.*<- c$/);
});

test('one candidate alone is compared with an earlier run', () => {
  const alone = new Map([['a', digest(1, 2)]]);
  expect(assertEqualResults('t', alone, digestText(digest(1, 2)))).toBe(digestText(digest(1, 2)));
  expect(() => assertEqualResults('t', alone, digestText(digest(2, 1)))).toThrow(/an earlier run/);
});
