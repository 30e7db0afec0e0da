// Packed numbers -> their sums by code, and those of their squares: the innermost loops of aggregates for each group.
import { PAGE_LIMITS, isExactResult, numberKernels } from '@colkit/io';
import type { Narrow } from '../../columns/vector.ts';
import { MAX_PAGE_ROWS } from '../../layout/constants.ts';

/** Sums of packed numbers that leave room for a count above them in one exact double. */
const COUNT_UNIT = 2 ** 36;
const LANES = 4;
/** From where on the addon's loop is worth a call. */
const WORTH_A_CALL = 512;

/**
 * The packed numbers alone, by code, and how many: sums of a page are exact. Four sums a code, so that no addition
 * waits for the one before.
 */
export function addNumbers(
  { values, count, below }: Narrow,
  codes: Uint32Array | null,
  codeCount: number,
): { readonly sums: Float64Array; readonly counts: Float64Array } {
  const [sums, counts] = [new Float64Array(codeCount), new Float64Array(codeCount)];
  if (codes === null) {
    let [a, b] = [0, 0];
    for (let i = 0; i + 1 < count; i += 2) {
      a += values[i] as number;
      b += values[i + 1] as number;
    }
    sums[0] = a + b + (count % 2 === 1 ? (values[count - 1] as number) : 0);
    counts[0] = count;
    return { sums, counts };
  }
  const kernels =
    count >= WORTH_A_CALL && count <= MAX_PAGE_ROWS && codeCount <= PAGE_LIMITS.sumCodes ? numberKernels() : null;
  if (kernels !== null) {
    kernels.sumByCode(values.length === count ? values : values.subarray(0, count), codes, sums, counts);
    return { sums, counts };
  }
  if (below * count >= COUNT_UNIT) {
    for (let i = 0; i < count; i++) {
      const code = codes[i] as number;
      sums[code] = (sums[code] as number) + (values[i] as number);
      counts[code] = (counts[code] as number) + 1;
    }
    return { sums, counts };
  }
  const lanes = new Float64Array(LANES * codeCount);
  const whole = count - (count % LANES);
  for (let i = 0; i < whole; i += LANES) {
    const a = LANES * (codes[i] as number);
    const b = LANES * (codes[i + 1] as number) + 1;
    const c = LANES * (codes[i + 2] as number) + 2;
    const d = LANES * (codes[i + 3] as number) + 3;
    lanes[a] = (lanes[a] as number) + (values[i] as number) + COUNT_UNIT;
    lanes[b] = (lanes[b] as number) + (values[i + 1] as number) + COUNT_UNIT;
    lanes[c] = (lanes[c] as number) + (values[i + 2] as number) + COUNT_UNIT;
    lanes[d] = (lanes[d] as number) + (values[i + 3] as number) + COUNT_UNIT;
  }
  for (let i = whole; i < count; i++)
    lanes[LANES * (codes[i] as number)] =
      (lanes[LANES * (codes[i] as number)] as number) + (values[i] as number) + COUNT_UNIT;
  for (let code = 0; code < codeCount; code++) {
    for (let lane = LANES * code; lane < LANES * (code + 1); lane++) {
      const inLane = Math.floor((lanes[lane] as number) / COUNT_UNIT);
      counts[code] = (counts[code] as number) + inLane;
      sums[code] = (sums[code] as number) + (lanes[lane] as number) - inLane * COUNT_UNIT;
    }
  }
  return { sums, counts };
}

/**
 * The packed numbers by code: how many, their sums and those of their squares, one after another, all exact. Null where
 * squares may leave the exact numbers.
 */
export function addSquares({ values, count, below }: Narrow, codes: Uint32Array | null, codeCount: number) {
  if (!isExactResult(count * (below - 1) ** 2)) return null;
  const moments = new Float64Array(3 * codeCount);
  if (codes === null) {
    let [a, b, aSquares, bSquares] = [0, 0, 0, 0];
    for (let i = 0; i + 1 < count; i += 2) {
      const [first, second] = [values[i] as number, values[i + 1] as number];
      a += first;
      b += second;
      aSquares += first * first;
      bSquares += second * second;
    }
    const last = count % 2 === 1 ? (values[count - 1] as number) : 0;
    moments.set([count, a + b + last, aSquares + bSquares + last * last]);
    return moments;
  }
  for (let i = 0; i < count; i++) {
    const at = 3 * (codes[i] as number);
    const value = values[i] as number;
    moments[at] = (moments[at] as number) + 1;
    moments[at + 1] = (moments[at + 1] as number) + value;
    moments[at + 2] = (moments[at + 2] as number) + value * value;
  }
  return moments;
}
