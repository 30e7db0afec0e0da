// AFFINE: first + i * step modulo 2^64, in sixteen bytes however many values there are. A constant has step 0.
import type { EncodingReader, EncodingWriter } from '../../encoding.ts';
import { ALL_ROLES } from '../../chooser.ts';
import { Encoding } from '../../../layout/constants.ts';
import { DECODING_RATES } from '../decoding-rates.ts';
import type { Source } from '../../chooser.ts';
import { NodeReader } from '../../node.ts';
import type { Decoder, Node, SizedNode } from '../../node.ts';
import { wordAt } from '../../vector.ts';
import type { Vector } from '../../vector.ts';

/** Null where the values are no such sequence. */
export function size(source: Source): SizedNode | null {
  const first = wordAt(source, 0);
  const step = source.count === 1 ? 0n : wordAt(source, 1) - first;
  if (
    !(source.kind === 'narrow'
      ? isNarrowSequence(source.values)
      : isWideSequence(source.words, BigInt.asUintN(64, step)))
  )
    return null;
  return {
    encoding: Encoding.AFFINE,
    parameter: 0,
    byteLength: 16,
    label: 'AFFINE',
    time: source.count * DECODING_RATES.affine,
    encode: (out) => {
      out.uint64(first);
      out.uint64(step);
    },
  };
}

function isNarrowSequence(values: Uint32Array): boolean {
  const step = (values[1] ?? 0) - (values[0] ?? 0);
  for (let i = 2; i < values.length; i++) if ((values[i] as number) - (values[i - 1] as number) !== step) return false;
  return true;
}

function isWideSequence(words: Uint32Array, step: bigint): boolean {
  const stepLow = Number(step & 0xffffffffn);
  const stepHigh = Number(step >> 32n);
  for (let i = 2; i < words.length; i += 2) {
    const low = ((words[i - 2] as number) + stepLow) >>> 0;
    const high = ((words[i - 1] as number) + stepHigh + (low < stepLow ? 1 : 0)) >>> 0;
    if (low !== words[i] || high !== words[i + 1]) return false;
  }
  return true;
}

function decodeRange(node: Node, start: number, end: number, decoder: Decoder): Vector {
  const reader = new NodeReader(decoder, node);
  const first = reader.uint64('a first value');
  const step = reader.uint64('a step');
  reader.end();
  return {
    kind: 'narrow',
    count: end - start,
    base: BigInt.asIntN(64, first),
    step: BigInt.asIntN(64, step),
    values: decoder.scratch.ramp(end).subarray(start, end),
    below: end,
  };
}

export const affine: EncodingReader = {
  name: 'AFFINE',
  decode: decodeRange,
};

export const affineWriter: EncodingWriter = {
  roles: ALL_ROLES,
  offer: size,
  isSmallest: true,
};
