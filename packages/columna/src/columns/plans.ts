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

/** The plan of the fewest words for `count` numbers below `below` (at most 2^32), digits allowed. */
export function fractionalPlan(below: number, count: number): Plan {
  let [low, high] = [0, FRACTIONAL.length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((FRACTIONAL[middle] as Plan).capacity >= below) high = middle;
    else low = middle + 1;
  }
  const fractional = FRACTIONAL[low] as Plan;
  const whole = wholePlan(below);
  return planWords(fractional, count) < planWords(whole, count) ? fractional : whole;
}
