// PATCHED: another node with some of its values replaced: outliers that would widen it, floats that are no decimals.
import type { EncodeKernels } from '@colkit/io';
import type { EncodingReader, EncodingWriter } from '../../encoding.ts';
import { size as sizeBitPack } from '../bit-pack/size.ts';
import { Encoding } from '../../../layout/constants.ts';
import { DECODING_RATES } from '../decoding-rates.ts';
import type { Chooser, Role, Source } from '../../chooser.ts';
import { NodeReader, childBytes } from '../../node.ts';
import type { Decoder, Node, SizedNode } from '../../node.ts';
import { toPatterns } from '../../pick.ts';
import { logsUpTo } from '../../kernels/logs.ts';
import { foundAtMost, writeKernels } from '../../kernels/write-kernels.ts';
import { giveBack, lentWords } from '../../kernels/lent-words.ts';
import { narrowSource, normalForm } from '../../source.ts';
import { valuesAt, writeWords } from '../../vector.ts';
import type { Narrow, Vector, Wide } from '../../vector.ts';

/** A node over another one that was sized. `replacements`: bit patterns, one a position. */
export function size(
  values: SizedNode,
  count: number,
  positions: Uint32Array,
  replacements: Source,
  chooser: Chooser,
  roles: { readonly positions: Role; readonly replacements: Role } = { positions: 'small', replacements: 'small' },
): SizedNode {
  const positionNode = chooser.integers(narrowSource(positions), roles.positions);
  const replacementNode = chooser.integers(replacements, roles.replacements);
  return {
    encoding: Encoding.PATCHED,
    parameter: 0,
    byteLength: 8 + childBytes(values) + childBytes(positionNode) + childBytes(replacementNode),
    label: `PATCHED(${values.label})`,
    time: values.time + positionNode.time + replacementNode.time + count * DECODING_RATES.patched,
    encode: (out) => {
      out.uint32(positions.length);
      out.uint32(0);
      out.child(values);
      out.child(positionNode);
      out.child(replacementNode);
    },
  };
}

/** Outliers of small numbers, and the numbers without them. */
interface OutlierSplit {
  /** In lent memory, where the addon did it. */
  readonly values: Narrow;
  readonly lent: Uint32Array | null;
  readonly positions: Uint32Array;
  readonly replacements: Source;
}

/** Below these, patches and their nodes take more than they save. */
const LEAST_RANGE = 16;
const LEAST_COUNT = 64;
const MOST_BUCKETS_LOG2 = 9;
const LEAST_BUCKETS_LOG2 = 5;
/** About what a position and a value take. */
const OUTLIER_BITS = 24;
/**
 * Of many values these say which range is cheapest: the first 64 of each 256, in which most of what repeats is seen as
 * often as it is among all.
 */
const LEAST_SAMPLED = 1 << 14;
const SEEN_BLOCK = 255;
const SEEN_OF_BLOCK = 64;

function seenOf(count: number): number {
  if (count < LEAST_SAMPLED) return count;
  return (count >>> 8) * SEEN_OF_BLOCK + Math.min(count & SEEN_BLOCK, SEEN_OF_BLOCK);
}

/**
 * The range of values that is cheapest when everything outside it is patched, or null where that of all values is. Of a
 * long tail the cheapest range is narrower than one of the buckets: then the values inside are split again.
 */
export function splitOutliers(source: Narrow): OutlierSplit | null {
  const { values, count, base, step } = source;
  const kernels = writeKernels(count);
  const inner = kernels === null ? innermost(source) : innermostInAddon(source, kernels);
  if (inner === null) return null;
  // A value is outside where the one inside is another.
  const [first, factor] = [Number((inner.base - base) / step), Number(inner.step / step)];
  const at = foundAtMost(count, (positions) => {
    if (kernels !== null) return kernels.findOthers(values, inner.values, first, factor, positions);
    let outside = 0;
    for (let i = 0; i < count; i++) {
      positions[outside] = i;
      if (first + factor * (inner.values[i] as number) !== (values[i] as number)) outside++;
    }
    return outside;
  }) as Uint32Array;
  return {
    values: inner,
    lent: kernels === null ? null : inner.values,
    positions: at,
    replacements: narrowSource(valuesAt(values, at), base, step),
  };
}

/** The range that is left when no smaller one is cheaper; null where that is all. */
function innermost(source: Narrow): Narrow | null {
  let inner: Narrow | null = null;
  for (let next = innerRange(source); next !== null; next = innerRange(next)) inner = next;
  return inner;
}

/** The same, all ranges in the same memory. */
function innermostInAddon(source: Narrow, kernels: EncodeKernels): Narrow | null {
  const facts = new Float64Array(3);
  let inner = source;
  let room: Uint32Array | null = null;
  for (;;) {
    const range = cheapestRange(inner, kernels);
    // A range of all values may seem cheaper than theirs by the rounding of a logarithm.
    if (range === null || (range.from === 0 && range.to >= inner.below)) break;
    room ??= lentWords(source.count);
    kernels.packInside(inner.values, range.from, range.to - range.from - 1, room, facts);
    inner = normalForm(room, facts, inner.base, inner.step);
  }
  return inner === source ? null : inner;
}

/** The values, those outside of the cheapest range of buckets replaced by its start; null where that range is all. */
function innerRange(source: Narrow): Narrow | null {
  const range = cheapestRange(source, null);
  if (range === null) return null;
  const { values, count } = source;
  const { from, to } = range;
  const inner = new Uint32Array(count);
  let outside = 0;
  for (let i = 0; i < count; i++) {
    const value = values[i] as number;
    const isInside = value >= from && value < to;
    inner[i] = isInside ? value : from;
    if (!isInside) outside++;
  }
  return outside === 0 ? null : narrowSource(inner, source.base, source.step);
}

/** Values [from, to), whole buckets of a histogram; null where no such range is cheaper than that of all values. */
function cheapestRange(
  { values, count, below }: Narrow,
  kernels: EncodeKernels | null,
): { readonly from: number; readonly to: number } | null {
  if (below <= LEAST_RANGE || count <= LEAST_COUNT) return null;
  const seen = seenOf(count);
  // Fewer values fill fewer buckets.
  const bucketsLog2 = Math.min(MOST_BUCKETS_LOG2, Math.max(LEAST_BUCKETS_LOG2, Math.floor(Math.log2(count)) - 4));
  const shift = Math.max(0, Math.ceil(Math.log2(below)) - bucketsLog2);
  const unit = 2 ** shift;
  if (kernels !== null) {
    const range = new Uint32Array(2);
    const logs = logsUpTo(2 ** MOST_BUCKETS_LOG2);
    if (!kernels.cheapestRange(values, shift, bucketsLog2, Math.log2(below), logs, range)) return null;
    const [from = 0, to = 0] = range;
    return { from: from * unit, to: to * unit };
  }
  const histogram = new Uint32Array(2 ** bucketsLog2);
  for (let i = 0; i < count; i++) {
    if (seen < count && (i & SEEN_BLOCK) >= SEEN_OF_BLOCK) continue;
    const bucket = (values[i] as number) >>> shift;
    histogram[bucket] = (histogram[bucket] as number) + 1;
  }
  const buckets = cheapestBuckets(histogram, seen, shift, Math.log2(below));
  return buckets === null ? null : { from: buckets.from * unit, to: buckets.to * unit };
}

/** Buckets [from, to): for every width, the range that holds most values. */
function cheapestBuckets(
  histogram: Uint32Array,
  count: number,
  shift: number,
  fullBits: number,
): { from: number; to: number } | null {
  const buckets = histogram.length;
  let best: { from: number; to: number } | null = null;
  let bestBits = count * fullBits;
  for (let size = 1; size < buckets; size = Math.max(size + 1, Math.floor(size * 1.19))) {
    // Wider ranges take more bits even where they hold everything.
    if (count * (Math.log2(size) + shift) >= bestBits) break;
    let inside = 0;
    for (let bucket = 0; bucket < size; bucket++) inside += histogram[bucket] as number;
    let most = inside;
    let at = 0;
    for (let bucket = size; bucket < buckets; bucket++) {
      inside += (histogram[bucket] as number) - (histogram[bucket - size] as number);
      if (inside > most) {
        most = inside;
        at = bucket - size + 1;
      }
    }
    const bits = count * (Math.log2(size) + shift) + (count - most) * OUTLIER_BITS;
    if (bits < bestBits) [best, bestBits] = [{ from: at, to: at + size }, bits];
  }
  return best;
}

/**
 * The parts of a PATCHED node: the values below, not decoded yet; where patches go, ascending; and their bit patterns.
 */
interface Patches {
  readonly values: Node;
  readonly positions: Uint32Array;
  /** A bit pattern for each position. */
  readonly replacements: Node;
}

function openPatches(node: Node, decoder: Decoder): Patches {
  const reader = new NodeReader(decoder, node);
  const count = reader.count(node.count, 'patches');
  reader.take(4, 'ignored bytes');
  const values = reader.child(node.count, node.domain);
  const positionNode = reader.child(count);
  const replacementNode = reader.child(count);
  reader.end();
  const positions = decoder.numbers(positionNode, 0, count, node.count, 'a position');
  for (let i = 1; i < count; i++) {
    if ((positions[i] as number) <= (positions[i - 1] as number))
      throw reader.refuse('ascending positions', `${positions[i] as number} after ${positions[i - 1] as number}`);
  }
  return { values, positions, replacements: replacementNode };
}

/** Patches [first, last). */
function replacementsOf({ replacements }: Patches, first: number, last: number, decoder: Decoder): Wide {
  const words = decoder.scratch.uint32(2 * (last - first));
  if (last > first) writeWords(decoder.integers(replacements, first, last), words, 0);
  return { kind: 'wide', count: last - first, words };
}

function decodeRange(node: Node, start: number, end: number, decoder: Decoder): Vector {
  const patches = openPatches(node, decoder);
  const { positions } = patches;
  const values = decoder.vector(patches.values, start, end);
  let first = 0;
  while (first < positions.length && (positions[first] as number) < start) first++;
  let last = first;
  while (last < positions.length && (positions[last] as number) < end) last++;
  const inside = decoder.scratch.uint32(last - first);
  for (let i = first; i < last; i++) inside[i - first] = (positions[i] as number) - start;
  const replacements = replacementsOf(patches, first, last, decoder);
  return { kind: 'patched', count: end - start, values, positions: inside, replacements };
}

/** The values at `rows` alone, in any order. */
function decodeRows(node: Node, rows: Uint32Array, decoder: Decoder): Vector {
  const { values: valueNode, positions, replacements } = openPatches(node, decoder);
  const { scratch } = decoder;
  const values = decoder.pick(valueNode, rows);
  // Which of the rows are patched, and by which patch.
  const inside = scratch.uint32(rows.length);
  const found = scratch.uint32(rows.length);
  let count = 0;
  for (let i = 0; i < rows.length; i++) {
    const patch = firstFrom(positions, rows[i] as number);
    if (positions[patch] !== rows[i]) continue;
    inside[count] = i;
    found[count++] = patch;
  }
  const words = scratch.uint32(2 * count);
  if (count > 0) {
    const picked = decoder.pick(replacements, found.subarray(0, count));
    writeWords(toPatterns(picked, replacements.domain, scratch), words, 0);
  }
  return {
    kind: 'patched',
    count: rows.length,
    values,
    positions: inside.subarray(0, count),
    replacements: { kind: 'wide', count, words },
  };
}

/** The index of the first of some ascending numbers that is not below `number`. */
function firstFrom(ascending: Uint32Array, number: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] as number) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

export const patched: EncodingReader = {
  name: 'PATCHED',
  decode: decodeRange,
  salvage: decodeRows,
  test: (node, decoder, test) => {
    const patches = openPatches(node, decoder);
    const { positions } = patches;
    const mask = test.node(patches.values);
    const passing = new Uint8Array(positions.length);
    test.vector(replacementsOf(patches, 0, positions.length, decoder), passing);
    for (let i = 0; i < positions.length; i++) mask[positions[i] as number] = passing[i] as number;
    return mask;
  },
};

export const patchedWriter: EncodingWriter = {
  label: (reader, child) => {
    reader.take(8, 'a count');
    return `PATCHED(${child()})`;
  },
  roles: ['root', 'gaps', 'lengths', 'codes'],
  offer: (source, { chooser }) => {
    const split = source.kind === 'narrow' ? splitOutliers(source) : null;
    if (split === null) return null;
    const { values, positions, replacements, lent } = split;
    return {
      ...size(sizeBitPack(values, chooser.rules), source.count, positions, replacements, chooser),
      release: () => {
        if (lent !== null) giveBack(lent);
      },
    };
  },
};
