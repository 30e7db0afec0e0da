// ONPAIR by what it stores: any bytes come back as they were, all together and one by one, from the bytes alone; and
// what is spelled does not depend on how often it is asked for.
import { createRandom } from '@colkit/testkit';
import { describe, expect, it } from 'vitest';
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
