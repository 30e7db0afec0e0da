// DICTIONARY: distinct values once, then small codes; the codes bit-packed, or as runs, or by entropy. CODES has its
// entries in the chunk's dictionary page.
import { Encoding, MAX_DICTIONARY_ENTRIES } from '../../../layout/constants.ts';
import { DECODING_RATES } from '../decoding-rates.ts';
import { costOf } from '../../chooser.ts';
import type { Chooser, Source } from '../../chooser.ts';
import type { EncodingReader, EncodingWriter, Offers } from '../../encoding.ts';
import { giveBack } from '../../kernels/lent-words.ts';
import { NodeReader, childBytes, unlessRefused } from '../../node.ts';
import type { Decoder, Node, SizedNode } from '../../node.ts';
import { pickVector } from '../../pick.ts';
import type { Scratch } from '../../scratch.ts';
import type { Narrow, Strings, Vector } from '../../vector.ts';
import { distinctOf, sampleOf } from './distinct.ts';

export { distinctOf } from './distinct.ts';

/** Entries and codes that were sized by the caller. */
export function size(entries: SizedNode, entryCount: number, codeNode: SizedNode, count: number): SizedNode {
  return {
    encoding: Encoding.DICTIONARY,
    parameter: 0,
    byteLength: 8 + childBytes(entries) + childBytes(codeNode),
    label: `DICTIONARY(${entries.label}, ${codeNode.label})`,
    time: entries.time + codeNode.time + count * DECODING_RATES.lookedUp,
    isCompressed: entries.isCompressed === true,
    encode: (out) => {
      out.uint32(entryCount);
      out.uint32(0);
      out.child(entries);
      out.child(codeNode);
    },
  };
}

/** The node of codes, for a dictionary in the page or the chunk's. */
export function sizeCodes(codes: Narrow, chooser: Chooser): SizedNode {
  return chooser.integers(codes, 'codes');
}

function decodeRange(node: Node, start: number, end: number, decoder: Decoder): Vector {
  const { entries, entryCount, codes } = openDictionaryNode(node, decoder);
  return pickVector(
    decoder.vector(entries, 0, entryCount),
    decoder.numbers(codes, start, end, entryCount, 'a code'),
    node.domain,
    decoder.scratch,
  );
}

function decodeStrings(node: Node, start: number, end: number, decoder: Decoder): Strings {
  const { entries, entryCount, codes } = openDictionaryNode(node, decoder);
  return coded(decoder.strings(entries, 0, entryCount), decoder.numbers(codes, start, end, entryCount, 'a code'));
}

/** The values at `rows` alone, in any order. */
function decodeRows(node: Node, rows: Uint32Array, decoder: Decoder): Vector {
  const { entries, entryCount, codes } = openDictionaryNode(node, decoder);
  return decoder.pick(entries, decoder.pickNumbers(codes, rows, entryCount, 'a code'));
}

function decodeStringsOf(node: Node, rows: Uint32Array, decoder: Decoder): Strings {
  const { entries, entryCount, codes } = openDictionaryNode(node, decoder);
  const found = decoder.pickNumbers(codes, rows, entryCount, 'a code');
  return unlessRefused(
    () => coded(decoder.strings(entries, 0, entryCount), found),
    () => decoder.pickStrings(entries, found),
  );
}

/** The parts of a DICTIONARY node, not decoded yet. */
function openDictionaryNode(
  node: Node,
  decoder: Decoder,
): { readonly entries: Node; readonly entryCount: number; readonly codes: Node } {
  const reader = new NodeReader(decoder, node);
  const entryCount = reader.count(MAX_DICTIONARY_ENTRIES, 'entries');
  reader.take(4, 'ignored bytes');
  const entries = reader.child(entryCount, node.domain);
  const codes = reader.child(node.count);
  reader.end();
  return { entries, entryCount, codes };
}

/** Strings by code; codes of codes become one. */
export function coded(entries: Strings, codes: Uint32Array): Strings {
  if (entries.kind === 'strings') return { kind: 'coded', count: codes.length, codes, entries };
  const inner = entries.codes;
  for (let i = 0; i < codes.length; i++) codes[i] = inner[codes[i] as number] as number;
  return { kind: 'coded', count: codes.length, codes, entries: entries.entries };
}

/** What is true of entries, for values by code. Scratch memory. */
export function maskByCodes(ofEntries: Uint8Array, codes: Uint32Array, scratch: Scratch): Uint8Array {
  const mask = scratch.zeros(codes.length);
  for (let i = 0; i < mask.length; i++) mask[i] = ofEntries[codes[i] as number] as number;
  return mask;
}

/**
 * Codes of a range hardly larger than the entries are the values minus their minimum: BITPACK has been sized for that.
 */
const DENSE = 1.2;

/** Fewer than two values a distinct one store less than the values themselves in no case worth its overhead. */
function offer(source: Source, { chooser, forced, rivals }: Offers): SizedNode | null {
  const most = Math.min(MAX_DICTIONARY_ENTRIES, forced ? source.count : source.count >>> 1);
  if (most === 0) return null;
  if (!forced && source.kind === 'narrow' && !mayGain(source, rivals, chooser)) return null;
  const distinct = distinctOf(source, most);
  if (distinct === null) return null;
  if (!forced && source.kind === 'narrow' && source.below < distinct.entries.count * DENSE) {
    giveBack(distinct.codes.values);
    return null;
  }
  const codeNode = sizeCodes(distinct.codes, chooser);
  const entryNode = chooser.integers(distinct.entries, 'values');
  return {
    ...size(entryNode, distinct.entries.count, codeNode, source.count),
    release: () => {
      entryNode.release?.();
      codeNode.release?.();
      giveBack(distinct.codes.values);
    },
  };
}

/**
 * What a sample says of a dictionary, at best: entries by their gaps, codes by their entropy. It spares most columns
 * the look at everything.
 */
function mayGain(source: Narrow, rivals: readonly SizedNode[], { rules }: Chooser): boolean {
  const look = sampleOf(source);
  if (look === null) return true;
  if (source.below < look.entries * DENSE) return false;
  // Codes in runs take less than their entropy.
  if (rivals.some(({ encoding }) => encoding === Encoding.RLE)) return true;
  const bits = look.entries * Math.log2(source.below / look.entries) + source.count * look.bitsPerValue;
  const least = costOf({ byteLength: bits / 8, time: source.count * DECODING_RATES.lookedUp }, rules);
  return least < rivals.reduce((best, node) => Math.min(best, costOf(node, rules)), Infinity);
}

export const dictionary: EncodingReader = {
  name: 'DICTIONARY',
  decode: decodeRange,
  decodeStrings,
  pick: decodeRows,
  pickStrings: decodeStringsOf,
  test: (node, decoder, test) => {
    const { entries, entryCount, codes } = openDictionaryNode(node, decoder);
    return maskByCodes(
      test.node(entries),
      decoder.numbers(codes, 0, node.count, entryCount, 'a code'),
      decoder.scratch,
    );
  },
};

export const dictionaryWriter: EncodingWriter = {
  label: (reader, child) => {
    reader.take(8, 'a count');
    const entries = child();
    return `DICTIONARY(${entries}, ${child()})`;
  },
  roles: ['root', 'values', 'gaps'],
  offer,
};
