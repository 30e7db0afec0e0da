// Byte strings -> an ONPAIR node. What it takes is known when the strings are spelled, so sizing is all of the work.
import { Encoding, MAX_DEFLATE_RATIO } from '../../../layout/constants.ts';
import { byteLengthOf } from '../../byte-strings.ts';
import type { Chooser } from '../../chooser.ts';
import { childBytes } from '../../node.ts';
import type { SizedNode } from '../../node.ts';
import { narrowSource } from '../../source.ts';
import type { ByteStrings } from '../../vector.ts';
import { DECODING_RATES } from '../decoding-rates.ts';
import { foundAtMost, writeKernels } from '../../kernels/write-kernels.ts';
import { Matcher } from './matcher.ts';
import { MOST_SYMBOL_BYTES } from './symbols.ts';
import type { Symbols } from './symbols.ts';
import { trainSymbols } from './train.ts';

export { trainSymbols } from './train.ts';

const HEAD_BYTES = 16;
/** Of a symbol that spells nothing. */
const NO_RANK = 0xffffffff;

/** What strings take, about, by what some of them do. */
export function estimate(
  strings: ByteStrings,
  some: ByteStrings,
  symbols: Symbols,
): { byteLength: number; time: number } {
  const spelled = spell(some, symbols);
  const used = usedSymbols(spelled.ranks, symbols);
  const codeCount = (spelled.codes.length * byteLengthOf(strings)) / byteLengthOf(some);
  return {
    byteLength: (codeCount * Math.ceil(Math.log2(used.count + 1))) / 8 + used.bytes.length + strings.count,
    time:
      strings.count * DECODING_RATES.spelledString + codeCount * (DECODING_RATES.spelledCode + DECODING_RATES.packed),
  };
}

/** All strings, of one byte and more together. */
export function size(
  strings: ByteStrings,
  chooser: Chooser,
  symbols = trainSymbols(strings, chooser.rules.symbolRounds),
): SizedNode {
  const { count, start, ends } = strings;
  const { codes, codeCounts, ranks } = spell(strings, symbols);
  const used = usedSymbols(ranks, symbols);
  const lengths = new Uint32Array(count);
  for (let i = 0, from = start; i < count; i++) {
    lengths[i] = (ends[i] as number) - from;
    from = ends[i] as number;
  }
  const children = [
    chooser.integers(narrowSource(lengths), 'lengths'),
    chooser.integers(narrowSource(codeCounts), 'lengths'),
    chooser.integers(narrowSource(used.shared), 'octets'),
    chooser.integers(narrowSource(used.own), 'octets'),
    chooser.integers(narrowSource(codes), 'octets'),
    chooser.integers(narrowSource(used.bytes), 'octets'),
  ];
  const dataBytes = byteLengthOf(strings);
  const ownBytes = HEAD_BYTES + children.reduce((sum, child) => sum + childBytes(child), 0);
  // A reader refuses what stands for too much: behind very regular strings there are bytes that nobody looks at.
  const byteLength = Math.max(ownBytes, Math.ceil(dataBytes / MAX_DEFLATE_RATIO));
  return {
    encoding: Encoding.ONPAIR,
    parameter: 0,
    byteLength,
    label: 'ONPAIR',
    time:
      children.reduce((sum, child) => sum + child.time, 0) +
      count * DECODING_RATES.spelledString +
      codes.length * DECODING_RATES.spelledCode,
    isCompressed: true,
    encode: (out) => {
      out.uint32(dataBytes);
      out.uint32(codes.length);
      out.uint32(used.count);
      out.uint32(0);
      for (const child of children) out.child(child);
      out.skip(byteLength - ownBytes);
    },
  };
}

/**
 * Symbols that there are codes of, in their order: how many bytes each of them shares with the one before, how many of
 * its own it has, and these back to back.
 */
function usedSymbols(ranks: Uint32Array, { count, bytes, lengths }: Symbols) {
  const [shared, own] = [new Uint32Array(count), new Uint32Array(count)];
  const ownBytes = new Uint32Array(MOST_SYMBOL_BYTES * count);
  let [used, byteCount] = [0, 0];
  let [before, beforeLength] = [0, 0];
  for (let symbol = 0; symbol < count; symbol++) {
    if (ranks[symbol] === NO_RANK) continue;
    const [from, length] = [MOST_SYMBOL_BYTES * symbol, lengths[symbol] as number];
    const most = Math.min(length, beforeLength);
    let same = 0;
    while (same < most && bytes[from + same] === bytes[before + same]) same++;
    shared[used] = same;
    own[used] = length - same;
    for (let at = same; at < length; at++) ownBytes[byteCount++] = bytes[from + at] as number;
    used++;
    [before, beforeLength] = [from, length];
  }
  return {
    count: used,
    shared: shared.subarray(0, used),
    own: own.subarray(0, used),
    bytes: ownBytes.subarray(0, byteCount),
  };
}

interface Spelled {
  readonly codes: Uint32Array;
  /** How many each string has. */
  readonly codeCounts: Uint32Array;
  /** Of each symbol, which of the used ones it is, which is its code; NO_RANK for one that is not used. */
  readonly ranks: Uint32Array;
}

/** The codes of all strings: the longest symbol that fits is taken each time. */
function spell({ bytes, start, ends, count }: ByteStrings, symbols: Symbols): Spelled {
  const ranks = new Uint32Array(symbols.count);
  const codeCounts = new Uint32Array(count);
  const own = ends.subarray(0, count);
  const dataBytes = (ends[count - 1] as number) - start;
  const kernels = writeKernels(dataBytes);
  const matcher = kernels === null ? Matcher.of(symbols) : null;
  const codes = foundAtMost(dataBytes, (room) =>
    matcher === null
      ? (kernels?.spellTexts(bytes, start, own, symbols.bytes, lengthsOf(symbols), room, codeCounts, ranks) ?? 0)
      : spellBy(matcher, bytes, start, own, room, codeCounts, ranks),
  );
  return { codes: codes ?? new Uint32Array(0), codeCounts, ranks };
}

const lengthsOf = ({ lengths, count }: Symbols): Uint8Array => lengths.subarray(0, count);

function spellBy(
  matcher: Matcher,
  bytes: Uint8Array,
  start: number,
  ends: Uint32Array,
  codes: Uint32Array,
  counts: Uint32Array,
  ranks: Uint32Array,
): number {
  const { lengths } = matcher;
  ranks.fill(NO_RANK);
  let [at, used] = [start, 0];
  for (let string = 0; string < ends.length; string++) {
    const end = ends[string] as number;
    const before = used;
    while (at < end) {
      const symbol = matcher.find(bytes, at, end);
      codes[used++] = symbol;
      ranks[symbol] = 0;
      at += lengths[symbol] as number;
    }
    counts[string] = used - before;
  }
  for (let symbol = 0, next = 0; symbol < ranks.length; symbol++) if (ranks[symbol] === 0) ranks[symbol] = next++;
  for (let i = 0; i < used; i++) codes[i] = ranks[codes[i] as number] as number;
  return used;
}
