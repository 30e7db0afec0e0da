// DELTA: a running sum of gaps, restarted at every block, so that one row needs one block of gaps. The gaps are a node
// of their own: usually bit-packed, for regular data runs.
import type { EncodingReader, EncodingWriter } from '../../encoding.ts';
import { isExactResult } from '@colkit/io';
import { Encoding } from '../../../layout/constants.ts';
import { DECODING_RATES } from '../decoding-rates.ts';
import type { Chooser, Source } from '../../chooser.ts';
import { NodeReader, childBytes } from '../../node.ts';
import type { Decoder, Node, SizedNode } from '../../node.ts';
import { pickVector, toPatterns } from '../../pick.ts';
import { writeKernels } from '../../kernels/write-kernels.ts';
import { giveBack, lentWords } from '../../kernels/lent-words.ts';
import { narrowSource, normalForm, pickSource, sourceOfNumbers, sourceOfWords } from '../../source.ts';
import { safeLine, safeNumber, wordAt, writeWords } from '../../vector.ts';
import type { Integers, Narrow, Vector, Wide } from '../../vector.ts';

const SMALLEST_BLOCK_LOG2 = 5;
const LARGEST_BLOCK_LOG2 = 16;
const TWO_32 = 2 ** 32;

export function size(source: Source, chooser: Chooser): SizedNode {
  const { count } = source;
  // 4096 gaps are summed in about 5 microseconds; bases of smaller blocks cost some per cent of a page of small gaps.
  const log2 = chooser.rules.gapsLog2;
  const blocks = ((count - 1) >>> log2) + 1;
  const bases = chooser.integers(
    pickSource(
      source,
      Uint32Array.from({ length: blocks }, (_, block) => block << log2),
    ),
    'small',
  );
  const lent = source.kind === 'narrow' && writeKernels(count) !== null ? lentWords(count) : null;
  const gaps = chooser.integers(gapsOf(source, lent), 'gaps');
  return {
    encoding: Encoding.DELTA,
    parameter: 0,
    byteLength: 8 + childBytes(bases) + childBytes(gaps),
    label: `DELTA(${gaps.label})`,
    time: gaps.time + count * DECODING_RATES.summed,
    encode: (out) => {
      out.uint8(log2);
      out.skip(7);
      out.child(bases);
      out.child(gaps);
    },
    release: () => {
      gaps.release?.();
      if (lent !== null) giveBack(lent);
    },
  };
}

/** Rows between two looks of `isSteady`. */
const STRIDE = 13;

/**
 * Whether neighbours lie closer together than values drawn at random, a third of the range apart: without that, gaps
 * take a bit more than the values.
 */
function isSteady(source: Narrow): boolean {
  const { values, count, below } = source;
  let sum = 0;
  let seen = 0;
  for (let i = 1; i < count; i += STRIDE, seen++) sum += Math.abs((values[i] as number) - (values[i - 1] as number));
  return sum * 5 < seen * below;
}

/**
 * Differences of neighbours. The first one, which is never used, repeats the second, so that it starts no run of its
 * own.
 * @param room for as many numbers, which the result may keep.
 */
function gapsOf(source: Source, room: Uint32Array | null): Source {
  const { count } = source;
  if (source.kind === 'narrow') {
    const { values } = source;
    const kernels = writeKernels(count);
    if (kernels !== null) {
      const [normal, facts] = [room ?? new Uint32Array(count), new Float64Array(3)];
      if (kernels.normalizeGaps(values, normal, facts)) return normalForm(normal, facts, 0n, source.step);
    }
    const gaps = new Float64Array(count);
    for (let i = 1; i < count; i++) gaps[i] = (values[i] as number) - (values[i - 1] as number);
    gaps[0] = gaps[1] ?? 0;
    const narrow = sourceOfNumbers(gaps);
    if (narrow !== null) return narrowSource(narrow.values, narrow.base * source.step, narrow.step * source.step);
    const words = new Uint32Array(2 * count);
    writeWords(source, words, 0);
    return gapsOf({ kind: 'wide', count, words }, null);
  }
  const { words } = source;
  const gaps = new Uint32Array(2 * count);
  for (let i = 2; i < words.length; i += 2) {
    const low = words[i] as number;
    const lowBefore = words[i - 2] as number;
    gaps[i] = low - lowBefore;
    gaps[i + 1] = (words[i + 1] as number) - (words[i - 1] as number) - (low < lowBefore ? 1 : 0);
  }
  gaps[0] = gaps[2] ?? 0;
  gaps[1] = gaps[3] ?? 0;
  return sourceOfWords(gaps, true);
}

/** A node's parts, not decoded yet. */
function openBlocks(
  node: Node,
  decoder: Decoder,
): { readonly log2: number; readonly basesNode: Node; readonly gapsNode: Node } {
  const reader = new NodeReader(decoder, node);
  const log2 = reader.uint8('a block length');
  if (log2 < SMALLEST_BLOCK_LOG2 || log2 > LARGEST_BLOCK_LOG2)
    throw reader.refuse(`a block length of 2^${SMALLEST_BLOCK_LOG2} to 2^${LARGEST_BLOCK_LOG2}`, log2);
  reader.take(7, 'ignored bytes');
  const basesNode = reader.child(((node.count - 1) >>> log2) + 1);
  const gapsNode = reader.child(node.count);
  reader.end();
  return { log2, basesNode, gapsNode };
}

function decodeRange(node: Node, start: number, end: number, decoder: Decoder): Vector {
  const { log2, basesNode, gapsNode } = openBlocks(node, decoder);
  const firstBlock = start >>> log2;
  const blockStart = firstBlock << log2;
  const bases = decoder.integers(basesNode, firstBlock, ((end - 1) >>> log2) + 1);
  const gaps = decoder.integers(gapsNode, blockStart, end);
  return summed(bases, gaps, log2, start - blockStart, decoder);
}

/** The values at `rows` alone, in any order: each needs the gaps of its block that lie before it. */
function decodeRows(node: Node, rows: Uint32Array, decoder: Decoder): Vector {
  const { log2, basesNode, gapsNode } = openBlocks(node, decoder);
  const { scratch } = decoder;
  const length = 1 << log2;
  // The last row that is wanted of each block.
  const lasts = new Map<number, number>();
  for (const row of rows) lasts.set(row >>> log2, Math.max(row, lasts.get(row >>> log2) ?? 0));
  const blocks = Uint32Array.from(lasts.keys()).sort();
  const wanted = scratch.uint32(blocks.length * length);
  const starts = new Map<number, number>();
  for (let at = 0, block = 0; block < blocks.length; block++) {
    const number = blocks[block] as number;
    const last = lasts.get(number) as number;
    starts.set(number, at);
    // Behind it, to the end of the block, stand gaps that are known already: nobody looks at their sums.
    for (let i = 0; i < length; i++) wanted[at++] = Math.min((number << log2) + i, last);
  }
  const bases = toPatterns(decoder.pick(basesNode, blocks), basesNode.domain, scratch);
  const gaps = toPatterns(decoder.pick(gapsNode, wanted), gapsNode.domain, scratch);
  const positions = scratch.uint32(rows.length);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    positions[i] = (starts.get(row >>> log2) as number) + (row & (length - 1));
  }
  return pickVector(summed(bases, gaps, log2, 0, decoder), positions, node.domain, scratch);
}

/** Running sums of whole blocks, without the first `skipped`. */
function summed(bases: Integers, gaps: Integers, log2: number, skipped: number, decoder: Decoder): Vector {
  return (
    sumSmall(bases, gaps, log2, skipped, decoder) ??
    sumSafely(bases, gaps, log2, skipped, decoder) ??
    sumWide(bases, gaps, log2, skipped, decoder)
  );
}

/**
 * In 32-bit integers: where gaps are whole multiples of their step and so are the distances between block bases, values
 * are lowest + step * (sum of small integers). Null where they are not, or do not fit.
 */
function sumSmall(bases: Integers, gaps: Integers, log2: number, skipped: number, decoder: Decoder): Vector | null {
  const line = gaps.kind === 'narrow' && gaps.step !== 0n ? safeLine(gaps) : null;
  if (gaps.kind !== 'narrow' || line === null) return null;
  const { count, values, step } = gaps;
  const length = Math.min(count, 1 << log2);
  const gap = line.base / line.step;
  const starts = distances(bases, step);
  if (starts === null || !Number.isInteger(gap)) return null;
  const lowest = starts.reduce((least, start) => Math.min(least, start), Infinity);
  const highest = starts.reduce((most, start) => Math.max(most, start), -Infinity);
  // How far sums fall below and rise above their block's base.
  const room = length * Math.max(0, -gap);
  const below = highest - lowest + room + length * Math.max(0, gap + gaps.below - 1) + 1;
  if (below > TWO_32) return null;
  const sums = decoder.scratch.uint32(count);
  const small = gap | 0;
  for (let block = 0, i = 0; i < count; block++) {
    let sum = ((starts[block] as number) - lowest + room) | 0;
    sums[i++] = sum;
    const end = Math.min(count, (block + 1) << log2);
    // Four at a time: only one of four additions waits for the sum before.
    for (; i + 4 <= end; i += 4) {
      const a = ((values[i] as number) + small) | 0;
      const b = (a + (values[i + 1] as number) + small) | 0;
      const c = (b + (values[i + 2] as number) + small) | 0;
      const d = (c + (values[i + 3] as number) + small) | 0;
      sums[i] = (sum + a) | 0;
      sums[i + 1] = (sum + b) | 0;
      sums[i + 2] = (sum + c) | 0;
      sum = (sum + d) | 0;
      sums[i + 3] = sum;
    }
    for (; i < end; i++) {
      sum = (sum + small + ((values[i] as number) | 0)) | 0;
      sums[i] = sum;
    }
  }
  const base = BigInt.asIntN(64, wordAt(bases, 0)) + BigInt(lowest - room) * step;
  return { kind: 'narrow', count: count - skipped, base, step, values: sums.subarray(skipped, count), below };
}

/** How many steps each base lies behind the first one, or null where that is no whole number or a large one. */
function distances(bases: Integers, step: bigint): Float64Array | null {
  const first = wordAt(bases, 0);
  const found = new Float64Array(bases.count);
  for (let block = 1; block < bases.count; block++) {
    const distance = BigInt.asIntN(64, wordAt(bases, block) - first);
    if (distance % step !== 0n || distance / step > TWO_32 || distance / step < -TWO_32) return null;
    found[block] = Number(distance / step);
  }
  return found;
}

/** In doubles, where no sum can leave ±2^53; else null. Drops the first `skipped` sums. */
function sumSafely(bases: Integers, gaps: Integers, log2: number, skipped: number, decoder: Decoder): Vector | null {
  if (gaps.kind !== 'narrow') return null;
  const line = safeLine(gaps);
  if (line === null) return null;
  const { base, step } = line;
  const length = 1 << log2;
  const largestGap = Math.max(Math.abs(base), Math.abs(base + step * (gaps.below - 1)));
  const { count, values } = gaps;
  const sums = decoder.scratch.float64(count);
  for (let block = 0, i = 0; i < count; block++) {
    let sum = safeNumber(wordAt(bases, block));
    if (sum === null || !isExactResult(Math.abs(sum) + largestGap * length)) return null;
    sums[i++] = sum;
    for (const end = Math.min(count, (block + 1) * length); i < end; i++) {
      sum += base + step * (values[i] as number);
      sums[i] = sum;
    }
  }
  return { kind: 'safe', count: count - skipped, values: sums.subarray(skipped, count) };
}

function sumWide(bases: Integers, gaps: Integers, log2: number, skipped: number, decoder: Decoder): Wide {
  const { count } = gaps;
  const words = decoder.scratch.uint32(2 * count);
  writeWords(gaps, words, 0);
  for (let i = 0, block = 0; i < count; i++) {
    const o = 2 * i;
    if (i >>> log2 === block) {
      const base = wordAt(bases, block++);
      words[o] = Number(base & 0xffffffffn);
      words[o + 1] = Number(base >> 32n);
      continue;
    }
    const gap = words[o] as number;
    const low = ((words[o - 2] as number) + gap) >>> 0;
    words[o] = low;
    words[o + 1] = (words[o - 1] as number) + (words[o + 1] as number) + (low < gap ? 1 : 0);
  }
  return { kind: 'wide', count: count - skipped, words: words.subarray(2 * skipped, 2 * count) };
}

export const delta: EncodingReader = {
  name: 'DELTA',
  decode: decodeRange,
  salvage: decodeRows,
};

export const deltaWriter: EncodingWriter = {
  label: (reader, child) => {
    reader.take(8, 'a block length');
    child();
    return `DELTA(${child()})`;
  },
  roles: ['root', 'values', 'small'],
  offer: (source, { chooser, forced }) =>
    source.count > 1 && (forced || source.kind === 'wide' || isSteady(source)) ? size(source, chooser) : null,
};
