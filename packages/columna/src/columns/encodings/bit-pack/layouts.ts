// How the blocks of a BITPACK node may be laid out, and which of the ways takes the fewest bytes: lengths of blocks,
// one plan or a plan a block, whole bits or digits too. It is asked for every candidate of a page, and for every node
// below.
import type { EncodeKernels } from '@colkit/io';
import { writeKernels } from '../../kernels/write-kernels.ts';
import { streamWords } from '../../kernels/unpack.ts';
import { PLAN_NUMBERS, fractionalPlan, fractionalWords, planWords, wholePlan, wordsByPlan } from '../../plans.ts';
import type { Plan } from '../../plans.ts';
import type { Narrow } from '../../vector.ts';
import { LARGEST_BLOCK_LOG2 } from './limits.ts';

export const HEADER_BYTES = 24;
/**
 * Block lengths that are sized: 256, 1024, 4096, … Shorter ones gain a little on skewed data only, for which there
 * are PATCHED and ENTROPY.
 */
const FIRST_TRIED_LOG2 = 8;
const LOG2_STEP = 2;

/** How a node is laid out: everything but the values. A class: closures would be compiled again and again. */
export class Layout {
  readonly byteLength: number;
  readonly blockLog2: number;
  readonly onePlan: boolean;
  readonly #count: number;
  readonly #ranges: Ranges;
  readonly #hasDigits: boolean;

  /** @param ranges of blocks that are as long, or shorter. */
  constructor(
    { byteLength, blockLog2, onePlan }: Pick<Layout, 'byteLength' | 'blockLog2' | 'onePlan'>,
    count: number,
    ranges: Ranges,
    hasDigits: boolean,
  ) {
    this.byteLength = byteLength;
    this.blockLog2 = blockLog2;
    this.onePlan = onePlan;
    this.#count = count;
    this.#ranges = ranges;
    this.#hasDigits = hasDigits;
  }

  /** Made when they are asked for: of all layouts that are looked at, one is written. */
  blocks(): Blocks {
    let ranges = this.#ranges;
    while (ranges.log2 < this.blockLog2) ranges = merged(ranges);
    return {
      plans: plansOf(this.#count, ranges, this.onePlan, this.#hasDigits),
      references: ranges.min,
      referenceWidth: referenceWidthOf(ranges),
    };
  }
}

export interface Blocks {
  /** One for all, or one each. */
  readonly plans: readonly Plan[];
  readonly references: Uint32Array;
  readonly referenceWidth: number;
}

/** Blocks of 2^log2 values: the least and the largest of each. */
interface Ranges {
  readonly log2: number;
  readonly min: Uint32Array;
  readonly max: Uint32Array;
}

/** The layout of the fewest bytes, of whole bits and of any plans. */
export function bestLayouts(source: Narrow): { readonly whole: Layout; readonly fractional: Layout } {
  const kernels = writeKernels(source.count);
  return kernels === null ? bestLayoutsHere(source) : bestLayoutsInAddon(source, kernels);
}

function bestLayoutsInAddon(
  { values, count }: Narrow,
  kernels: EncodeKernels,
): { readonly whole: Layout; readonly fractional: Layout } {
  const blocks = Math.ceil(count / 2 ** FIRST_TRIED_LOG2);
  const [min, max, facts] = [new Uint32Array(blocks), new Uint32Array(blocks), new Float64Array(6)];
  kernels.blockLayouts(values, FIRST_TRIED_LOG2, LARGEST_BLOCK_LOG2, HEADER_BYTES, PLAN_NUMBERS, min, max, facts);
  const ranges = { log2: FIRST_TRIED_LOG2, min, max };
  return { whole: layoutAt(facts, 0, count, ranges, false), fractional: layoutAt(facts, 3, count, ranges, true) };
}

function layoutAt(facts: Float64Array, at: number, count: number, ranges: Ranges, hasDigits: boolean): Layout {
  const [byteLength = 0, blockLog2 = 0, onePlan = 0] = facts.subarray(at);
  return new Layout({ byteLength, blockLog2, onePlan: onePlan === 1 }, count, ranges, hasDigits);
}

function bestLayoutsHere(source: Narrow): { readonly whole: Layout; readonly fractional: Layout } {
  const lengths = [blockRanges(source)];
  for (let last = lengths[0] as Ranges; last.min.length > 1 && last.log2 < LARGEST_BLOCK_LOG2; lengths.push(last))
    last = merged(last);
  return { whole: bestLayout(source.count, lengths, false), fractional: bestLayout(source.count, lengths, true) };
}

/** Minimum and maximum of blocks of the shortest length. */
function blockRanges({ values, count }: Narrow): Ranges {
  const blocks = Math.ceil(count / 2 ** FIRST_TRIED_LOG2);
  const [min, max] = [new Uint32Array(blocks), new Uint32Array(blocks)];
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

function referenceWidthOf({ min }: Ranges): number {
  let largest = 0;
  for (let i = 0; i < min.length; i++) if ((min[i] as number) > largest) largest = min[i] as number;
  return wholePlan(largest + 1).lowBits;
}

/** Four neighbouring blocks as one. */
function merged({ log2, min, max }: Ranges): Ranges {
  const each = 1 << LOG2_STEP;
  const blocks = Math.ceil(min.length / each);
  const [lows, highs] = [new Uint32Array(blocks), new Uint32Array(blocks)];
  for (let block = 0, i = 0; block < blocks; block++) {
    let low = 2 ** 32 - 1;
    let high = 0;
    for (const end = Math.min(min.length, i + each); i < end; i++) {
      if ((min[i] as number) < low) low = min[i] as number;
      if ((max[i] as number) > high) high = max[i] as number;
    }
    lows[block] = low;
    highs[block] = high;
  }
  return { log2: log2 + LOG2_STEP, min: lows, max: highs };
}

/** The smallest over all block lengths, with one plan or a plan a block: the first of equal ones. */
function bestLayout(count: number, lengths: readonly Ranges[], hasDigits: boolean): Layout {
  let best: { readonly ranges: Ranges; readonly onePlan: boolean } | null = null;
  let fewest = Infinity;
  for (const ranges of lengths) {
    const { one, each } = bytesOf(count, ranges, hasDigits);
    if (one < fewest) [best, fewest] = [{ ranges, onePlan: true }, one];
    if (each < fewest) [best, fewest] = [{ ranges, onePlan: false }, each];
  }
  const { ranges, onePlan } = best as NonNullable<typeof best>;
  return new Layout({ byteLength: fewest, blockLog2: ranges.log2, onePlan }, count, ranges, hasDigits);
}

/** What the values take with one plan, and with a plan for each block. */
function bytesOf(count: number, ranges: Ranges, hasDigits: boolean): { readonly one: number; readonly each: number } {
  const { log2, min, max } = ranges;
  const blocks = min.length;
  const length = 2 ** log2;
  const last = count - (blocks - 1) * length;
  const byPlan = hasDigits && blocks > 1 ? wordsByPlan(length) : null;
  let [words, widest] = [0, 0];
  for (let block = 0; block < blocks; block++) {
    const below = (max[block] as number) - (min[block] as number) + 1;
    if (below > widest) widest = below;
    if (block === blocks - 1) words += planWords(planFor(below, last, hasDigits), last);
    else if (byPlan === null) words += streamWords(length, 32 - Math.clz32(below - 1));
    else words += fractionalWords(below, length, byPlan);
  }
  const fixed = HEADER_BYTES + 4 * streamWords(blocks, referenceWidthOf(ranges));
  const plan = planFor(widest, Math.min(length, count), hasDigits);
  return {
    one: fixed + 4 + 4 * ((blocks - 1) * planWords(plan, length) + planWords(plan, last)),
    each: fixed + 4 * Math.ceil(blocks / 2) + 4 * words,
  };
}

function plansOf(count: number, { log2, min, max }: Ranges, onePlan: boolean, hasDigits: boolean): Plan[] {
  const length = 2 ** log2;
  const plans: Plan[] = [];
  let widest = 0;
  for (let block = 0; block < min.length; block++) {
    const below = (max[block] as number) - (min[block] as number) + 1;
    if (below > widest) widest = below;
    if (!onePlan) plans.push(planFor(below, Math.min(length, count - block * length), hasDigits));
  }
  return onePlan ? [planFor(widest, Math.min(length, count), hasDigits)] : plans;
}

function planFor(below: number, count: number, hasDigits: boolean): Plan {
  return hasDigits ? fractionalPlan(below, count) : wholePlan(below);
}
