// MATCHES that lies: refused with a typed error, before memory is taken, as in hostile.test.ts.
import { createRandom } from '@colkit/testkit';
import { describe, expect, it } from 'vitest';
import { Encoding } from '../../src/layout/constants.ts';
import { textsOfNode } from '../support/hostile-texts.ts';
import { bytesOf, childOf } from '../support/nodes.ts';

const ofWords = (values: readonly number[]) =>
  childOf(Encoding.PLAIN, 2, new Uint8Array(Uint32Array.from(values).buffer));
const constant = (value: bigint, step = 0n) => childOf(Encoding.AFFINE, 0, bytesOf(['u64', value], ['u64', step]));

interface Parts {
  bytes?: number;
  literalCount?: number;
  matchCount?: number;
  lengths?: Uint8Array;
  literals?: readonly number[] | Uint8Array;
  runs?: readonly number[] | Uint8Array;
  matches?: readonly number[] | Uint8Array;
  codes?: readonly number[] | Uint8Array;
  rest?: string;
}

const countOf = (numbers: readonly number[] | Uint8Array, otherwise: number): number =>
  numbers instanceof Uint8Array ? otherwise : numbers.length;
const childOfAny = (numbers: readonly number[] | Uint8Array) =>
  numbers instanceof Uint8Array ? numbers : ofWords(numbers);

/** "abcabcab" and "wxyzabcabc1": a match that overlaps, and one with a bit of its offset in the rest. */
function body(change: Parts): Uint8Array {
  const literals = change.literals ?? [...Buffer.from('abcwxyz1')];
  const { runs = [3, 4], matches = [5, 6], codes = [3, 10], rest = '01000000' } = change;
  return bytesOf(
    ['u32', change.bytes ?? 19],
    ['u32', change.literalCount ?? countOf(literals, 0)],
    ['u32', change.matchCount ?? countOf(runs, 0)],
    ['u32', 0],
    change.lengths ?? ofWords([8, 11]),
    childOfAny(literals),
    childOfAny(runs),
    childOfAny(matches),
    childOfAny(codes),
    rest,
  );
}

const texts = (bytes: Uint8Array, strings?: readonly number[], parameter?: number) =>
  textsOfNode(bytes, Encoding.MATCHES, 2, strings, parameter);

it.each([
  ['4 GiB of strings', body({ bytes: 0xffffffff, lengths: ofWords([0xffffffff, 0]) })],
  ['more bytes than a node may stand for', body({ bytes: 1 << 20, lengths: ofWords([1 << 20, 0]) })],
  ['lengths of more bytes than are told', body({ lengths: ofWords([8, 12]) })],
  ['lengths of fewer bytes than are told', body({ lengths: ofWords([8, 10]) })],
  ['lengths that overflow', body({ lengths: ofWords([0xffffffff, 20]) })],
  ['more literals and matches than bytes', body({ bytes: 11, lengths: ofWords([0, 11]) })],
  ['2^32 - 1 literals', body({ literalCount: 0xffffffff })],
  ['2^32 - 1 matches', body({ matchCount: 0xffffffff })],
  [
    'a million literals in sixteen bytes',
    bytesOf(
      ['u32', 1_000_000],
      ['u32', 1_000_000],
      ['u32', 0],
      ['u32', 0],
      constant(500_000n),
      constant(97n),
      '00'.repeat(2000),
    ),
  ],
  ['a literal of 256', body({ literals: [97, 98, 99, 256, 120, 121, 122, 49] })],
  ['literals of another count', body({ literals: [97, 98, 99], literalCount: 8 })],
  ['a run of more literals than there are', body({ runs: [3, 6] })],
  ['a run of -1', body({ runs: childOf(Encoding.PLAIN, 3, bytesOf(['u64', 3n], ['u64', -1n])), matchCount: 2 })],
  ['runs of more literals together', body({ runs: [5, 4] })],
  ['a match of one byte', body({ matches: [1, 10] })],
  ['a match without bytes', body({ matches: [11, 0] })],
  ['matches of more bytes', body({ matches: [5, 7] })],
  ['matches of fewer bytes', body({ matches: [5, 5] })],
  ['a match that ends behind the data', body({ matches: [5, 2000] })],
  ['an offset that reaches before the data', body({ codes: [4, 10] })],
  ['an offset before the data by a rest', body({ codes: [3, 14], rest: 'ffffffff' })],
  ['a code of 105', body({ codes: [3, 105] })],
  ['a rest that is not there', body({ rest: '' })],
  ['a rest that runs out', body({ codes: [3, 104], rest: '' })],
  ['a rest of fewer than four bytes', body({ rest: '010000' })],
  ['a match before all bytes', body({ runs: [0, 7] })],
])('refuses %s', (_, bytes) => {
  expect(texts(bytes)).toBe('ERR_LAYOUT');
});

it('refuses a parameter', () => {
  expect(texts(body({}), [0], 1)).toBe('ERR_LAYOUT');
});

it('is refused or read wherever it is cut off, and with any byte changed', () => {
  const whole = body({});
  for (let length = 0; length < whole.length; length++)
    expect(['ERR_LAYOUT', 'ERR_ENCODING']).toContain(texts(whole.slice(0, length), [0]));
  const random = createRandom(31);
  for (let number = 0; number < 3000; number++) {
    const changed = whole.slice();
    for (let changes = 1 + random.integer(3); changes > 0; changes--)
      changed[random.integer(changed.length)] = random.integer(256);
    const found = texts(changed);
    if (typeof found === 'string') expect(['ERR_LAYOUT', 'ERR_ENCODING']).toContain(found);
    else expect(found.length).toBe(2);
  }
});

describe('a node that is as it must be', () => {
  it('gives its strings, in any order', () => {
    expect(texts(body({}))).toEqual(['abcabcab', 'wxyzabcabc1']);
    expect(texts(body({}), [1, 0, 1])).toEqual(['wxyzabcabc1', 'abcabcab', 'wxyzabcabc1']);
  });

  it('may have no matches, or hardly any literals', () => {
    const none = { runs: new Uint8Array(0), matches: new Uint8Array(0), codes: new Uint8Array(0), rest: '' };
    const literals = [...Buffer.from('abcd')];
    expect(texts(body({ ...none, literals, bytes: 4, lengths: ofWords([1, 3]) }))).toEqual(['a', 'bcd']);
    // The first match of code 0 reaches back by one byte.
    expect(
      texts(
        body({ literals: [122], runs: [1], matches: [7], codes: [0], rest: '', bytes: 8, lengths: ofWords([8, 0]) }),
      ),
    ).toEqual(['zzzzzzzz', '']);
  });

  it('may have ignored bytes behind the rest', () => {
    expect(texts(body({ rest: '01ffffffffffffffff' }))).toEqual(['abcabcab', 'wxyzabcabc1']);
  });
});
