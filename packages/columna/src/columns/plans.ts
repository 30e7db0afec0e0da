// How a block of small numbers is cut into planes: low bits, then base-3 and base-5 digits. Widths are fractional: a
// base-3 digit takes 1.6 bits, a base-5 digit 2 1/3.
import { fivesWords, threesWords } from './kernels/digits.ts';
import { streamWords } from './kernels/unpack.ts';

export interface Plan {
  readonly lowBits: number;
  readonly threes: number;
  readonly fives: number;
  /** Numbers below this fit: 2^lowBits * 3^threes * 5^fives. */
  readonly capacity: number;
}

const MAX_THREES = 3;
const MAX_FIVES = 2;

/** A plan by its two bytes, or null where the format has no such plan. */
export function parsePlan(code: number): Plan | null {
  const plan = { lowBits: code & 255, threes: (code >>> 8) & 15, fives: code >>> 12 };
  const { lowBits, threes, fives } = plan;
  const capacity = 2 ** lowBits * 3 ** threes * 5 ** fives;
  if (lowBits > 64 || threes > MAX_THREES || fives > MAX_FIVES) return null;
  return threes + fives > 0 && (lowBits > 31 || capacity > 2 ** 32) ? null : { ...plan, capacity };
}

export function planCode(plan: Plan): number {
  return plan.lowBits | (plan.threes << 8) | (plan.fives << 12);
}

/** Words of a block of `count` values. */
export function planWords(plan: Plan, count: number): number {
  const { lowBits, threes, fives } = plan;
  const low = lowBits > 32 ? count + streamWords(count, lowBits - 32) : streamWords(count, lowBits);
  return low + threes * threesWords(count) + fives * fivesWords(count);
}

/** Whole bits for numbers below `below`, 1 to 2^32. */
export function wholePlan(below: number): Plan {
  return WHOLE[32 - Math.clz32(below - 1)] as Plan;
}

const WHOLE: readonly Plan[] = Array.from({ length: 65 }, (_, lowBits) => ({
  lowBits,
  threes: 0,
  fives: 0,
  capacity: 2 ** lowBits,
}));

/** Plans that no other plan beats in both width and capacity, from narrow to wide. */
const FRACTIONAL: readonly Plan[] = (() => {
  const all: { plan: Plan; bits: number }[] = [];
  for (let lowBits = 0; lowBits <= 32; lowBits++) {
    for (let threes = 0; threes <= MAX_THREES; threes++) {
      for (let fives = 0; fives <= MAX_FIVES; fives++) {
        const plan = parsePlan(lowBits | (threes << 8) | (fives << 12));
        if (plan !== null && plan.capacity <= 2 ** 32)
          all.push({ plan, bits: lowBits + (8 / 5) * threes + (7 / 3) * fives });
      }
    }
  }
  all.sort((a, b) => a.bits - b.bits || b.plan.capacity - a.plan.capacity);
  const best: Plan[] = [];
  for (const { plan } of all) if (plan.capacity > (best.at(-1)?.capacity ?? 0)) best.push(plan);
  return best;
})();

/** For the addon: the capacity of each, its low bits, its digits of base 3 and of base 5. */
export const PLAN_NUMBERS: Float64Array = Float64Array.from(
  FRACTIONAL.flatMap(({ capacity, lowBits, threes, fives }) => [capacity, lowBits, threes, fives]),
);

/** Their capacities, and the first of them that holds more than numbers of so many bits less one. */
const CAPACITIES = Float64Array.from(FRACTIONAL, ({ capacity }) => capacity);
const FIRST_OF_BITS = Uint8Array.from({ length: 33 }, (_, bits) =>
  bits === 0 ? 0 : FRACTIONAL.findIndex(({ capacity }) => capacity > 2 ** (bits - 1)),
);

/** The narrowest plan that holds numbers below `below`, 1 to 2^32, which take `bits` whole bits. */
function fractionalIndex(below: number, bits: number): number {
  let index = FIRST_OF_BITS[bits] as number;
  while ((CAPACITIES[index] as number) < below) index++;
  return index;
}

/** The plan of the fewest words for `count` numbers below `below` (at most 2^32), digits allowed. */
export function fractionalPlan(below: number, count: number): Plan {
  const whole = wholePlan(below);
  const fractional = FRACTIONAL[fractionalIndex(below, whole.lowBits)] as Plan;
  return planWords(fractional, count) < planWords(whole, count) ? fractional : whole;
}

/** Words of a block of `count` numbers below `below` by that plan; `byPlan`: `wordsByPlan(count)`. */
export function fractionalWords(below: number, count: number, byPlan: Uint32Array): number {
  const bits = 32 - Math.clz32(below - 1);
  return Math.min(streamWords(count, bits), byPlan[fractionalIndex(below, bits)] as number);
}

/** What so many numbers take by each plan. */
export function wordsByPlan(count: number): Uint32Array {
  return BLOCK_WORDS.get(count) ?? Uint32Array.from(FRACTIONAL, (plan) => planWords(plan, count));
}

/** Of blocks that are sized most often. */
const BLOCK_WORDS: ReadonlyMap<number, Uint32Array> = new Map(
  [8, 10, 12, 14, 16].map((log2) => [2 ** log2, Uint32Array.from(FRACTIONAL, (plan) => planWords(plan, 2 ** log2))]),
);
