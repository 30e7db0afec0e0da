// DICTIONARY and CODES: distinct values once, then small codes; the codes bit-packed, or as runs, or by entropy. CODES
// has its entries in the chunk's dictionary page.
import { Encoding, MAX_DICTIONARY_ENTRIES } from '../../layout/constants.ts';
import type { Chooser, Source } from '../chooser.ts';
import { NodeReader, childBytes } from '../node.ts';
import type { ChunkDictionary, Decoder, Node, SizedNode } from '../node.ts';
import { pickVector } from '../pick.ts';
import { narrowSource } from '../source.ts';
import type { Narrow, Strings, Vector } from '../vector.ts';

/** Entries and codes that were sized by the caller. */
export function size(entries: SizedNode, entryCount: number, codeNode: SizedNode): SizedNode {
  return {
    encoding: Encoding.DICTIONARY,
    parameter: 0,
    byteLength: 8 + childBytes(entries) + childBytes(codeNode),
    label: `DICTIONARY(${entries.label}, ${codeNode.label})`,
    slow: codeNode.slow,
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

/** A page of codes of the chunk's dictionary page. */
export function sizeCodesPage(codeNode: SizedNode): SizedNode {
  return {
    encoding: Encoding.CODES,
    parameter: 0,
    byteLength: childBytes(codeNode),
    label: `DICTIONARY(${codeNode.label})`,
    slow: codeNode.slow,
    encode: (out) => out.child(codeNode),
  };
}

/** Distinct numbers, ascending, and the place of each value among them. */
export interface Distinct {
  readonly entries: Source;
  readonly codes: Narrow;
}

/** Null where there are more than `most` distinct values. */
export function distinctOf(source: Source, most: number): Distinct | null {
  return source.kind === 'narrow' ? distinctNarrow(source, most) : distinctWide(source.words, most);
}

/** Ranges up to this are looked up in a table, not hashed. */
const TABLE_BELOW = 1 << 16;

function distinctNarrow(source: Narrow, most: number): Distinct | null {
  return source.below <= TABLE_BELOW ? distinctByTable(source, most) : distinctByHash(source, most);
}

function distinctByTable({ values, count, base, step, below }: Narrow, most: number): Distinct | null {
  const ranks = new Uint32Array(below);
  for (let i = 0; i < count; i++) ranks[values[i] as number] = 1;
  let size = 0;
  for (let value = 0; value < below; value++) size += ranks[value] as number;
  if (size > most) return null;
  const entries = new Uint32Array(size);
  for (let value = 0, rank = 0; value < below; value++) {
    if (ranks[value] === 0) continue;
    entries[rank] = value;
    ranks[value] = rank++;
  }
  const codes = new Uint32Array(count);
  for (let i = 0; i < count; i++) codes[i] = ranks[values[i] as number] as number;
  // Every rank occurs, so the codes are in normal form.
  return {
    entries: narrowSource(entries, base, step),
    codes: { kind: 'narrow', count, base: 0n, step: 1n, values: codes, below: size },
  };
}

/** What a sample says of a dictionary of the values. */
export interface SampleLook {
  /** There are at least about so many distinct values. */
  readonly entries: number;
  /** Entropy of a code, or less. */
  readonly bitsPerValue: number;
}

/** Null where there are too few values to look at a part of them. */
export function sampleOf({ values, count }: Narrow): SampleLook | null {
  if (count <= 2 * SAMPLE_VALUES) return null;
  const stride = count / SAMPLE_VALUES;
  const sample = new Uint32Array(SAMPLE_VALUES);
  for (let i = 0; i < SAMPLE_VALUES; i++) sample[i] = values[Math.floor(i * stride)] as number;
  sample.sort();
  let distinct = 0;
  let bits = 0;
  for (let i = 0, from = 0; i < SAMPLE_VALUES; i++) {
    if (i + 1 < SAMPLE_VALUES && sample[i + 1] === sample[i]) continue;
    const times = i + 1 - from;
    bits += times * Math.log2(SAMPLE_VALUES / times);
    distinct++;
    from = i + 1;
  }
  // Of n equally frequent values, a sample of s shows n (1 - e^(-s/n)); of unequal ones fewer, so that there are rather
  // more than this says.
  let [low, high] = [distinct, 2 ** 32];
  while (high > low * 1.01) {
    const middle = Math.sqrt(low * high);
    if (middle * -Math.expm1(-SAMPLE_VALUES / middle) < distinct) low = middle;
    else high = middle;
  }
  return { entries: low, bitsPerValue: bits / SAMPLE_VALUES };
}

const SAMPLE_VALUES = 1024;

function distinctByHash(source: Narrow, most: number): Distinct | null {
  const { values, count } = source;
  const mask = 2 ** Math.ceil(Math.log2(4 * (most + 1))) - 1;
  // Open addressing: slots hold a place in `found` plus one.
  const slots = new Uint32Array(mask + 1);
  const found = new Uint32Array(most);
  const places = new Uint32Array(count);
  let size = 0;
  for (let i = 0; i < count; i++) {
    const value = values[i] as number;
    let slot = (Math.imul(value, 0x9e3779b1) >>> 7) & mask;
    let place = slots[slot] as number;
    while (place !== 0 && found[place - 1] !== value) {
      slot = (slot + 1) & mask;
      place = slots[slot] as number;
    }
    if (place === 0) {
      if (size === most) return null;
      found[size++] = value;
      place = size;
      slots[slot] = place;
    }
    places[i] = place - 1;
  }
  const entries = found.slice(0, size).sort();
  return {
    entries: narrowSource(entries, source.base, source.step),
    codes: narrowSource(ranked(found.subarray(0, size), entries, places)),
  };
}

/** Places in order of appearance -> places in ascending order, in the same memory. */
function ranked(found: Uint32Array, ascending: Uint32Array, places: Uint32Array): Uint32Array {
  const rankOf = new Map<number, number>();
  for (let rank = 0; rank < ascending.length; rank++) rankOf.set(ascending[rank] as number, rank);
  const ranks = Uint32Array.from(found, (value) => rankOf.get(value) ?? 0);
  for (let i = 0; i < places.length; i++) places[i] = ranks[places[i] as number] as number;
  return places;
}

function distinctWide(words: Uint32Array, most: number): Distinct | null {
  const mask = 2 ** Math.ceil(Math.log2(4 * (most + 1))) - 1;
  const slots = new Uint32Array(mask + 1);
  const found = new Uint32Array(2 * most);
  const codes = new Uint32Array(words.length / 2);
  let size = 0;
  for (let i = 0; i < codes.length; i++) {
    const low = words[2 * i] as number;
    const high = words[2 * i + 1] as number;
    let slot = ((Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b)) >>> 7) & mask;
    let place = slots[slot] as number;
    while (place !== 0 && (found[2 * place - 2] !== low || found[2 * place - 1] !== high)) {
      slot = (slot + 1) & mask;
      place = slots[slot] as number;
    }
    if (place === 0) {
      if (size === most) return null;
      found[2 * size] = low;
      found[2 * size + 1] = high;
      place = ++size;
      slots[slot] = place;
    }
    codes[i] = place - 1;
  }
  return { entries: { kind: 'wide', count: size, words: found.slice(0, 2 * size) }, codes: narrowSource(codes) };
}

export function decodeRange(node: Node, start: number, end: number, decoder: Decoder): Vector {
  const { entries, entryCount, codes } = openDictionaryNode(node, decoder);
  return pickVector(
    decoder.vector(entries, 0, entryCount),
    decoder.numbers(codes, start, end, entryCount, 'a code'),
    node.domain,
    decoder.scratch,
  );
}

export function decodeStrings(node: Node, start: number, end: number, decoder: Decoder): Strings {
  const { entries, entryCount, codes } = openDictionaryNode(node, decoder);
  return coded(decoder.strings(entries, 0, entryCount), decoder.numbers(codes, start, end, entryCount, 'a code'));
}

/** The values at `rows` alone, in any order. */
export function decodeRows(node: Node, rows: Uint32Array, decoder: Decoder): Vector {
  const { entries, entryCount, codes } = openDictionaryNode(node, decoder);
  return pickVector(
    decoder.vector(entries, 0, entryCount),
    decoder.pickNumbers(codes, rows, entryCount, 'a code'),
    node.domain,
    decoder.scratch,
  );
}

export function decodeStringsOf(node: Node, rows: Uint32Array, decoder: Decoder): Strings {
  const { entries, entryCount, codes } = openDictionaryNode(node, decoder);
  return coded(decoder.strings(entries, 0, entryCount), decoder.pickNumbers(codes, rows, entryCount, 'a code'));
}

/** The parts of a DICTIONARY node, not decoded yet. */
export function openDictionaryNode(
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

/** Strings by code; codes of codes become one. */
export function coded(entries: Strings, codes: Uint32Array): Strings {
  if (entries.kind === 'strings') return { kind: 'coded', count: codes.length, codes, entries };
  const inner = entries.codes;
  for (let i = 0; i < codes.length; i++) codes[i] = inner[codes[i] as number] as number;
  return { kind: 'coded', count: codes.length, codes, entries: entries.entries };
}
