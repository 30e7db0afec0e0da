// BLOCKS that lie: refused with a typed error before memory is taken, as in hostile.test.ts.
import { isColkitError } from '@colkit/io';
import { expect, it } from 'vitest';
import { Encoding } from '../../src/layout/constants.ts';
import { bytesOf, childOf, decoderFor, rootNode } from '../support/nodes.ts';

const plainChild = (...values: number[]) => childOf(Encoding.PLAIN, 0, Uint8Array.from(values));

const CASES: [string, number, number, Uint8Array][] = [
  ['BLOCKS of 512 bytes', 0, 1, blocksBody({ log2: 9 })],
  ['BLOCKS of 2 MiB', 0, 1, blocksBody({ log2: 21 })],
  ['fingerprints of nine bits', 0, 1, blocksBody({ bits: 9 })],
  ['a history of 32,769 bytes', 0, 1, blocksBody({ history: 32769, stored: 2 })],
  ['a history that is not stored', 0, 1, blocksBody({ history: 2 })],
  ['a history without bytes', 0, 1, blocksBody({ stored: 2 })],
  ['a history that is longer than the node', 0, 1, blocksBody({ history: 900, stored: 900 })],
  ['4 GiB of strings', 0, 1, blocksBody({ bytes: 0xffffffff, lengths: [0xffffffff] })],
  ['lengths of fewer bytes', 0, 1, blocksBody({ lengths: [1] })],
  ['lengths that overflow', 0, 2, blocksBody({ lengths: [0xffffffff, 3] })],
  ['a block without bytes', 0, 1, blocksBody({ sizes: [0] })],
  ['a block that is longer stored', 0, 1, blocksBody({ sizes: [3] })],
  ['a block less than is stored', 0, 1, blocksBody({ sizes: [1] })],
  ['BLOCKS with a parameter', 1, 1, blocksBody({})],
];

function outcome(parameter: number, count: number, body: Uint8Array): string {
  const before = process.memoryUsage().arrayBuffers;
  try {
    const strings = decoderFor(body, 'string').strings(
      rootNode(body, Encoding.BLOCKS, parameter, count, 'string'),
      0,
      count,
    );
    return strings.kind === 'strings' ? Buffer.from(strings.bytes).toString() : strings.kind;
  } catch (error) {
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 << 20);
    if (isColkitError(error)) return error.code;
    throw error;
  }
}

it.each(CASES)('refuses %s', (_, parameter, count, body) => {
  expect(outcome(parameter, count, body)).toBe('ERR_LAYOUT');
});

it('takes what is as it must be', () => {
  expect(outcome(0, 1, blocksBody({}))).toBe('ab');
  expect(outcome(0, 1, blocksBody({ bits: 8 }))).toBe('ab');
});

/** One string of two bytes. */
function blocksBody(change: {
  bytes?: number;
  log2?: number;
  bits?: number;
  history?: number;
  stored?: number;
  lengths?: number[];
  sizes?: number[];
}): Uint8Array {
  const { bytes = 2, log2 = 10, bits = 0, history = 0, stored = 0, lengths = [2], sizes = [2] } = change;
  return bytesOf(
    ['u32', bytes],
    ['u8', log2],
    ['u8', bits],
    ['u16', history],
    ['u32', stored],
    ['u32', 0],
    plainChild(...lengths),
    ...(bits > 0 ? [plainChild(...lengths.map(() => 0))] : []),
    plainChild(...sizes),
    '6162',
  );
}
