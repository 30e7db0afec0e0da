// Integers -> the cheapest BITPACK node: block lengths, references and widths are chosen here.
import { Encoding } from '../../../layout/constants.ts';
import { costOf } from '../../chooser.ts';
import type { Rules, Source } from '../../chooser.ts';
import { DECODING_RATES } from '../decoding-rates.ts';
import { fivesWords, groupFives, packThrees, threesWords } from '../../kernels/digits.ts';
import { pack, streamWords } from '../../kernels/unpack.ts';
import { writeKernels } from '../../kernels/write-kernels.ts';
import type { NodeWriter, SizedNode } from '../../node.ts';
import { fractionalPlan, planCode, planWords, wholePlan } from '../../plans.ts';
import type { Plan } from '../../plans.ts';
import type { Narrow, Wide } from '../../vector.ts';
import { LARGEST_BLOCK_LOG2, ONE_PLAN } from './limits.ts';

const HEADER_BYTES = 24;
/**
 * Block lengths that are sized: 256, 1024, 4096, … Shorter ones gain a little on skewed data only, for which there are
 * PATCHED and ENTROPY.
 */
const FIRST_TRIED_LOG2 = 8;
const LOG2_STEP = 2;
/** How a node is laid out: everything but the values. */
interface Layout {
  readonly byteLength: number;
  readonly blockLog2: number;
  readonly onePlan: boolean;
  readonly plans: readonly Plan[];
  readonly references: Uint32Array;
  readonly referenceWidth: number;
}

export function size(source: Source, rules: Rules): SizedNode {
  if (source.kind === 'wide') return sizeWide(source);
  const blocks = blockRanges(source);
  const whole = bestLayout(source, blocks, wholePlan);
  const fractional = bestLayout(source, blocks, fractionalPlan);
  const [time, slower] = [timeOf(source.count, whole), timeOf(source.count, fractional)];
  const hasDigits =
    fractional.byteLength < whole.byteLength &&
    costOf({ ...fractional, time: slower }, rules) <= costOf({ ...whole, time }, rules);
  const layout = hasDigits ? fractional : whole;
  return node(layout, hasDigits ? slower : time, (out) => encode(source, layout, out));
}

function node(layout: Layout, time: number, write: (out: NodeWriter) => void): SizedNode {
  return {
    encoding: Encoding.BITPACK,
    parameter: layout.onePlan ? ONE_PLAN : 0,
    byteLength: layout.byteLength,
    label: 'BITPACK',
    time,
    encode: write,
  };
}

/** Digits are unpacked plane by plane, of which the blocks have more or fewer. */
function timeOf(count: number, { plans }: Layout): number {
  const planes = plans.reduce((sum, { threes, fives }) => sum + threes + fives, 0) / plans.length;
  return count * (DECODING_RATES.packed + planes * DECODING_RATES.digits);
}

interface Ranges {
  readonly log2: number;
  readonly min: Uint32Array;
  readonly max: Uint32Array;
}

/** Minimum and maximum of blocks of the shortest length. */
function blockRanges({ values, count }: Narrow): Ranges {
  const blocks = Math.ceil(count / 2 ** FIRST_TRIED_LOG2);
  const [min, max] = [new Uint32Array(blocks), new Uint32Array(blocks)];
  const kernels = writeKernels(count);
  if (kernels !== null) {
    kernels.blockRanges(values, FIRST_TRIED_LOG2, min, max);
    return { log2: FIRST_TRIED_LOG2, min, max };
  }
  for (let block = 0, i = 0; block < blocks; block++) {
    let low = 2 ** 32 - 1;
    let high = 0;
    for (const end = Math.min(count, i + 2 ** FIRST_TRIED_LOG2); i < end; i++) {
      const value = values[i] as number;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    min[block] = low;
    max[block] = high;
  }
  return { log2: FIRST_TRIED_LOG2, min, max };
}

/** Four neighbouring blocks as one. */
function merged({ log2, min, max }: Ranges): Ranges {
  const each = 1 << LOG2_STEP;
  const blocks = Math.ceil(min.length / each);
  const longer = { log2: log2 + LOG2_STEP, min: new Uint32Array(blocks), max: new Uint32Array(blocks) };
  for (let block = 0; block < blocks; block++) {
    let low = min[block * each] as number;
    let high = max[block * each] as number;
    for (let i = block * each + 1; i < Math.min(min.length, (block + 1) * each); i++) {
      low = Math.min(low, min[i] as number);
      high = Math.max(high, max[i] as number);
    }
    longer.min[block] = low;
    longer.max[block] = high;
  }
  return longer;
}

/** The smallest layout over all block lengths, with one plan or a plan a block. */
function bestLayout(source: Narrow, finest: Ranges, planFor: (below: number, count: number) => Plan): Layout {
  let best: Layout | null = null;
  for (let ranges = finest; ; ranges = merged(ranges)) {
    for (const layout of layoutsOf(source.count, ranges, planFor))
      if (best === null || layout.byteLength < best.byteLength) best = layout;
    if (ranges.min.length === 1 || ranges.log2 === LARGEST_BLOCK_LOG2) return best as Layout;
  }
}

function layoutsOf(
  count: number,
  { log2, min, max }: Ranges,
  planFor: (below: number, count: number) => Plan,
): Layout[] {
  const blocks = min.length;
  const length = 2 ** log2;
  const referenceWidth = wholePlan(largest(min) + 1).lowBits;
  const shared = { blockLog2: log2, references: min, referenceWidth };
  const fixed = HEADER_BYTES + 4 * streamWords(blocks, referenceWidth);
  const plans: Plan[] = [];
  let words = 0;
  let widest = 0;
  for (let block = 0; block < blocks; block++) {
    const below = (max[block] as number) - (min[block] as number) + 1;
    const inBlock = Math.min(length, count - block * length);
    const plan = planFor(below, inBlock);
    plans.push(plan);
    words += planWords(plan, inBlock);
    if (below > widest) widest = below;
  }
  const each = { ...shared, byteLength: fixed + 4 * Math.ceil(blocks / 2) + 4 * words, onePlan: false, plans };
  const plan = planFor(widest, Math.min(length, count));
  const last = count - (blocks - 1) * length;
  const one = {
    ...shared,
    byteLength: fixed + 4 + 4 * ((blocks - 1) * planWords(plan, length) + planWords(plan, last)),
    onePlan: true,
    plans: [plan],
  };
  return [one, each];
}

function largest(values: Uint32Array): number {
  let most = 0;
  for (let i = 0; i < values.length; i++) most = Math.max(most, values[i] as number);
  return most;
}

function encode(source: Narrow, layout: Layout, out: NodeWriter): void {
  writeHeader(source.base, source.step, layout, out);
  const length = 2 ** layout.blockLog2;
  const room = layout.plans.some(({ threes, fives }) => threes + fives > 0)
    ? new Uint32Array(Math.min(length, source.count))
    : EMPTY;
  for (let start = 0, block = 0; start < source.count; start += length, block++) {
    const end = Math.min(source.count, start + length);
    encodeBlock(
      { values: source.values, start, end, reference: layout.references[block] as number },
      (layout.onePlan ? layout.plans[0] : layout.plans[block]) as Plan,
      room,
      out,
    );
  }
}

function writeHeader(base: bigint, step: bigint, layout: Layout, out: NodeWriter): void {
  out.uint64(base);
  out.uint64(step);
  out.uint8(layout.blockLog2);
  out.uint8(layout.referenceWidth);
  out.skip(6);
  for (const plan of layout.plans) out.uint16(planCode(plan));
  out.pad(4);
  const blocks = layout.references.length;
  pack(
    layout.references,
    0,
    blocks,
    layout.referenceWidth,
    out.words,
    out.skip(4 * streamWords(blocks, layout.referenceWidth)) / 4,
  );
}

const EMPTY = new Uint32Array(0);

/** Values [start, end), each at least the reference. */
interface Block {
  readonly values: Uint32Array;
  readonly start: number;
  readonly end: number;
  readonly reference: number;
}

/** `room`: for what the digits are taken of, where there are digits. */
function encodeBlock({ values, start, end, reference }: Block, plan: Plan, room: Uint32Array, out: NodeWriter): void {
  const { lowBits, threes, fives } = plan;
  const count = end - start;
  pack(values, start, end, lowBits, out.words, out.skip(4 * streamWords(count, lowBits)) / 4, reference);
  if (threes + fives === 0) return;
  for (let i = start; i < end; i++) room[i - start] = ((values[i] as number) - reference) >>> lowBits;
  let scale = 1;
  for (let plane = 0; plane < threes; plane++, scale *= 3)
    packThrees(room, 0, count, scale, out.bytes, out.skip(4 * threesWords(count)));
  for (let plane = 0; plane < fives; plane++, scale *= 5) {
    const groups = groupFives(room, 0, count, scale);
    pack(groups, 0, groups.length, 7, out.words, out.skip(4 * fivesWords(count)) / 4);
  }
}

/** 64-bit patterns: one block, one plan, minus the signed minimum. */
function sizeWide(source: Wide): SizedNode {
  const { words, count } = source;
  const [signed, unsigned] = [rangeOfWords(words, true), rangeOfWords(words, false)];
  const { base, range } = signed.range < unsigned.range ? signed : unsigned;
  const plan = wholePlanOfBits(range.toString(2).length);
  const layout = {
    blockLog2: LARGEST_BLOCK_LOG2,
    onePlan: true,
    plans: [plan],
    references: new Uint32Array(1),
    referenceWidth: 0,
    byteLength: HEADER_BYTES + 4 + 4 * planWords(plan, count),
  };
  return node(layout, count * DECODING_RATES.packedWide, (out) => {
    writeHeader(base, 1n, layout, out);
    const [lows, highs] = [new Uint32Array(count), new Uint32Array(count)];
    const [baseLow, baseHigh] = [Number(base & 0xffffffffn), Number((base >> 32n) & 0xffffffffn)];
    for (let i = 0; i < count; i++) {
      const low = words[2 * i] as number;
      lows[i] = low - baseLow;
      highs[i] = (words[2 * i + 1] as number) - baseHigh - (low < baseLow ? 1 : 0);
    }
    const lowWidth = Math.min(32, plan.lowBits);
    pack(lows, 0, count, lowWidth, out.words, out.skip(4 * streamWords(count, lowWidth)) / 4);
    if (plan.lowBits > 32)
      pack(highs, 0, count, plan.lowBits - 32, out.words, out.skip(4 * streamWords(count, plan.lowBits - 32)) / 4);
  });
}

function wholePlanOfBits(lowBits: number): Plan {
  return { lowBits, threes: 0, fives: 0, capacity: 2 ** lowBits };
}

function rangeOfWords(words: Uint32Array, signed: boolean): { base: bigint; range: bigint } {
  const flip = signed ? 0x80000000 : 0;
  let [minHigh, minLow, maxHigh, maxLow] = [2 ** 32, 0, -1, 0];
  for (let i = 0; i < words.length; i += 2) {
    const low = words[i] as number;
    const high = ((words[i + 1] as number) ^ flip) >>> 0;
    if (high < minHigh || (high === minHigh && low < minLow)) [minHigh, minLow] = [high, low];
    if (high > maxHigh || (high === maxHigh && low > maxLow)) [maxHigh, maxLow] = [high, low];
  }
  const min = (BigInt(minHigh) << 32n) | BigInt(minLow);
  return { base: min ^ (BigInt(flip) << 32n), range: ((BigInt(maxHigh) << 32n) | BigInt(maxLow)) - min };
}
