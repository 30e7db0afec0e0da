// What the mean of some doubles is, given their sum.

/** What is wrong with a mean; null: it is the sum by the count, or, where the sum alone is too large, near it. */
export function meanFault(values: readonly number[], sum: number, found: number): string | null {
  const wanted = sum / values.length;
  if (Number.isFinite(sum) || !values.every(Number.isFinite))
    return Object.is(found, wanted) ? null : `${String(found)} for ${String(wanted)}`;
  const near = values.reduce((mean, value) => mean + value / values.length, 0);
  return Math.abs(found / near - 1) < 1e-12 ? null : `${String(found)} for nearly ${String(near)}`;
}
