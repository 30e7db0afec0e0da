// Blocks that are deflated one by one, by zlib, which inflates them; and the same bytes with the addon and without it.
import { backendInfo, setDefaultBackend } from '@colkit/io';
import { createRandom } from '@colkit/testkit';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { deflateBlocks } from '../../src/columns/deflating/deflate-blocks.ts';

const random = createRandom(77);
const octets = (length: number, below: number): Uint8Array => Uint8Array.from({ length }, () => random.integer(below));
const words = ['import ', 'def ', 'self.', 'return ', '\u{1f600}', '    ', '\n', '(x)', 'żółć'];
const prose = (length: number): Uint8Array =>
  Buffer.from(Array.from({ length }, () => random.pick(words)).join('')).subarray(0, length);
/** So unequal that codes would be longer than DEFLATE allows. */
const fibonacci = (): Uint8Array => {
  const counts = Array.from({ length: 20 }, () => 1);
  for (let i = 2; i < counts.length; i++) counts[i] = (counts[i - 1] as number) + (counts[i - 2] as number);
  const bytes = counts.flatMap((count, byte) => new Array<number>(count).fill(byte));
  // Shuffled, so that hardly anything repeats.
  for (let i = bytes.length - 1; i > 0; i--) {
    const other = random.integer(i + 1);
    [bytes[i], bytes[other]] = [bytes[other] as number, bytes[i] as number];
  }
  return Uint8Array.from(bytes);
};

const CASES: readonly (readonly [name: string, bytes: Uint8Array, log2: number, history: Uint8Array | null])[] = [
  ['a byte', Uint8Array.of(200), 13, null],
  ['three bytes that stood before', Uint8Array.of(1, 2, 3), 10, Uint8Array.of(9, 1, 2, 3, 9)],
  ['one byte over and over', new Uint8Array(100_000).fill(7), 13, null],
  ['the same behind a history of it', new Uint8Array(10_000).fill(7), 13, new Uint8Array(16_384).fill(7)],
  ['prose', prose(100_003), 13, prose(16_384)],
  ['prose in small blocks', prose(5003), 10, prose(128)],
  ['prose in the largest blocks', prose(90_000), 15, null],
  ['random bytes', octets(20_001, 256), 13, octets(16_384, 256)],
  ['few letters', octets(30_000, 3), 13, octets(4096, 3)],
  ['weights that differ much', fibonacci(), 14, null],
  ['bytes that are all there once', Uint8Array.from({ length: 256 }, (_, byte) => byte), 10, null],
  [
    'more than one thread takes, some of it random',
    Buffer.concat([prose(300_000), octets(50_001, 256), prose(200_002)]),
    13,
    prose(16_384),
  ],
  ['the history again', prose(16_384).slice(0, 8192), 13, prose(16_384)],
];

afterEach(() => setDefaultBackend('auto'));

describe.each(CASES)('%s', (_, bytes, log2, history) => {
  it('comes back by zlib, block by block', () => {
    const { sizes, stored } = deflateBlocks(bytes, log2, history);
    expect(sizes.length).toBe(Math.ceil(bytes.length / 2 ** log2));
    let at = 0;
    for (const [block, size] of sizes.entries()) {
      const expected = bytes.subarray(block * 2 ** log2, (block + 1) * 2 ** log2);
      const piece = stored.subarray(at, at + size);
      const found =
        size === expected.length ? piece : inflateRawSync(piece, history === null ? {} : { dictionary: history });
      expect(Buffer.compare(found, expected)).toBe(0);
      at += size;
    }
    expect(at).toBe(stored.length);
  });

  it('takes at most a fifth more than by zlib, which looks longer', () => {
    const { sizes, stored } = deflateBlocks(bytes, log2, history);
    let byZlib = 0;
    for (let block = 0; block < sizes.length; block++) {
      const all = bytes.subarray(block * 2 ** log2, (block + 1) * 2 ** log2);
      byZlib += Math.min(all.length, deflateRawSync(all, history === null ? {} : { dictionary: history }).length);
    }
    expect(stored.length).toBeLessThanOrEqual(byZlib * 1.2 + 4 * sizes.length);
  });

  it.skipIf(backendInfo().backend !== 'native')('is the same without the addon', () => {
    const native = deflateBlocks(bytes, log2, history);
    setDefaultBackend('js');
    const here = deflateBlocks(bytes, log2, history);
    expect(here.sizes).toEqual(native.sizes);
    expect(Buffer.compare(here.stored, native.stored)).toBe(0);
  });
});
