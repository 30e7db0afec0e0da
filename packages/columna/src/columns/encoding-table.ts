// The closed table of encodings, and the decoder that walks a tree of nodes with it. The only place that knows which encoding ids there are.
import { Encoding } from '../layout/constants.ts';
import { corrupt } from '../layout/place.ts';
import * as affine from './encodings/affine.ts';
import * as bitPack from './encodings/bit-pack.ts';
import * as bits from './encodings/bits.ts';
import * as decimal from './encodings/decimal.ts';
import * as delta from './encodings/delta.ts';
import * as dictionary from './encodings/dictionary.ts';
import * as entropy from './encodings/entropy.ts';
import * as patched from './encodings/patched.ts';
import * as plain from './encodings/plain.ts';
import * as runLength from './encodings/run-length.ts';
import * as strings from './encodings/strings.ts';
import { unknownEncoding } from './node.ts';
import type { Body, Decoder, Node } from './node.ts';
import { pickVector, toPatterns } from './pick.ts';
import { wordAt } from './vector.ts';
import type { Integers, Strings, Vector } from './vector.ts';

/** A decoder over one page body. Everything it returns lies in the body or in scratch memory: valid until the scratch memory is reset. */
export function decoderOf(body: Body): Decoder {
  const decoder: Decoder = {
    ...body,
    vector: (node, start, end) => decodeVector(node, start, end, decoder),
    integers: (node, start, end) => toPatterns(decodeVector(node, start, end, decoder), node.domain, body.scratch),
    strings: (node, start, end) => decodeStrings(node, start, end, decoder),
    numbers: (node, start, end, limit, what) => numbersBelow(decodeVector(node, start, end, decoder), limit, what, node, decoder),
  };
  return decoder;
}

function decodeVector(node: Node, start: number, end: number, decoder: Decoder): Vector {
  const isFloat = node.domain === 'float32' || node.domain === 'float64';
  switch (node.encoding) {
    case Encoding.PLAIN: return plain.decodeRange(node, start, end, decoder);
    case Encoding.DELTA: return delta.decodeRange(node, start, end, decoder);
    case Encoding.DICTIONARY: return dictionary.decodeRange(node, start, end, decoder);
    case Encoding.RLE: return runLength.decodeRange(node, start, end, decoder);
    case Encoding.BITPACK: return bitPack.decodeRange(node, start, end, decoder);
    case Encoding.DECIMAL:
      if (!isFloat) throw unknownEncoding(node, decoder.place);
      return decimal.decodeRange(node, start, end, decoder);
    case Encoding.AFFINE: return affine.decodeRange(node, start, end, decoder);
    case Encoding.PATCHED: return patched.decodeRange(node, start, end, decoder);
    case Encoding.ENTROPY: return entropy.decodeRange(node, start, end, decoder);
    case Encoding.BITS: return bits.decodeRange(node, start, end, decoder);
    case Encoding.CODES: {
      const codes = rootCodes(node, start, end, decoder);
      const { entries } = codes.dictionary;
      if (entries.kind === 'strings' || entries.kind === 'coded') throw unknownEncoding(node, decoder.place);
      return pickVector(entries, codes.codes, node.domain, decoder.scratch);
    }
    default: throw unknownEncoding(node, decoder.place);
  }
}

function decodeStrings(node: Node, start: number, end: number, decoder: Decoder): Strings {
  switch (node.encoding) {
    case Encoding.PLAIN: return strings.decodeStrings(node, start, end, decoder);
    case Encoding.DICTIONARY: return dictionary.decodeStrings(node, start, end, decoder);
    case Encoding.CODES: {
      const codes = rootCodes(node, start, end, decoder);
      const { entries } = codes.dictionary;
      if (entries.kind !== 'strings' && entries.kind !== 'coded') throw unknownEncoding(node, decoder.place);
      return dictionary.coded(entries, codes.codes);
    }
    default: throw unknownEncoding(node, decoder.place);
  }
}

/** Codes stand at the root of a data page whose chunk has a dictionary page, and nowhere else. */
function rootCodes(node: Node, start: number, end: number, decoder: Decoder) {
  if (decoder.dictionary === null || node.depth !== 1) throw corrupt('ERR_LAYOUT', decoder.place, node.start, 'CODES only where the chunk has a dictionary page', 'none');
  return { dictionary: decoder.dictionary, codes: dictionary.decodeCodes(node, start, end, decoder.dictionary, decoder) };
}

/** Integers as numbers below `limit`. */
function numbersBelow(vector: Vector, limit: number, what: string, node: Node, decoder: Decoder): Uint32Array {
  const integers: Integers = toPatterns(vector, node.domain, decoder.scratch);
  const { count } = integers;
  const refuse = (index: number, found: bigint | number) => corrupt('ERR_LAYOUT', decoder.place, node.start, `${what} below ${limit}`, `${found} at position ${index}`);
  if (integers.kind === 'narrow' && integers.base === 0n && integers.step === 1n) {
    const { values, below } = integers;
    if (below > limit) for (let i = 0; i < count; i++) if ((values[i] as number) >= limit) throw refuse(i, values[i] as number);
    return values;
  }
  const numbers = decoder.scratch.uint32(count);
  const line = integers.kind === 'narrow' ? smallLine(integers.base, integers.step, integers.below, limit) : null;
  if (integers.kind === 'narrow' && line !== null) {
    for (let i = 0; i < count; i++) numbers[i] = line.base + line.step * (integers.values[i] as number);
    return numbers;
  }
  for (let i = 0; i < count; i++) {
    const word = wordAt(integers, i);
    if (word >= BigInt(limit)) throw refuse(i, word);
    numbers[i] = Number(word);
  }
  return numbers;
}

/** Base and step as doubles where all values are known to be below the limit. */
function smallLine(base: bigint, step: bigint, below: number, limit: number): { base: number; step: number } | null {
  const small = base >= 0n && step >= 0n && base + step * BigInt(below - 1) < BigInt(limit);
  return small ? { base: Number(base), step: Number(step) } : null;
}
