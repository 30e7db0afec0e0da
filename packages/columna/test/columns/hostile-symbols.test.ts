// ONPAIR that lies: refused with a typed error, before memory is taken, as in hostile.test.ts.
import { describe, expect, it } from 'vitest';
import { Encoding } from '../../src/layout/constants.ts';
import { textsOfNode } from '../support/hostile-texts.ts';
import { bytesOf, childOf } from '../support/nodes.ts';

const ofWords = (values: readonly number[]) =>
  childOf(Encoding.PLAIN, 2, new Uint8Array(Uint32Array.from(values).buffer));

/** "abab" and "c", with "ab" as a symbol; and "abd", which no string has. */
function body(change: {
  bytes?: number;
  codeCount?: number;
  symbolCount?: number;
  lengths?: number[];
  codeCounts?: number[];
  shared?: number[];
  own?: number[];
  symbols?: string | number[];
  codes?: number[];
  codesNode?: Uint8Array;
  behind?: string;
}): Uint8Array {
  const { codes = [0, 0, 2], shared = [0, 2, 0], own = [2, 1, 1], symbols = 'abdc', lengths = [4, 1] } = change;
  return bytesOf(
    ['u32', change.bytes ?? lengths.reduce((sum, length) => sum + length, 0)],
    ['u32', change.codeCount ?? codes.length],
    ['u32', change.symbolCount ?? own.length],
    '00000000',
    ofWords(lengths),
    ofWords(change.codeCounts ?? [2, 1]),
    ofWords(shared),
    ofWords(own),
    change.codesNode ?? ofWords(codes),
    ofWords(typeof symbols === 'string' ? [...Buffer.from(symbols)] : symbols),
    change.behind ?? '',
  );
}

/** "aa" and "a", each symbol of which is "a". */
function manySymbols(count: number): Uint8Array {
  const [shared, own] = [new Array<number>(count).fill(0), new Array<number>(count).fill(1)];
  return body({ shared, own, symbols: 'a'.repeat(count), lengths: [2, 1], codes: [0, count - 1, 1] });
}

/** A text of so many codes and one of one, all of them the same. */
function manyCodes(count: number): Uint8Array {
  const codesNode = childOf(Encoding.AFFINE, 0, bytesOf(['u64', 0n], ['u64', 0n]));
  const symbols = { own: [32], shared: [0], symbols: 'x'.repeat(32) };
  return body({ ...symbols, codesNode, codeCount: count + 1, codeCounts: [count, 1], lengths: [32 * count, 32] });
}

const texts = (bytes: Uint8Array, strings?: readonly number[], parameter?: number) =>
  textsOfNode(bytes, Encoding.ONPAIR, 2, strings, parameter);

it.each([
  ['4 GiB of strings', body({ bytes: 0xffffffff, lengths: [0xffffffff, 0] })],
  ['more bytes than the node may stand for', body({ bytes: 200_000, codeCount: 100_000, lengths: [199_999, 1] })],
  ['more bytes than the node may stand for, which its codes spell', manyCodes(100_000)],
  ['lengths of more bytes than are told', body({ bytes: 4 })],
  ['lengths that overflow', body({ bytes: 4, lengths: [0xffffffff, 5] })],
  ['more codes than are told', body({ codeCount: 2 })],
  ['fewer codes than are told', body({ codeCount: 4 })],
  ['more codes than bytes', body({ codeCount: 6, codes: [0, 0, 0, 0, 0, 0], codeCounts: [4, 2] })],
  ['counts of other codes', body({ codeCounts: [1, 1] })],
  ['counts of fewer codes, which spell the strings', body({ codes: [0, 0, 2, 2] })],
  ['a string with a code that it does not need', body({ codes: [0, 0, 0, 2], codeCounts: [3, 1] })],
  ['a string of more bytes than its codes may give', body({ lengths: [65, 0], codeCounts: [2, 1] })],
  ['a string without bytes that has codes', body({ lengths: [4, 0] })],
  ['a string that has no codes', body({ codeCounts: [3, 0] })],
  ['a symbol without bytes', body({ shared: [0, 0, 0], own: [2, 0, 1], symbols: 'abc' })],
  ['a first symbol without bytes', body({ own: [0, 3, 1], shared: [0, 0, 0] })],
  ['a symbol of 33 bytes', body({ shared: [0, 2, 0], own: [2, 31, 1], symbols: 'a'.repeat(34) })],
  ['a symbol of 2^32 bytes and two', body({ shared: [0, 2, 0], own: [2, 0xffffffff, 1] })],
  ['more shared bytes than the symbol before has', body({ shared: [0, 3, 0] })],
  ['shared bytes of the first symbol', body({ shared: [1, 2, 0] })],
  ['a byte of a symbol that is none', body({ symbols: [0x61, 0x62, 256, 0x63] })],
  ['shared bytes that overflow', body({ shared: [0, 0xffffffff, 0] })],
  ['no symbols', body({ symbolCount: 0 })],
  ['more symbols than there may be', manySymbols(4097)],
  ['symbols that are not there', body({ symbols: 'abd' })],
  ['a code without a symbol', body({ codes: [0, 3, 2] })],
  ['a code of 32 bits', body({ codes: [0, 0xffffffff, 2] })],
  ['symbols of more bytes than the string has', body({ lengths: [3, 1] })],
  ['symbols of fewer bytes than the string has', body({ lengths: [5, 1] })],
])('refuses %s', (_, bytes) => {
  expect(texts(bytes)).toBe('ERR_LAYOUT');
});

it('refuses what no string that is asked for has', () => {
  expect(texts(body({ lengths: [65, 1] }), [1])).toBe('ERR_LAYOUT');
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
    expect(texts(body({ codes: [2, 2, 2] }), [1])).toEqual(['c']);
    expect(texts(body({ codes: [0, 0, 0] }), [0])).toEqual(['abab']);
  });

  it('may have bytes behind its symbols, and symbols of every length', () => {
    expect(texts(body({ behind: 'ffff' }))).toEqual(['abab', 'c']);
    for (let length = 1; length <= 32; length++) {
      const symbol = 'abcdefghijklmnopqrstuvwxyz012345'.slice(0, length);
      const bytes = body({
        shared: [0, 0],
        own: [length, 1],
        codes: [0, 0, 1],
        symbols: `${symbol}c`,
        lengths: [2 * length, 1],
      });
      expect(texts(bytes, [1, 0])).toEqual(['c', symbol + symbol]);
    }
  });

  it('may stand for a thousand times its bytes', () => {
    expect(texts(manyCodes(4000))).toEqual(['x'.repeat(128_000), 'x'.repeat(32)]);
  });

  it('may have as many symbols as codes of twelve bits', () => {
    expect(texts(manySymbols(4096))).toEqual(['aa', 'a']);
  });

  it('may have symbols that share all their bytes, or none that they could', () => {
    const own = { own: [3, 0, 3, 1], symbols: 'abcabcc' };
    expect(texts(body({ ...own, shared: [0, 2, 0, 0], codes: [1, 1, 3] }))).toEqual(['abab', 'c']);
    const long = '0123456789abcdefghijklmnopqrstuv';
    const whole = body({
      own: [32, 0, 1],
      shared: [0, 32, 0],
      symbols: `${long}c`,
      codes: [0, 1, 2],
      lengths: [64, 1],
    });
    expect(texts(whole)).toEqual([long + long, 'c']);
    const more = { own: [3, 0, 1, 1], symbols: 'abcxy' };
    expect(texts(body({ ...more, shared: [0, 2, 2, 1], codes: [2, 1, 3], lengths: [5, 2] }))).toEqual(['abxab', 'ay']);
  });
});
