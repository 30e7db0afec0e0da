// What the mean of some doubles is, given their sum.

/** What is wrong with a mean; null: it is the sum by the count, or, where the sum alone is too large, near it. */
export function meanFault(values: readonly number[], sum: number, found: number): string | null {
  const wanted = sum / values.length;
  if (Number.isFinite(sum) || !values.every(Number.isFinite))
    return Object.is(found, wanted) ? null : `${String(found)} for ${String(wanted)}`;
  // Of halves, since roundings may carry the mean of the largest values beyond the largest one.
  const half = values.reduce((mean, value) => mean + value / 2 / values.length, 0);
  return Math.abs(found / 2 / half - 1) < 1e-12 ? null : `${String(found)} for nearly twice ${String(half)}`;
}
