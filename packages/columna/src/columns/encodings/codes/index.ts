// CODES: a page of codes of the chunk's dictionary page.
import { Encoding } from '../../../layout/constants.ts';
import { corrupt } from '../../../layout/location.ts';
import { DECODING_RATES } from '../decoding-rates.ts';
import type { EncodingReader, EncodingWriter } from '../../encoding.ts';
import { NodeReader, childBytes, unknownEncoding } from '../../node.ts';
import type { ChunkDictionary, Decoder, Node, SizedNode } from '../../node.ts';
import { pickVector } from '../../pick.ts';
import type { Strings, Vector } from '../../vector.ts';
import { coded } from '../dictionary/index.ts';

/** A page of `count` codes of the chunk's dictionary page. */
export function sizeCodesPage(codeNode: SizedNode, count: number): SizedNode {
  return {
    encoding: Encoding.CODES,
    parameter: 0,
    byteLength: childBytes(codeNode),
    label: `DICTIONARY(${codeNode.label})`,
    time: codeNode.time + count * DECODING_RATES.lookedUp,
    encode: (out) => out.child(codeNode),
  };
}

/** The codes of a page whose chunk has a dictionary page. Scratch memory. */
export function decodeCodes(
  node: Node,
  start: number,
  end: number,
  dictionary: ChunkDictionary,
  decoder: Decoder,
): Uint32Array {
  return decoder.numbers(codesOf(node, decoder), start, end, dictionary.entryCount, 'a code');
}

/** The same of `rows` alone, in any order. */
export function decodeCodesOf(
  node: Node,
  rows: Uint32Array,
  dictionary: ChunkDictionary,
  decoder: Decoder,
): Uint32Array {
  return decoder.pickNumbers(codesOf(node, decoder), rows, dictionary.entryCount, 'a code');
}

function codesOf(node: Node, decoder: Decoder): Node {
  const reader = new NodeReader(decoder, node);
  const codes = reader.child(node.count);
  reader.end();
  return codes;
}

/** Codes stand at the root of a data page whose chunk has a dictionary page, and nowhere else. */
function rootDictionary(node: Node, decoder: Decoder): ChunkDictionary {
  if (decoder.dictionary === null || node.depth !== 1)
    throw corrupt(
      'ERR_LAYOUT',
      decoder.location,
      node.start,
      'CODES only where the chunk has a dictionary page',
      'none',
    );
  return decoder.dictionary;
}

function isStrings(entries: Vector | Strings): entries is Strings {
  return entries.kind === 'strings' || entries.kind === 'coded';
}

export const codes: EncodingReader = {
  name: 'CODES',
  decode: (node, start, end, decoder) => {
    const found = rootDictionary(node, decoder);
    const numbers = decodeCodes(node, start, end, found, decoder);
    if (isStrings(found.entries)) throw unknownEncoding(node, decoder.location);
    return pickVector(found.entries, numbers, node.domain, decoder.scratch);
  },
  decodeStrings: (node, start, end, decoder) => {
    const found = rootDictionary(node, decoder);
    const numbers = decodeCodes(node, start, end, found, decoder);
    if (!isStrings(found.entries)) throw unknownEncoding(node, decoder.location);
    return coded(found.entries, numbers);
  },
  pick: (node, rows, decoder) => {
    const found = rootDictionary(node, decoder);
    return isStrings(found.entries)
      ? null
      : pickVector(found.entries, decodeCodesOf(node, rows, found, decoder), node.domain, decoder.scratch);
  },
  pickStrings: (node, rows, decoder) => {
    const found = rootDictionary(node, decoder);
    return isStrings(found.entries) ? coded(found.entries, decodeCodesOf(node, rows, found, decoder)) : null;
  },
};

export const codesWriter: EncodingWriter = {
  // The writer's word for codes of the chunk's dictionary page.
  label: (_, child) => `DICTIONARY(${child()})`,
};
