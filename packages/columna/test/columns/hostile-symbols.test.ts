// FSST that lies: refused with a typed error, before memory is taken, as in hostile.test.ts.
import { isColkitError } from '@colkit/io';
import { describe, expect, it } from 'vitest';
import { stringAt } from '../../src/columns/byte-strings.ts';
import { Encoding } from '../../src/layout/constants.ts';
import { bytesOf, childOf, decoderFor, rootNode } from '../support/nodes.ts';

const ofWords = (values: readonly number[]) =>
  childOf(Encoding.PLAIN, 2, new Uint8Array(Uint32Array.from(values).buffer));

/** "abab" and "c", with "ab" as a symbol. */
function body(change: {
  bytes?: number;
  codeBytes?: number;
  count?: number;
  lengths?: number[];
  codeLengths?: number[];
  symbolLengths?: string;
  symbols?: string;
  codes?: string;
}): Uint8Array {
  const { codes = '0000ff63', symbolLengths = '02', symbols = '6162', lengths = [4, 1] } = change;
  return bytesOf(
    ['u32', change.bytes ?? lengths.reduce((sum, length) => sum + length, 0)],
    ['u32', change.codeBytes ?? codes.length / 2],
    ['u8', change.count ?? symbolLengths.length / 2],
    '00000000000000',
    ofWords(lengths),
    ofWords(change.codeLengths ?? [2, 2]),
    symbolLengths,
    symbols,
    codes,
  );
}

function texts(bytes: Uint8Array, strings: readonly number[] = [0, 1], parameter = 0): readonly string[] | string {
  const before = process.memoryUsage().arrayBuffers;
  try {
    const root = rootNode(bytes, Encoding.FSST, parameter, 2, 'string');
    const found = decoderFor(bytes, 'string').strings(root, 0, 2);
    if (found.kind !== 'strings') return found.kind;
    return strings.map((string) => Buffer.from(stringAt(found, string)).toString());
  } catch (error) {
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 << 20);
    if (isColkitError(error)) return error.code;
    throw error;
  }
}

it.each([
  ['4 GiB of strings', body({ bytes: 0xffffffff, lengths: [0xffffffff, 0] })],
  ['lengths of more bytes than are told', body({ bytes: 4 })],
  ['lengths that overflow', body({ bytes: 4, lengths: [0xffffffff, 5] })],
  ['more codes than are told', body({ codeBytes: 3 })],
  ['fewer codes than are told', body({ codeBytes: 5 })],
  ['code lengths of other codes', body({ codeLengths: [1, 2] })],
  ['a string of more bytes than its codes may give', body({ lengths: [17, 0], codeLengths: [2, 2] })],
  ['a string without bytes that has codes', body({ lengths: [5, 0] })],
  ['a string that has no codes', body({ codeLengths: [4, 0] })],
  ['a symbol without bytes', body({ symbolLengths: '00', symbols: '' })],
  ['a symbol of nine bytes', body({ symbolLengths: '09', symbols: '616263646566676869' })],
  ['more symbols than there is room for', body({ count: 255 })],
  ['a code without a symbol', body({ codes: '0001ff63' })],
  ['code 254 of one symbol', body({ codes: '00feff63' })],
  ['an escape that ends a string', body({ codes: '00ffff63' })],
  ['symbols of more bytes than the string has', body({ lengths: [3, 1] })],
  ['symbols of fewer bytes than the string has', body({ lengths: [5, 1] })],
])('refuses %s', (_, bytes) => {
  expect(texts(bytes)).toBe('ERR_LAYOUT');
});

it('refuses a parameter', () => {
  expect(texts(body({}), [0], 1)).toBe('ERR_LAYOUT');
});

describe('a node that is as it must be', () => {
  it('gives its strings, in any order', () => {
    expect(texts(body({}))).toEqual(['abab', 'c']);
    expect(texts(body({}), [1, 0, 1])).toEqual(['c', 'abab', 'c']);
  });

  it('may have strings that are damaged beside those that are needed', () => {
    expect(texts(body({ codes: '0001ff63' }), [1])).toEqual(['c']);
    expect(texts(body({ codes: '0000ffff', lengths: [4, 1], codeLengths: [2, 2] }), [0])).toEqual(['abab']);
  });

  it('may have no symbols, and symbols of every length', () => {
    expect(texts(body({ symbolLengths: '', symbols: '', codes: 'ff61ff63', lengths: [1, 1] }))).toEqual(['a', 'c']);
    for (let length = 1; length <= 8; length++) {
      const symbol = 'abcdefgh'.slice(0, length);
      const hex = Buffer.from(symbol).toString('hex');
      const bytes = body({
        symbolLengths: `0${length}`,
        symbols: hex,
        codes: '0000ff63',
        lengths: [2 * length, 1],
      });
      expect(texts(bytes, [1, 0])).toEqual(['c', symbol + symbol]);
    }
  });
});
