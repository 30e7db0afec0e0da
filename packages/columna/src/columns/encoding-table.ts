// The closed table of encodings, and the decoder that walks a tree of nodes with it. The only place that knows which
// encoding ids there are.
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
import type { Body, ChunkDictionary, Decoder, Node } from './node.ts';
import { pickVector, toPatterns } from './pick.ts';
import { wordAt } from './vector.ts';
import type { Integers, Strings, Vector } from './vector.ts';

/**
 * A decoder over one page body. Everything it returns lies in the body or in scratch memory: valid until the scratch
 * memory is reset.
 */
export function decoderOf(body: Body): Decoder {
  const decoder: Decoder = {
    ...body,
    vector: (node, start, end) => decodeVector(node, start, end, decoder),
    integers: (node, start, end) => toPatterns(decodeVector(node, start, end, decoder), node.domain, body.scratch),
    strings: (node, start, end) => decodeStrings(node, start, end, decoder),
    pick: (node, rows) => pickRows(node, rows, decoder),
    pickStrings: (node, rows) => pickStrings(node, rows, decoder),
    pickNumbers: (node, rows, limit, what) => numbersBelow(pickRows(node, rows, decoder), limit, what, node, decoder),
    numbers: (node, start, end, limit, what) =>
      numbersBelow(decodeVector(node, start, end, decoder), limit, what, node, decoder),
  };
  return decoder;
}

function decodeVector(node: Node, start: number, end: number, decoder: Decoder): Vector {
  const isFloat = node.domain === 'float32' || node.domain === 'float64';
  switch (node.encoding) {
    case Encoding.PLAIN:
      return plain.decodeRange(node, start, end, decoder);
    case Encoding.DELTA:
      return delta.decodeRange(node, start, end, decoder);
    case Encoding.DICTIONARY:
      return dictionary.decodeRange(node, start, end, decoder);
    case Encoding.RLE:
      return runLength.decodeRange(node, start, end, decoder);
    case Encoding.BITPACK:
      return bitPack.decodeRange(node, start, end, decoder);
    case Encoding.DECIMAL:
      if (!isFloat) throw unknownEncoding(node, decoder.place);
      return decimal.decodeRange(node, start, end, decoder);
    case Encoding.AFFINE:
      return affine.decodeRange(node, start, end, decoder);
    case Encoding.PATCHED:
      return patched.decodeRange(node, start, end, decoder);
    case Encoding.ENTROPY:
      return entropy.decodeRange(node, start, end, decoder);
    case Encoding.BITS:
      return bits.decodeRange(node, start, end, decoder);
    case Encoding.CODES: {
      const codes = rootCodes(node, start, end, decoder);
      const { entries } = codes.dictionary;
      if (entries.kind === 'strings' || entries.kind === 'coded') throw unknownEncoding(node, decoder.place);
      return pickVector(entries, codes.codes, node.domain, decoder.scratch);
    }
    default:
      throw unknownEncoding(node, decoder.place);
  }
}

function decodeStrings(node: Node, start: number, end: number, decoder: Decoder): Strings {
  switch (node.encoding) {
    case Encoding.PLAIN:
      return strings.decodeStrings(node, start, end, decoder);
    case Encoding.DICTIONARY:
      return dictionary.decodeStrings(node, start, end, decoder);
    case Encoding.CODES: {
      const codes = rootCodes(node, start, end, decoder);
      const { entries } = codes.dictionary;
      if (entries.kind !== 'strings' && entries.kind !== 'coded') throw unknownEncoding(node, decoder.place);
      return dictionary.coded(entries, codes.codes);
    }
    default:
      throw unknownEncoding(node, decoder.place);
  }
}

/**
 * Where more of the rows between the first and the last are wanted than one in so many, decoding all of them costs
 * less.
 */
const DENSE = 8;

function pickRows(node: Node, rows: Uint32Array, decoder: Decoder): Vector {
  const { start, end } = rangeOf(rows);
  if (rows.length * DENSE < end - start) {
    const isFloat = node.domain === 'float32' || node.domain === 'float64';
    switch (node.encoding) {
      case Encoding.BITPACK: {
        const vector = bitPack.decodeRows(node, rows, decoder);
        if (vector !== null) return vector;
        break;
      }
      case Encoding.DECIMAL:
        if (isFloat) return decimal.decodeRows(node, rows, decoder);
        break;
      case Encoding.RLE:
        return runLength.decodeRows(node, rows, decoder);
      case Encoding.DICTIONARY:
        return dictionary.decodeRows(node, rows, decoder);
      case Encoding.CODES: {
        const { entries, entryCount } = rootDictionary(node, decoder);
        if (entries.kind !== 'strings' && entries.kind !== 'coded')
          return pickVector(
            entries,
            dictionary.decodeCodesOf(node, rows, { entries, entryCount }, decoder),
            node.domain,
            decoder.scratch,
          );
        break;
      }
      default: // Their values need those before them, or are read as fast as they are found.
    }
  }
  return pickVector(
    decodeVector(node, start, end, decoder),
    lessened(rows, start, decoder),
    node.domain,
    decoder.scratch,
  );
}

function pickStrings(node: Node, rows: Uint32Array, decoder: Decoder): Strings {
  const { start, end } = rangeOf(rows);
  if (rows.length * DENSE < end - start) {
    if (node.encoding === Encoding.DICTIONARY) return dictionary.decodeStringsOf(node, rows, decoder);
    if (node.encoding === Encoding.CODES) {
      const { entries, entryCount } = rootDictionary(node, decoder);
      if (entries.kind === 'strings' || entries.kind === 'coded')
        return dictionary.coded(entries, dictionary.decodeCodesOf(node, rows, { entries, entryCount }, decoder));
    }
  }
  const strings = decodeStrings(node, start, end, decoder);
  const places = lessened(rows, start, decoder);
  if (strings.kind === 'strings') return dictionary.coded(strings, places);
  for (let i = 0; i < places.length; i++) places[i] = strings.codes[places[i] as number] as number;
  return { kind: 'coded', count: places.length, codes: places, entries: strings.entries };
}

function rangeOf(rows: Uint32Array): { readonly start: number; readonly end: number } {
  let [start, end] = [2 ** 32, 0];
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    if (row < start) start = row;
    if (row >= end) end = row + 1;
  }
  return { start: Math.min(start, end), end };
}

/** Scratch memory. */
function lessened(rows: Uint32Array, start: number, { scratch }: Decoder): Uint32Array {
  const places = scratch.uint32(rows.length);
  for (let i = 0; i < rows.length; i++) places[i] = (rows[i] as number) - start;
  return places;
}

/** Codes stand at the root of a data page whose chunk has a dictionary page, and nowhere else. */
function rootCodes(node: Node, start: number, end: number, decoder: Decoder) {
  const found = rootDictionary(node, decoder);
  return { dictionary: found, codes: dictionary.decodeCodes(node, start, end, found, decoder) };
}

function rootDictionary(node: Node, decoder: Decoder): ChunkDictionary {
  if (decoder.dictionary === null || node.depth !== 1)
    throw corrupt('ERR_LAYOUT', decoder.place, node.start, 'CODES only where the chunk has a dictionary page', 'none');
  return decoder.dictionary;
}

/** Integers as numbers below `limit`. */
function numbersBelow(vector: Vector, limit: number, what: string, node: Node, decoder: Decoder): Uint32Array {
  const integers: Integers = toPatterns(vector, node.domain, decoder.scratch);
  const { count } = integers;
  const refuse = (index: number, found: bigint | number) =>
    corrupt('ERR_LAYOUT', decoder.place, node.start, `${what} below ${limit}`, `${found} at position ${index}`);
  if (integers.kind === 'narrow' && integers.base === 0n && integers.step === 1n) {
    const { values, below } = integers;
    if (below > limit)
      for (let i = 0; i < count; i++) if ((values[i] as number) >= limit) throw refuse(i, values[i] as number);
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
