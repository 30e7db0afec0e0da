// FRONT by what it stores: any strings come back as they were, as a whole, in parts and one by one, over each encoding
// of what they do not share; and a node that lies is refused with a typed error, before memory is taken.
import { createRandom } from '@colkit/testkit';
import { describe, expect, it } from 'vitest';
import { stringAt } from '../../src/columns/byte-strings.ts';
import * as blocks from '../../src/columns/encodings/blocks/size.ts';
import * as front from '../../src/columns/encodings/front/size.ts';
import * as matches from '../../src/columns/encodings/matches/size.ts';
import * as onpair from '../../src/columns/encodings/onpair/size.ts';
import type { SizedNode } from '../../src/columns/node.ts';
import type { ByteStrings } from '../../src/columns/vector.ts';
import { Encoding } from '../../src/layout/constants.ts';
import { EncodingChooser } from '../../src/write/encode/choose-encoding.ts';
import { rulesOf } from '../../src/write/encode/modes.ts';
import { sizePlain } from '../../src/write/encode/text-pages.ts';
import { concatenate } from '../../src/write/values/column-values.ts';
import { textsOfNode } from '../support/hostile-texts.ts';
import { bytesOf, childOf, decoderFor, encodeNode, rootNode } from '../support/nodes.ts';

const random = createRandom(2030);
const chooser = new EncodingChooser(rulesOf('default'));
const octets = (length: number, below: number): Uint8Array => Uint8Array.from({ length }, () => random.integer(below));

const OWN: readonly (readonly [string, (own: ByteStrings) => SizedNode | null])[] = [
  ['PLAIN', (own) => sizePlain(own, null, chooser)],
  ['BLOCKS', (own) => blocks.size(own, chooser, false)],
  ['ONPAIR', (own) => onpair.size(own, chooser)],
  ['MATCHES', (own) => matches.size(own, chooser)],
];

const inOrder = (values: readonly Uint8Array[]): Uint8Array[] => [...values].sort((a, b) => Buffer.compare(a, b));

const CASES: readonly (readonly [string, readonly Uint8Array[]])[] = [
  ['a single byte', [Uint8Array.of(255)]],
  ['the same over and over', Array.from({ length: 5000 }, () => Buffer.from('the same, over and over'))],
  ['each one byte longer', Array.from({ length: 300 }, (_, i) => Buffer.from('ab'.repeat(150)).subarray(0, i + 1))],
  ['each one byte shorter', Array.from({ length: 300 }, (_, i) => Buffer.from('ab'.repeat(150)).subarray(i))],
  [
    'edges',
    ['', '', 'a', 'a', 'ab', '\0', '\0\0', '', 'Z'.repeat(300), 'Z'.repeat(301), 'ż'].map((t) => Buffer.from(t)),
  ],
  ['two letters', Array.from({ length: 700 }, () => octets(random.integer(40), 2))],
  ['two letters, sorted', inOrder(Array.from({ length: 3000 }, () => octets(random.integer(60), 2)))],
  ['random bytes, sorted', inOrder(Array.from({ length: 500 }, () => octets(random.integer(20), 256)))],
  ['numbers', Array.from({ length: 9000 }, (_, i) => Buffer.from(`user:${String(i).padStart(7, '0')}`))],
  ['long ones', Array.from({ length: 100 }, (_, i) => Buffer.from(`${'https://example.org/'.repeat(60)}${i}`))],
];

describe.each(CASES)('%s', (_, values) => {
  const strings = concatenate(values);
  const count = values.length;

  it.each(OWN.flatMap(([name, sizeOwn]) => [0, 1, 4, 16].map((log2) => [name, log2, sizeOwn] as const)))(
    'of %s, shared in runs of 2^%i',
    (_name, log2, sizeOwn) => {
      const shared = front.sharedBytes(strings, log2);
      const own = front.ownStrings(strings, shared);
      // The others ask for one byte and more.
      const ownNode = own.bytes.length === 0 ? sizePlain(own, null, chooser) : sizeOwn(own);
      if (ownNode === null) throw new Error('it has no such node');
      const bytes = encodeNode(front.size(strings, shared, log2, ownNode, chooser));
      const open = (start = 0, end = count): ByteStrings => {
        const root = rootNode(bytes, Encoding.FRONT, log2, count, 'string');
        const found = decoderFor(bytes, 'string').strings(root, start, end);
        if (found.kind !== 'strings') throw new Error('codes');
        return found;
      };
      expect(Buffer.compare(open().bytes, Buffer.concat(values))).toBe(0);
      const found = open();
      for (const at of [...Array.from({ length: 60 }, () => random.integer(count)), count - 1, 0])
        expect(Buffer.compare(stringAt(found, at), values[at]!)).toBe(0);
      const start = random.integer(count);
      const part = open(start, count);
      expect(part.count).toBe(count - start);
      for (let i = Math.min(part.count, 40) - 1; i >= 0; i--)
        expect(Buffer.compare(stringAt(part, i), values[start + i]!)).toBe(0);
    },
  );

  it('is the same in whatever memory it lies', () => {
    const shifted = concatenate([Uint8Array.of(1, 2, 3), ...values]);
    const moved = { ...strings, bytes: shifted.bytes, start: 3, ends: strings.ends.map((end) => end + 3) };
    const [one, other] = [strings, moved].map((each) => front.ownStrings(each, front.sharedBytes(each, 4)));
    expect([other?.bytes, other?.ends]).toEqual([one?.bytes, one?.ends]);
  });
});

const ofBytes = (values: readonly number[]) => childOf(Encoding.PLAIN, 0, Uint8Array.from(values));
const ofWords = (values: readonly number[]) =>
  childOf(Encoding.PLAIN, 2, new Uint8Array(Uint32Array.from(values).buffer));
/** Byte strings in PLAIN. */
const ofTexts = (texts: readonly string[]) => {
  let end = 0;
  const ends = ofBytes(texts.map((text) => (end += text.length)));
  return childOf(
    Encoding.PLAIN,
    0,
    bytesOf(['u32', end], ['u32', 0], ends, Buffer.from(texts.join('')).toString('hex')),
  );
};

interface Parts {
  readonly bytes?: number;
  readonly shared?: Uint8Array;
  readonly own?: Uint8Array;
  readonly behind?: string;
}

/** "cart", "cars", "cars", "caet" and "zo" in runs of four. */
const body = ({ bytes = 18, shared = ofBytes([0, 3, 4, 2, 0]), own, behind = '' }: Parts): Uint8Array =>
  bytesOf(['u32', bytes], ['u32', 0], shared, own ?? ofTexts(['cart', 's', '', 'et', 'zo']), behind);

const texts = (bytes: Uint8Array, strings?: readonly number[], parameter = 2) =>
  textsOfNode(bytes, Encoding.FRONT, 5, strings, parameter);

describe('a node', () => {
  it('gives its strings in any order, whatever stands behind it', () => {
    const all = ['cart', 'cars', 'cars', 'caet', 'zo'];
    expect(texts(body({}))).toEqual(all);
    expect(texts(body({}), [4, 2, 0, 2])).toEqual(['zo', 'cars', 'cart', 'cars']);
    expect(texts(body({ behind: 'ff'.repeat(9) }))).toEqual(all);
    expect(texts(body({}), [3], 16)).toEqual(['caet']);
  });

  it.each([
    ['4 GiB of strings', body({ bytes: 0xffffffff })],
    ['more bytes than a node may stand for', body({ bytes: 1 << 20, shared: ofWords([0, 3, 1 << 19, 1 << 19, 0]) })],
    ['fewer bytes than are told', body({ bytes: 19 })],
    ['more bytes than are told', body({ bytes: 17 })],
    ['shared bytes of the first string', body({ bytes: 19, shared: ofBytes([1, 3, 4, 2, 0]) })],
    ['shared bytes of the first of a run', body({ bytes: 19, shared: ofBytes([0, 3, 4, 2, 1]) })],
    ['more shared bytes than the string before has', body({ bytes: 19, shared: ofBytes([0, 3, 5, 2, 0]) })],
    ['shared bytes of -1', body({ bytes: 17, shared: ofWords([0, 3, 4, 2, 0xffffffff]) })],
    ['own bytes that are not there', body({ own: new Uint8Array(0) })],
    [
      'own bytes in a dictionary',
      body({
        own: childOf(
          Encoding.DICTIONARY,
          0,
          bytesOf(['u32', 5], ['u32', 0], ofTexts(['cart', 's', '', 'et', 'zo']), ofBytes([0, 1, 2, 3, 4])),
        ),
      }),
    ],
  ])('that has %s is refused', (_, bytes) => {
    expect(texts(bytes)).toBe('ERR_LAYOUT');
  });

  it('of another parameter is refused', () => {
    expect(texts(body({}), [0], 17)).toBe('ERR_LAYOUT');
    // Then the second string may share nothing.
    expect(texts(body({}), [0], 0)).toBe('ERR_LAYOUT');
  });

  it('is refused or read wherever it is cut off, and with any byte changed', () => {
    const whole = body({});
    for (let length = 0; length < whole.length; length++)
      expect(['ERR_LAYOUT', 'ERR_ENCODING']).toContain(texts(whole.slice(0, length), [0]));
    for (let number = 0; number < 3000; number++) {
      const changed = whole.slice();
      for (let changes = 1 + random.integer(3); changes > 0; changes--)
        changed[random.integer(changed.length)] = random.integer(256);
      const found = texts(changed);
      if (typeof found === 'string') expect(['ERR_LAYOUT', 'ERR_ENCODING', 'ERR_LIMIT']).toContain(found);
      else expect(found.length).toBe(5);
    }
  });
});
