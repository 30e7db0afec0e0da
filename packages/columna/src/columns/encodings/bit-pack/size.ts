// Integers -> the cheapest BITPACK node: block lengths, references and widths are chosen here.
import { Encoding } from '../../../layout/constants.ts';
import { costOf } from '../../chooser.ts';
import type { Rules, Source } from '../../chooser.ts';
import { DECODING_RATES } from '../decoding-rates.ts';
import { fivesWords, groupFives, packThrees, threesWords } from '../../kernels/digits.ts';
import { pack, streamWords } from '../../kernels/unpack.ts';
import { writeKernels } from '../../kernels/write-kernels.ts';
import type { NodeWriter, SizedNode } from '../../node.ts';
import { planCode, planWords } from '../../plans.ts';
import type { Plan } from '../../plans.ts';
import type { Narrow, Wide } from '../../vector.ts';
import { HEADER_BYTES, bestLayouts } from './layouts.ts';
import type { Blocks, Layout } from './layouts.ts';
import { LARGEST_BLOCK_LOG2, ONE_PLAN } from './limits.ts';

export function size(source: Source, rules: Rules): SizedNode {
  if (source.kind === 'wide') return sizeWide(source);
  const { whole, fractional } = bestLayouts(source);
  const time = source.count * DECODING_RATES.packed;
  const inDigits = fractional.byteLength < whole.byteLength ? withDigits(fractional, source.count) : null;
  return inDigits !== null && costOf(inDigits, rules) <= costOf({ byteLength: whole.byteLength, time }, rules)
    ? node(fractional, inDigits.time, (out) => encode(source, fractional, out))
    : node(whole, time, (out) => encode(source, whole, out));
}

function node(
  layout: Pick<Layout, 'byteLength' | 'onePlan'>,
  time: number,
  write: (out: NodeWriter) => void,
): SizedNode {
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
function withDigits(layout: Layout, count: number): { readonly byteLength: number; readonly time: number } {
  const { plans } = layout.blocks();
  let planes = 0;
  for (const { threes, fives } of plans) planes += threes + fives;
  return {
    byteLength: layout.byteLength,
    time: count * (DECODING_RATES.packed + (planes / plans.length) * DECODING_RATES.digits),
  };
}

function encode(source: Narrow, layout: Layout, out: NodeWriter): void {
  const blocks = layout.blocks();
  const { plans, references } = blocks;
  writeHeader(source.base, source.step, layout, blocks, out);
  const kernels = writeKernels(source.count);
  if (kernels !== null) {
    const codes = planCodes(plans, references.length);
    const words = out.words.subarray(out.position / 4);
    out.skip(4 * kernels.packBlocks(source.values, layout.blockLog2, references, codes, words));
    return;
  }
  const length = 2 ** layout.blockLog2;
  const room = plans.some(({ threes, fives }) => threes + fives > 0)
    ? new Uint32Array(Math.min(length, source.count))
    : EMPTY;
  for (let start = 0, block = 0; start < source.count; start += length, block++) {
    const end = Math.min(source.count, start + length);
    encodeBlock(
      { values: source.values, start, end, reference: references[block] as number },
      (layout.onePlan ? plans[0] : plans[block]) as Plan,
      room,
      out,
    );
  }
}

/** Of a plan for each block, or one for all. */
function planCodes(plans: readonly Plan[], blocks: number): Uint32Array {
  const codes = new Uint32Array(blocks);
  for (let block = 0; block < blocks; block++) codes[block] = planCode((plans[block] ?? plans[0]) as Plan);
  return codes;
}

function writeHeader(
  base: bigint,
  step: bigint,
  { blockLog2 }: Pick<Layout, 'blockLog2'>,
  { plans, references, referenceWidth }: Blocks,
  out: NodeWriter,
): void {
  out.uint64(base);
  out.uint64(step);
  out.uint8(blockLog2);
  out.uint8(referenceWidth);
  out.skip(6);
  for (const plan of plans) out.uint16(planCode(plan));
  out.pad(4);
  const blocks = references.length;
  pack(references, 0, blocks, referenceWidth, out.words, out.skip(4 * streamWords(blocks, referenceWidth)) / 4);
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
  packPlane(values, start, end, lowBits, out.words, out.skip(4 * streamWords(count, lowBits)) / 4, reference);
  if (threes + fives === 0) return;
  for (let i = start; i < end; i++) room[i - start] = ((values[i] as number) - reference) >>> lowBits;
  let scale = 1;
  for (let plane = 0; plane < threes; plane++, scale *= 3)
    packThrees(room, 0, count, scale, out.bytes, out.skip(4 * threesWords(count)));
  for (let plane = 0; plane < fives; plane++, scale *= 5) {
    const groups = groupFives(room, 0, count, scale);
    packPlane(groups, 0, groups.length, 7, out.words, out.skip(4 * fivesWords(count)) / 4);
  }
}

/** As `pack`, by the addon where it is there. */
function packPlane(...[values, start, end, width, words, at, less = 0]: Parameters<typeof pack>): void {
  const kernels = width === 0 ? null : writeKernels(end - start);
  if (kernels === null) pack(values, start, end, width, words, at, less);
  else kernels.packBits(values.subarray(start, end), width, less, words.subarray(at));
}

/** 64-bit patterns: one block, one plan, minus the signed minimum. */
function sizeWide(source: Wide): SizedNode {
  const { words, count } = source;
  const [signed, unsigned] = [rangeOfWords(words, true), rangeOfWords(words, false)];
  const { base, range } = signed.range < unsigned.range ? signed : unsigned;
  const plan = wholePlanOfBits(range.toString(2).length);
  const blocks = { plans: [plan], references: new Uint32Array(1), referenceWidth: 0 };
  const layout = {
    blockLog2: LARGEST_BLOCK_LOG2,
    onePlan: true,
    byteLength: HEADER_BYTES + 4 + 4 * planWords(plan, count),
  };
  return node(layout, count * DECODING_RATES.packedWide, (out) => {
    writeHeader(base, 1n, layout, blocks, out);
    const [lows, highs] = [new Uint32Array(count), new Uint32Array(count)];
    const [baseLow, baseHigh] = [Number(base & 0xffffffffn), Number((base >> 32n) & 0xffffffffn)];
    for (let i = 0; i < count; i++) {
      const low = words[2 * i] as number;
      lows[i] = low - baseLow;
      highs[i] = (words[2 * i + 1] as number) - baseHigh - (low < baseLow ? 1 : 0);
    }
    const lowWidth = Math.min(32, plan.lowBits);
    packPlane(lows, 0, count, lowWidth, out.words, out.skip(4 * streamWords(count, lowWidth)) / 4);
    if (plan.lowBits > 32)
      packPlane(highs, 0, count, plan.lowBits - 32, out.words, out.skip(4 * streamWords(count, plan.lowBits - 32)) / 4);
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
