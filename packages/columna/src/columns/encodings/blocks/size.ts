// Byte strings -> a BLOCKS node. What it takes is known when its blocks are compressed, so sizing is all of the work.
import { Encoding } from '../../../layout/constants.ts';
import { DECODING_RATES } from '../decoding-rates.ts';
import type { Chooser, Rules } from '../../chooser.ts';
import { deflateBlocks } from '../../deflating/deflate-blocks.ts';
import type { DeflatedBlocks } from '../../deflating/deflate-blocks.ts';
import { deflate, deflateBlock } from '../../deflating/deflating.ts';
import { writeKernels } from '../../kernels/write-kernels.ts';
import { fingerprintOf, hashOf } from './fingerprint.ts';
import { childBytes } from '../../node.ts';
import type { SizedNode } from '../../node.ts';
import { narrowSource } from '../../source.ts';
import type { ByteStrings } from '../../vector.ts';

/** What a block costs whoever needs one string of it, and what DEFLATE finds in it. */
interface BlockSettings {
  readonly blockLog2: number;
  readonly fingerprintBits: number;
}

const QUICK: BlockSettings = { blockLog2: 13, fingerprintBits: 4 };
const SMALL: BlockSettings = { blockLog2: 16, fingerprintBits: 0 };
const HISTORY_BYTES = 1 << 14;
/** The history is made of pieces of this size, from all over the strings. */
const PIECE_BYTES = 128;
/** Of so many bytes of strings the history has one. */
const BYTES_PER_HISTORY_BYTE = 16;
/** Fewer strings are looked through as fast. */
const LEAST_FINGERPRINTS = 256;

/** What the bytes of strings take, about, by what a few of their blocks do; there are as many and more. */
export function estimate(strings: ByteStrings, { rules }: Chooser): { byteLength: number; time: number } {
  const { blockLog2 } = settingsOf(rules);
  const { count, start, ends } = strings;
  const data = strings.bytes.subarray(start, ends[count - 1]);
  const history = historyOf(data);
  const blockCount = Math.ceil(data.length / 2 ** blockLog2);
  const some = new Uint8Array(SAMPLED_BLOCKS * 2 ** blockLog2);
  for (let i = 0; i < SAMPLED_BLOCKS; i++) {
    const at = Math.floor((i * blockCount) / SAMPLED_BLOCKS) * 2 ** blockLog2;
    some.set(data.subarray(at, at + 2 ** blockLog2), i * 2 ** blockLog2);
  }
  const { stored } = compress(some, history, rules);
  const byteLength = (stored.length / some.length) * data.length + (history?.length ?? 0) / 2;
  return { byteLength, time: inflatingTime(data.length, byteLength, rules) };
}

const SAMPLED_BLOCKS = 6;

/** Of bytes that so many are inflated to. */
function inflatingTime(bytes: number, storedBytes: number, { inflatedTimes }: Rules): number {
  return inflatedTimes * (bytes * DECODING_RATES.inflated + storedBytes * DECODING_RATES.deflated);
}

function settingsOf({ bytesPerNanosecond }: Rules): BlockSettings {
  return bytesPerNanosecond === 0 ? SMALL : QUICK;
}

/** The blocks of bytes, back to back. */
function compress(data: Uint8Array, history: Uint8Array | null, rules: Rules): DeflatedBlocks {
  const { blockLog2 } = settingsOf(rules);
  if (rules.bytesPerNanosecond > 0) return deflateBlocks(data, blockLog2, history);
  // Where nothing but bytes counts, by what finds the most.
  const blocks: Uint8Array[] = [];
  for (let at = 0; at < data.length; at += 1 << blockLog2) {
    const block = data.subarray(at, at + (1 << blockLog2));
    blocks.push(smaller(deflateBlock(block, rules.deflateLevel, history), block));
  }
  const stored = new Uint8Array(blocks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const block of blocks) {
    stored.set(block, at);
    at += block.length;
  }
  return { sizes: Uint32Array.from(blocks, ({ length }) => length), stored };
}

/** All strings, of one byte and more together. @param havePrints whether they may have fingerprints. */
export function size(strings: ByteStrings, chooser: Chooser, havePrints = true): SizedNode {
  const { deflateLevel: level } = chooser.rules;
  const { blockLog2, fingerprintBits } = settingsOf(chooser.rules);
  const { count, start, ends } = strings;
  const data = strings.bytes.subarray(start, ends[count - 1]);
  const lengths = new Uint32Array(count);
  for (let i = 0, from = start; i < count; i++) {
    lengths[i] = (ends[i] as number) - from;
    from = ends[i] as number;
  }
  const lengthNode = chooser.integers(narrowSource(lengths), 'lengths');
  const bits = havePrints && count >= LEAST_FINGERPRINTS ? fingerprintBits : 0;
  const prints = bits === 0 ? null : chooser.integers(narrowSource(fingerprintsOf(strings, bits)), 'small');
  const history = historyOf(data);
  const storedHistory = history === null ? null : smaller(deflate(history, level), history);
  const deflated = compress(data, history, chooser.rules);
  const sizes = chooser.integers(narrowSource(deflated.sizes), 'small');
  const childrenBytes = childBytes(lengthNode) + (prints === null ? 0 : childBytes(prints)) + childBytes(sizes);
  const storedBytes = deflated.stored.length + (storedHistory?.length ?? 0);
  return {
    encoding: Encoding.BLOCKS,
    parameter: 0,
    byteLength: 16 + childrenBytes + storedBytes,
    label: 'BLOCKS',
    time: lengthNode.time + (prints?.time ?? 0) + sizes.time + inflatingTime(data.length, storedBytes, chooser.rules),
    isCompressed: true,
    encode: (out) => {
      out.uint32(data.length);
      out.uint8(blockLog2);
      out.uint8(bits);
      out.uint16(history?.length ?? 0);
      out.uint32(storedHistory?.length ?? 0);
      out.uint32(0);
      out.child(lengthNode);
      if (prints !== null) out.child(prints);
      out.child(sizes);
      if (storedHistory !== null) out.raw(storedHistory);
      out.raw(deflated.stored);
    },
  };
}

function smaller(deflated: Uint8Array, bytes: Uint8Array): Uint8Array {
  return deflated.length < bytes.length ? deflated : bytes;
}

function fingerprintsOf({ bytes, start, ends, count }: ByteStrings, bits: number): Uint32Array {
  const prints = new Uint32Array(count);
  const kernels = writeKernels(count);
  if (kernels !== null) {
    kernels.printTexts(bytes, start, ends.subarray(0, count), bits, prints);
    return prints;
  }
  for (let i = 0, from = start; i < count; i++) {
    const end = ends[i] as number;
    prints[i] = fingerprintOf(hashOf(bytes, from, end), bits);
    from = end;
  }
  return prints;
}

/** What is likely to occur in any block: pieces of the data at equal distances. */
function historyOf(data: Uint8Array): Uint8Array | null {
  const pieces = Math.floor(Math.min(HISTORY_BYTES, data.length / BYTES_PER_HISTORY_BYTE) / PIECE_BYTES);
  if (pieces === 0) return null;
  const history = new Uint8Array(pieces * PIECE_BYTES);
  const stride = Math.floor(data.length / pieces);
  for (let i = 0; i < pieces; i++) history.set(data.subarray(i * stride, i * stride + PIECE_BYTES), i * PIECE_BYTES);
  return history;
}
