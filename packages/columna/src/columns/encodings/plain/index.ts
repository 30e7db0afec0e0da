// PLAIN: items one after another, each zero-extended to a word. In the file it is an array, so a page of it can be
// viewed without a copy.
import type { EncodingReader, EncodingWriter } from '../../encoding.ts';
import { ALL_ROLES } from '../../chooser.ts';
import { DECODING_RATES } from '../decoding-rates.ts';
import { decodeStrings } from './strings.ts';
import { Encoding } from '../../../layout/constants.ts';
import type { Source } from '../../chooser.ts';
import { NodeReader } from '../../node.ts';
import type { Decoder, Node, NodeWriter, SizedNode } from '../../node.ts';
import { writeWords } from '../../vector.ts';
import type { Vector } from '../../vector.ts';

/** Items of `itemBytes` bytes: the type's own at the root, else the fewest that hold every word. */
export function size(source: Source, itemBytes: number | null): SizedNode {
  const width = itemBytes ?? smallestWidth(source);
  const parameter = Math.log2(width);
  return {
    encoding: Encoding.PLAIN,
    parameter,
    byteLength: width * source.count,
    label: 'PLAIN',
    time: source.count * DECODING_RATES.plain,
    encode: (out) => encode(source, width, out),
  };
}

function smallestWidth(source: Source): 1 | 2 | 4 | 8 {
  if (source.kind === 'wide' || source.base < 0n) return 8;
  const largest = source.base + source.step * BigInt(source.below - 1);
  return largest < 256n ? 1 : largest < 65536n ? 2 : largest < 1n << 32n ? 4 : 8;
}

function encode(source: Source, width: number, out: NodeWriter): void {
  const { count } = source;
  const at = out.skip(width * count);
  if (width === 8) {
    writeWords(source, out.words.subarray(at / 4, at / 4 + 2 * count), 0);
    return;
  }
  const items =
    width === 4
      ? out.words.subarray(at / 4)
      : width === 2
        ? new Uint16Array(out.bytes.buffer, at)
        : out.bytes.subarray(at);
  if (source.kind === 'wide') {
    for (let i = 0; i < count; i++) items[i] = source.words[2 * i] as number;
    return;
  }
  // Only the low 32 bits matter here, and those follow from the low 32 bits of base and step.
  const base = Number(BigInt.asIntN(32, source.base));
  const step = Number(BigInt.asIntN(32, source.step));
  for (let i = 0; i < count; i++) items[i] = (base + Math.imul(step, source.values[i] as number)) | 0;
}

const MOST_PARAMETER = 3;

function decodeRange(node: Node, start: number, end: number, decoder: Decoder): Vector {
  const reader = new NodeReader(decoder, node, MOST_PARAMETER);
  const width = 1 << node.parameter;
  if (node.depth === 1 && decoder.itemBytes !== 0 && width !== decoder.itemBytes)
    throw reader.refuse(`items of ${decoder.itemBytes} bytes`, width);
  const at = reader.take(node.count * width, 'items') + start * width;
  reader.end();
  const count = end - start;
  if (width === 8) return { kind: 'wide', count, words: decoder.words.subarray(at / 4, at / 4 + 2 * count) };
  const { buffer, byteOffset } = decoder.bytes;
  if (width === 4)
    return {
      kind: 'narrow',
      count,
      base: 0n,
      step: 1n,
      values: decoder.words.subarray(at / 4, at / 4 + count),
      below: 2 ** 32,
    };
  const items =
    width === 2 ? new Uint16Array(buffer, byteOffset + at, count) : new Uint8Array(buffer, byteOffset + at, count);
  const values = decoder.scratch.uint32(count);
  values.set(items);
  return { kind: 'narrow', count, base: 0n, step: 1n, values, below: 2 ** (8 * width) };
}

export const plain: EncodingReader = {
  name: 'PLAIN',
  decode: decodeRange,
  decodeStrings,
};

export const plainWriter: EncodingWriter = {
  mostParameter: MOST_PARAMETER,
  roles: ALL_ROLES,
  offer: (source, { itemBytes }) => size(source, itemBytes),
};
