// The inflate for browsers beside zlib's: the same bytes, the same end of the stream, the same refusals.
import { createRandom } from '@colkit/testkit';
import { deflateRawSync, constants, inflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { deflate, deflateBlock } from '../../src/columns/deflating/deflating-browser.ts';
import { provideDeflating } from '../../src/columns/deflating/provided-deflating-browser.ts';
import { inflate } from '../../src/columns/inflate-browser.ts';
import { inflate as inflateOfNode } from '../../src/columns/inflate.ts';

const random = createRandom(31);
const bytesOf = (length: number, most: number): Uint8Array =>
  Uint8Array.from({ length }, () => random.integer(most) * (random.integer(3) === 0 ? 0 : 1));
const CONTENTS = [0, 1, 2, 9, 300, 70_000].flatMap((length) => [2, 5, 60, 256].map((most) => bytesOf(length, most)));
CONTENTS.push(
  new Uint8Array(200_000).fill(7),
  Uint8Array.from({ length: 40_000 }, (_, i) => (i * i) >> 7),
);
const STRATEGIES = ['Z_DEFAULT_STRATEGY', 'Z_FIXED', 'Z_HUFFMAN_ONLY', 'Z_RLE'] as const;

describe.each(STRATEGIES)('%s', (strategy) => {
  it.each([0, 1, 6, 9])('level %d', (level) => {
    for (const content of CONTENTS) {
      const stored = deflateRawSync(content, { level, strategy: constants[strategy] });
      const inflated = inflate(stored, content.length);
      expect([inflated?.consumed, Buffer.from(content).equals(inflated?.bytes ?? Uint8Array.of(1))]).toEqual([
        stored.length,
        true,
      ]);
      // What lies behind the stream is not taken, and told.
      expect(inflate(Buffer.concat([stored, Buffer.alloc(5, 0xff)]), content.length)?.consumed).toBe(stored.length);
      if (content.length > 1) expect(inflate(stored, content.length - 1)).toBe(null);
    }
  });
});

it('damaged streams are refused where zlib refuses them, and else give the same', () => {
  let refused = 0;
  for (let i = 0; i < 3000; i++) {
    const content = bytesOf(1 + random.integer(400), [3, 20, 256][i % 3] ?? 3);
    const stored = new Uint8Array(deflateRawSync(content, { level: 1 + random.integer(9) }));
    const broken = stored.slice(0, random.integer(4) === 0 ? random.integer(stored.length) : stored.length);
    for (let k = 0; k < 1 + random.integer(2) && broken.length > 0; k++) {
      const at = random.integer(Math.min(broken.length, 40));
      broken[at] = (broken[at] as number) ^ (1 << random.integer(8));
    }
    const [found, expected] = [inflate(broken, 2000), inflateOfNode(broken, 2000)];
    if (expected === null) refused++;
    expect(found === null ? null : [found.consumed, Buffer.from(found.bytes).toString('hex')]).toEqual(
      expected === null ? null : [expected.consumed, Buffer.from(expected.bytes).toString('hex')],
    );
  }
  expect(refused).toBeGreaterThan(500);
  expect(refused).toBeLessThan(2950);
});

it('what is compressed for browsers any inflate reads, with a history too, and it is about as small as by zlib', () => {
  expect(() => deflate(new Uint8Array(9), 6)).toThrow(expect.objectContaining({ code: 'ERR_FEATURE' }));
  provideDeflating();
  let [bytes, bytesOfNode] = [0, 0];
  for (const [position, content] of CONTENTS.entries()) {
    const level = 1 + (position % 9);
    const stored = deflate(content, level);
    for (const found of [inflateOfNode(stored, content.length), inflate(stored, content.length)])
      expect(Buffer.from(content).equals(found?.bytes ?? Uint8Array.of(1))).toBe(true);
    const history = content.subarray(0, 4000);
    const block = deflateBlock(content, level, history.length === 0 ? null : history);
    expect(inflateRawSync(block, { dictionary: history }).equals(content)).toBe(true);
    bytes += stored.length + block.length;
    bytesOfNode += 2 * deflateRawSync(content, { level }).length;
  }
  expect(bytes).toBeLessThan(bytesOfNode * 1.1);
});
