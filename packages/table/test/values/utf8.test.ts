import { describe, expect, test } from 'vitest';
import * as runtime from '../../src/values/utf8.ts';
import * as browser from '../../src/values/utf8-browser.ts';

// Few bytes are looked at here, more by the runtime.
const LENGTHS = [0, 1, 3, 31, 32, 33, 200];

// Overlong forms, surrogates, beyond U+10FFFF, a continuation alone, a character cut short.
const ILL = ['c080', 'c1bf', 'e08080', 'eda080', 'f08080af', 'f4908080', 'ff', '80', 'c3', 'e282', 'f09f98'];
const WELL = ['c3a9', 'e282ac', 'f09f9880', 'efbbbf', 'efbfbd', 'f48fbfbf', '00', '7f'];

describe.each([
  ['of the runtime', runtime],
  ['of browsers', browser],
])('%s', (_, { isAscii, isUtf8 }) => {
  const around = (hex: string, before: number, after: number): Uint8Array =>
    Uint8Array.from([
      ...new Array<number>(before).fill(0x61),
      ...Buffer.from(hex, 'hex'),
      ...new Array<number>(after).fill(0x62),
    ]);

  test('well-formed bytes', () => {
    for (const length of LENGTHS) {
      expect(isUtf8(around('', length, 0))).toBe(true);
      expect(isAscii(around('', length, 0))).toBe(true);
      for (const hex of WELL) {
        expect(isUtf8(around(hex, length, 0)), `${hex} after ${String(length)}`).toBe(true);
        expect(isUtf8(around(hex, 1, length)), `${hex} before ${String(length)}`).toBe(true);
        expect(isAscii(around(hex, length, 1))).toBe(hex === '00' || hex === '7f');
      }
    }
  });

  test('others', () => {
    for (const length of LENGTHS)
      for (const hex of ILL) {
        expect(isUtf8(around(hex, length, 0)), `${hex} after ${String(length)}`).toBe(false);
        expect(isUtf8(around(hex, 0, length)), `${hex} before ${String(length)}`).toBe(false);
        expect(isAscii(around(hex, length, 0))).toBe(false);
      }
  });

  test('a part of a buffer, and shared memory', () => {
    const bytes = around('c3a9', 40, 40);
    expect(isUtf8(bytes.subarray(0, 41))).toBe(false);
    expect(isUtf8(bytes.subarray(0, 42))).toBe(true);
    expect(isAscii(bytes.subarray(42))).toBe(true);
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    expect(isAscii(shared)).toBe(false);
    expect(isUtf8(shared)).toBe(true);
  });
});
