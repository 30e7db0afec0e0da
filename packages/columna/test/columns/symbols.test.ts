// ONPAIR by what it stores: any bytes come back as they were, all together and one by one, from the bytes alone; and
// what is spelled does not depend on how often it is asked for.
import { maxWorkers, setDefaultBackend, setMaxWorkers } from '@colkit/io';
import { createRandom } from '@colkit/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { stringAt } from '../../src/columns/byte-strings.ts';
import * as onpair from '../../src/columns/encodings/onpair/size.ts';
import { NodeWriter } from '../../src/columns/node.ts';
import { EncodingChooser } from '../../src/write/encode/choose-encoding.ts';
import { rulesOf } from '../../src/write/encode/modes.ts';
import { concatenate } from '../../src/write/values/column-values.ts';
import { decoderFor, rootNode } from '../support/nodes.ts';

const random = createRandom(2027);
const octets = (length: number, below: number): Uint8Array => Uint8Array.from({ length }, () => random.integer(below));
const words = ['import ', 'def ', 'self.', 'return ', '\u{1f600}', 'żółć', '    ', '\0', '\ufeff', 'x'];

const CASES: readonly (readonly [string, readonly Uint8Array[]])[] = [
  ['a single byte', [Uint8Array.of(255)]],
  ['every byte alone', Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte))],
  [
    'edges',
    ['', 'a', '\0', 'a\0b', '\ufeff', '\ufeffab', '\uffff', 'Z'.repeat(300), ''].map((text) => Buffer.from(text)),
  ],
  ['random bytes', Array.from({ length: 300 }, () => octets(random.integer(40), 256))],
  ['two letters', Array.from({ length: 500 }, () => octets(random.integer(40), 2))],
  [
    'words',
    Array.from({ length: 900 }, () =>
      Buffer.from(Array.from({ length: random.integer(9) }, () => random.pick(words)).join('')),
    ),
  ],
  [
    'mostly nothing',
    Array.from({ length: 5000 }, (_, i) => (i === 4321 ? Buffer.from('something') : new Uint8Array(0))),
  ],
  ['one of a mebibyte', [octets(3, 256), octets(1 << 20, 9), octets(5, 256)]],
  ['one byte over and over', [new Uint8Array(100_000).fill(7), new Uint8Array(9).fill(7)]],
];

describe.each(CASES)('%s', (_, values) => {
  const strings = concatenate(values);
  const count = values.length;
  const node = onpair.size(strings, new EncodingChooser(rulesOf('fast')));
  const out = new NodeWriter(node.byteLength);
  node.encode(out);
  const open = () => {
    const found = decoderFor(out.bytes, 'string').strings(
      rootNode(out.bytes, node.encoding, 0, count, 'string'),
      0,
      count,
    );
    if (found.kind !== 'strings') throw new Error('codes');
    return found;
  };

  it('takes as many bytes as it says', () => expect(out.position).toBe(node.byteLength));

  it('comes back as a whole', () => {
    expect(Buffer.compare(open().bytes, Buffer.concat(values))).toBe(0);
  });

  it('comes back string by string, in any order, and again', () => {
    const found = open();
    const order = Array.from({ length: Math.min(count, 400) }, () => random.integer(count));
    for (const at of [...order, ...order, count - 1, 0])
      expect(Buffer.compare(stringAt(found, at), values[at]!)).toBe(0);
    for (const at of order) expect(Buffer.compare(stringAt(found, at), values[at]!)).toBe(0);
    expect(Buffer.compare(found.bytes, Buffer.concat(values))).toBe(0);
  });

  it('leaves a string as it is while the one before it is spelled out', () => {
    const found = open();
    for (let at = Math.min(count, 300) - 1; at > 0; at--) {
      const behind = stringAt(found, at);
      stringAt(found, at - 1);
      expect(Buffer.compare(behind, values[at]!)).toBe(0);
    }
  });

  it('is the same each time', () => {
    const again = onpair.size(strings, new EncodingChooser(rulesOf('fast')));
    const other = new NodeWriter(again.byteLength);
    again.encode(other);
    expect(Buffer.compare(other.bytes, out.bytes)).toBe(0);
  });
});

it('has short codes for few symbols where many are worth no more', () => {
  const hexadecimal = Array.from({ length: 3000 }, () => Buffer.from(Buffer.from(octets(16, 256)).toString('hex')));
  const chooser = new EncodingChooser(rulesOf('fast'));
  // Two digits a byte, as they stand for, and what symbols and lengths take.
  expect(onpair.size(concatenate(hexadecimal), chooser).byteLength).toBeLessThan(0.56 * 3000 * 32);
});

describe('symbols of more texts than a round reads', () => {
  const projectBackend = process.env['COLKIT_BACKEND'] === 'js' ? 'js' : 'native';
  afterEach(() => setDefaultBackend(projectBackend));
  const vocabulary = Array.from({ length: 500 }, () => octets(2 + random.integer(24), 26));
  // The first words are the most frequent ones.
  const word = () => vocabulary[random.integer(1 + random.integer(vocabulary.length))] as Uint8Array;
  const lines = concatenate(
    Array.from({ length: 20_000 }, () => Buffer.concat(Array.from({ length: 1 + random.integer(6) }, word))),
  );
  const symbolsOf = (rounds: number): readonly string[] => {
    const { count, bytes, lengths } = onpair.trainSymbols(lines, rounds);
    return Array.from({ length: count }, (_, i) =>
      Buffer.from(bytes.slice(32 * i, 32 * i + (lengths[i] as number))).toString('latin1'),
    );
  };

  it.each([1, 2, 5, 6])('%i rounds: each byte, and others in the order of their bytes', (rounds) => {
    const symbols = symbolsOf(rounds);
    expect(symbols.slice(0, 256)).toEqual(Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte)));
    const joined = symbols.slice(256);
    expect(joined).toEqual([...new Set(joined)].sort());
    const longest = Math.max(...joined.map((symbol) => symbol.length));
    expect(longest).toBeGreaterThan(16);
    expect(longest).toBeLessThanOrEqual(32);
  });

  it.runIf(projectBackend === 'native').each([1, 2, 5, 6])('%i rounds: the same without the addon', (rounds) => {
    const found = symbolsOf(rounds);
    setDefaultBackend('js');
    expect(symbolsOf(rounds)).toEqual(found);
  });

  it.runIf(projectBackend === 'native')('spell the same without the addon, and on one thread', () => {
    const bytesOf = (): Uint8Array => {
      const node = onpair.size(lines, new EncodingChooser(rulesOf('default')));
      const out = new NodeWriter(node.byteLength);
      node.encode(out);
      return out.bytes;
    };
    const found = bytesOf();
    const threads = maxWorkers();
    try {
      setMaxWorkers(1);
      expect(Buffer.compare(bytesOf(), found)).toBe(0);
    } finally {
      setMaxWorkers(threads);
    }
    setDefaultBackend('js');
    expect(Buffer.compare(bytesOf(), found)).toBe(0);
  });

  it('take fewer bytes the more rounds there are, and fewer again where those that are seldom used make room', () => {
    const sizes = [1, 2, 5, 6].map((symbolRounds) => {
      const chooser = new EncodingChooser({ ...rulesOf('fast'), symbolRounds });
      return onpair.size(lines, chooser).byteLength;
    });
    expect(sizes).toEqual([...new Set(sizes)].sort((a, b) => b - a));
  });
});
