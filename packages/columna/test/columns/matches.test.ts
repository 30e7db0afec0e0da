// MATCHES by what it stores: any bytes come back as they were, from the bytes alone, and into what a page is cut
// depends on nothing but its bytes.
import { setDefaultBackend } from '@colkit/io';
import { createRandom } from '@colkit/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { stringAt } from '../../src/columns/byte-strings.ts';
import { codeOfOffset, leastOffset, offsetBits, OFFSET_LIMIT } from '../../src/columns/encodings/matches/offsets.ts';
import { parseMatches } from '../../src/columns/encodings/matches/parse.ts';
import * as matches from '../../src/columns/encodings/matches/size.ts';
import { Encoding } from '../../src/layout/constants.ts';
import { EncodingChooser } from '../../src/write/encode/choose-encoding.ts';
import { rulesOf } from '../../src/write/encode/modes.ts';
import { concatenate } from '../../src/write/values/column-values.ts';
import { backendsToAsk } from '../support/backends.ts';
import { decoderFor, encodeNode, rootNode } from '../support/nodes.ts';

const BACKENDS = backendsToAsk();
afterEach(() => setDefaultBackend('js'));
const random = createRandom(2029);
const octets = (length: number, below: number): Uint8Array => Uint8Array.from({ length }, () => random.integer(below));
const words = ['import ', 'def ', 'self.', 'return ', '\u{1f600}', 'żółć', '    ', '\0', '\ufeff', 'x'];
const far = octets(3000, 256);

/** A long phrase that comes again and again, with a byte of it changed now and then, cut off anywhere. */
function almostTheSame(): Uint8Array[] {
  const phrase = octets(1500, 3);
  return Array.from({ length: 60 }, () => {
    const start = random.integer(300);
    const copy = phrase.slice(start, start + 100 + random.integer(1100));
    for (let changes = random.integer(4); changes > 0; changes--) copy[random.integer(copy.length)] = random.integer(4);
    return copy;
  });
}

const CASES: readonly (readonly [string, readonly Uint8Array[]])[] = [
  ['a single byte', [Uint8Array.of(255)]],
  ['two bytes that are the same', [Uint8Array.of(9, 9)]],
  ['every byte alone', Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte))],
  [
    'edges',
    ['', 'a', '\0', 'a\0b', '\ufeff', '\ufeffab', '\uffff', 'Z'.repeat(300), ''].map((text) => Buffer.from(text)),
  ],
  ['random bytes', Array.from({ length: 300 }, () => octets(random.integer(40), 256))],
  ['two letters', Array.from({ length: 500 }, () => octets(random.integer(40), 2))],
  ['matches that overlap', Array.from({ length: 40 }, (_, i) => new Uint8Array(50).map((_, at) => at % (i + 1)))],
  ['what stands at the front once more', [far, octets(30_000, 256), far]],
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
  ['a page of them', Array.from({ length: 65_536 }, (_, i) => Buffer.from(`${i % 700}`))],
  ['the same over and over', Array.from({ length: 65_536 }, () => Buffer.from('the same'))],
  ['a long one', [octets(3, 256), octets(1 << 17, 9), octets(5, 256)]],
  ['one byte over and over', [new Uint8Array(400_000).fill(7), new Uint8Array(9).fill(7)]],
  ...Array.from({ length: 30 }, (_, i) => [`almost the same, ${i}`, almostTheSame()] as const),
];

describe.each(CASES)('%s', (_, values) => {
  const strings = concatenate(values);
  const count = values.length;
  const node = matches.size(strings, new EncodingChooser(rulesOf('smallest')))!;
  const bytes = encodeNode(node);
  const open = (start = 0, end = count) => {
    const root = rootNode(bytes, Encoding.MATCHES, 0, count, 'string');
    const found = decoderFor(bytes, 'string').strings(root, start, end);
    if (found.kind !== 'strings') throw new Error('codes');
    return found;
  };

  it.each(BACKENDS)('comes back as a whole, %s', (backend) => {
    setDefaultBackend(backend);
    expect(Buffer.compare(open().bytes, Buffer.concat(values))).toBe(0);
  });

  it.each(BACKENDS)('comes back string by string, and in parts, %s', (backend) => {
    setDefaultBackend(backend);
    const found = open();
    for (const at of [...Array.from({ length: 200 }, () => random.integer(count)), count - 1, 0])
      expect(Buffer.compare(stringAt(found, at), values[at]!)).toBe(0);
    const start = random.integer(count);
    const part = open(start, count);
    expect(part.count).toBe(count - start);
    for (let i = 0; i < Math.min(part.count, 50); i++)
      expect(Buffer.compare(stringAt(part, i), values[start + i]!)).toBe(0);
  });

  it.each(BACKENDS)('is the same each time, in whatever memory it lies, %s', (backend) => {
    setDefaultBackend(backend);
    const shifted = concatenate([Uint8Array.of(1, 2, 3), ...values]);
    const moved = { ...strings, bytes: shifted.bytes, start: 3, ends: strings.ends.map((end) => end + 3) };
    const again = encodeNode(matches.size(moved, new EncodingChooser(rulesOf('smallest')))!);
    expect(Buffer.compare(again, bytes)).toBe(0);
  });

  it('has a place in every mode', () => {
    for (const [mode, backend] of [
      ['default', BACKENDS.at(-1)!],
      ['fast', 'js'],
    ] as const) {
      setDefaultBackend(backend);
      const other = encodeNode(matches.size(strings, new EncodingChooser(rulesOf(mode)))!);
      const root = rootNode(other, Encoding.MATCHES, 0, count, 'string');
      const found = decoderFor(other, 'string').strings(root, 0, count);
      expect(found.kind === 'strings' && Buffer.compare(found.bytes, Buffer.concat(values))).toBe(0);
    }
  });
});

it('finds what comes again at any distance', () => {
  const { lengths, offsets } = parseMatches(concatenate([far, octets(200_000, 256), far]).bytes);
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBeGreaterThanOrEqual(far.length);
  expect(offsets).toContain(203_000);
});

it('has a code for every offset, and a bit for each that shares it', () => {
  const some = [...Array(70_000).keys()].slice(1).concat(OFFSET_LIMIT - 1, 2 ** 26, 2 ** 26 + 1, 100_000_000);
  const wrong = some.filter((offset) => {
    const code = codeOfOffset(offset);
    const rest = offset - leastOffset(code);
    return code < 1 || code > 104 || rest < 0 || rest >= 2 ** offsetBits(code);
  });
  expect(wrong).toEqual([]);
  expect([codeOfOffset(8), codeOfOffset(9), codeOfOffset(OFFSET_LIMIT - 1)]).toEqual([8, 9, 104]);
});
