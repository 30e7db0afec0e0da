// BITPACK: minus a minimum, divided by a step, in the fewest bits; in blocks with references and widths of their own,
// so that a row is found by arithmetic. Widths may be fractional.
import { ALL_ROLES } from '../../chooser.ts';
import type { EncodingReader, EncodingWriter } from '../../encoding.ts';
import {
  addFivesUnchecked,
  addThreesUnchecked,
  fiveAt,
  fivesWords,
  threeAt,
  threesWords,
} from '../../kernels/digits.ts';
import { bitsAt, streamWords, unpackUnchecked } from '../../kernels/unpack.ts';
import { NodeReader } from '../../node.ts';
import type { Decoder, Node } from '../../node.ts';
import { parsePlan, planWords } from '../../plans.ts';
import type { Plan } from '../../plans.ts';
import type { Vector } from '../../vector.ts';
import { LARGEST_BLOCK_LOG2, ONE_PLAN, SMALLEST_BLOCK_LOG2 } from './limits.ts';
import { size } from './size.ts';

/** Base, reference and number below this each: their sum stays below 2^32. */
const FOLDABLE = 2 ** 30;

/** A node's header, read and checked; its blocks come next. */
interface Opened {
  readonly reader: NodeReader;
  readonly base: bigint;
  readonly step: bigint;
  readonly blockLog2: number;
  readonly blocks: number;
  readonly referenceWidth: number;
  readonly references: Uint32Array;
  /** One for all blocks, or one each. */
  readonly plans: readonly Plan[];
  /** Some block holds more than 32 bits a value. */
  readonly wide: boolean;
}

function openBlocks(node: Node, decoder: Decoder): Opened {
  const reader = new NodeReader(decoder, node, ONE_PLAN);
  const base = BigInt.asIntN(64, reader.uint64('a base'));
  const step = BigInt.asIntN(64, reader.uint64('a step'));
  const blockLog2 = reader.uint8('a block length');
  const referenceWidth = reader.uint8('a reference width');
  reader.take(6, 'ignored bytes');
  if (blockLog2 < SMALLEST_BLOCK_LOG2 || blockLog2 > LARGEST_BLOCK_LOG2)
    throw reader.refuse(`a block length of 2^${SMALLEST_BLOCK_LOG2} to 2^${LARGEST_BLOCK_LOG2}`, blockLog2);
  if (referenceWidth > 32) throw reader.refuse('references of at most 32 bits', referenceWidth);
  const blocks = ((node.count - 1) >>> blockLog2) + 1;
  const plans: Plan[] = [];
  for (let block = 0; block < (node.parameter === ONE_PLAN ? 1 : blocks); block++) {
    const code = reader.uint16('a plan');
    const plan = parsePlan(code);
    if (plan === null) throw reader.refuse('a plan of the format', code);
    plans.push(plan);
  }
  reader.pad(4);
  const references = decoder.scratch.uint32(blocks);
  const referencesAt = reader.take(4 * streamWords(blocks, referenceWidth), 'references') / 4;
  if (referenceWidth === 0) references.fill(0);
  else unpackUnchecked(decoder.words, referencesAt, referenceWidth, 0, blocks, references, 0, 0);
  const wide = plans.some((plan) => plan.lowBits > 32);
  if (wide && (referenceWidth !== 0 || step !== 1n))
    throw reader.refuse('no references and step 1 beside more than 32 bits', `${referenceWidth} bits, step ${step}`);
  return { reader, base, step, blockLog2, blocks, referenceWidth, references, plans, wide };
}

const DIGITS_REFUSED = 'groups of base-3 digits below 243 and of base-5 digits below 125';

function decodeRange(node: Node, start: number, end: number, decoder: Decoder): Vector {
  const { reader, base, step, blockLog2, blocks, referenceWidth, references, plans, wide } = openBlocks(node, decoder);
  const length = 1 << blockLog2;
  const count = end - start;
  // A small base costs nothing where references are added anyway.
  const folded =
    step === 1n &&
    base > 0n &&
    base < FOLDABLE &&
    referenceWidth <= 30 &&
    plans.every((plan) => plan.capacity <= FOLDABLE)
      ? Number(base)
      : 0;
  const values = wide ? decoder.scratch.uint32(2 * count) : decoder.scratch.uint32(count);
  let below = 1;
  for (let block = 0, first = 0; block < blocks; block++, first += length) {
    const plan = (plans[block] ?? plans[0]) as Plan;
    const inBlock = Math.min(length, node.count - first);
    const at = reader.take(4 * planWords(plan, inBlock), 'a block') / 4;
    const [from, to] = [Math.max(start, first), Math.min(end, first + inBlock)];
    if (from >= to) continue;
    const reference = (references[block] as number) + folded;
    if (reference + plan.capacity > below) below = reference + plan.capacity;
    const part: BlockPart = { plan, at, inBlock, first: from - first, count: to - from, to: from - start };
    if (wide) unpackWide(part, base, values, decoder);
    else if (!unpackNarrow(part, reference, values, decoder)) throw reader.refuse(DIGITS_REFUSED, 'a larger one');
  }
  reader.end();
  return wide
    ? { kind: 'wide', count, words: values }
    : { kind: 'narrow', count, base: base - BigInt(folded), step, values, below: Math.min(below, 2 ** 32) };
}

/** The values at `rows` alone, in any order; null where they are wide. */
function decodeRows(node: Node, rows: Uint32Array, decoder: Decoder): Vector | null {
  const { reader, base, step, blockLog2, blocks, references, plans, wide } = openBlocks(node, decoder);
  if (wide) return null;
  const length = 1 << blockLog2;
  const starts = decoder.scratch.uint32(blocks);
  let below = 1;
  for (let block = 0, first = 0; block < blocks; block++, first += length) {
    const plan = (plans[block] ?? plans[0]) as Plan;
    starts[block] = reader.take(4 * planWords(plan, Math.min(length, node.count - first)), 'a block') / 4;
    if ((references[block] as number) + plan.capacity > below) below = (references[block] as number) + plan.capacity;
  }
  reader.end();
  const values = decoder.scratch.uint32(rows.length);
  for (let i = 0; i < rows.length; i++) {
    const block = (rows[i] as number) >>> blockLog2;
    const inBlock = Math.min(length, node.count - block * length);
    const value = valueAt(
      (plans[block] ?? plans[0]) as Plan,
      starts[block] as number,
      inBlock,
      (rows[i] as number) & (length - 1),
      decoder,
    );
    if (value === -1) throw reader.refuse(DIGITS_REFUSED, 'a larger one');
    values[i] = (references[block] as number) + value;
  }
  return { kind: 'narrow', count: rows.length, base, step, values, below: Math.min(below, 2 ** 32) };
}

/** One value of a block whose planes start at word `at`; -1 where its group of digits is none. */
function valueAt(
  { lowBits, threes, fives }: Plan,
  at: number,
  inBlock: number,
  index: number,
  { bytes, words }: Decoder,
): number {
  let value = lowBits === 0 ? 0 : bitsAt(words, at, lowBits, index);
  let next = at + streamWords(inBlock, lowBits);
  let scale = 2 ** lowBits;
  for (let plane = 0; plane < threes; plane++, scale *= 3, next += threesWords(inBlock)) {
    const digit = threeAt(bytes[4 * next + Math.floor(index / 5)] as number, index % 5);
    if (digit === -1) return -1;
    value += digit * scale;
  }
  for (let plane = 0; plane < fives; plane++, scale *= 5, next += fivesWords(inBlock)) {
    const digit = fiveAt(bitsAt(words, next, 7, Math.floor(index / 3)), index % 3);
    if (digit === -1) return -1;
    value += digit * scale;
  }
  return value;
}

/** Part of a block: values [first, first + count) of `inBlock`, whose planes start at word `at`, to out[to …]. */
interface BlockPart {
  readonly plan: Plan;
  readonly at: number;
  readonly inBlock: number;
  readonly first: number;
  readonly count: number;
  readonly to: number;
}

function unpackNarrow(
  { plan, at, inBlock, first, count, to }: BlockPart,
  reference: number,
  out: Uint32Array,
  { bytes, words, scratch }: Decoder,
): boolean {
  const { lowBits, threes, fives } = plan;
  if (lowBits === 0) out.fill(reference, to, to + count);
  else unpackUnchecked(words, at, lowBits, first, count, out, to, reference);
  if (threes + fives === 0) return true;
  let next = at + streamWords(inBlock, lowBits);
  let scale = 2 ** lowBits;
  let legal = true;
  for (let plane = 0; plane < threes; plane++, scale *= 3, next += threesWords(inBlock))
    legal = addThreesUnchecked(bytes, 4 * next, first, count, scale, out, to) && legal;
  for (let plane = 0; plane < fives; plane++, scale *= 5, next += fivesWords(inBlock)) {
    legal =
      addFivesUnchecked(words, next, first, count, scale, out, to, scratch.uint32(Math.ceil(count / 3) + 1)) && legal;
  }
  return legal;
}

/** A block beside one of more than 32 bits: base plus 64-bit numbers, as halves. Its own plan may be narrow. */
function unpackWide(part: BlockPart, base: bigint, out: Uint32Array, decoder: Decoder): void {
  const { plan, at, inBlock, first, count, to } = part;
  const [lows, highs] = [decoder.scratch.uint32(count), decoder.scratch.uint32(count)];
  if (plan.lowBits <= 32) {
    highs.fill(0);
    unpackNarrow({ ...part, to: 0 }, 0, lows, decoder);
  } else {
    unpackUnchecked(decoder.words, at, 32, first, count, lows, 0, 0);
    unpackUnchecked(decoder.words, at + inBlock, plan.lowBits - 32, first, count, highs, 0, 0);
  }
  const [baseLow, baseHigh] = [Number(base & 0xffffffffn), Number((base >> 32n) & 0xffffffffn)];
  for (let i = 0, o = 2 * to; i < count; i++, o += 2) {
    const low = ((lows[i] as number) + baseLow) >>> 0;
    out[o] = low;
    out[o + 1] = (highs[i] as number) + baseHigh + (low < baseLow ? 1 : 0);
  }
}

export const bitPack: EncodingReader = {
  name: 'BITPACK',
  decode: decodeRange,
  pick: decodeRows,
};

export const bitPackWriter: EncodingWriter = {
  mostParameter: ONE_PLAN,
  roles: ALL_ROLES,
  offer: (source, { chooser }) => size(source, chooser.rules),
};
