// Samples of nanoseconds -> the few numbers that are reported: the middle and the spread.

export interface Summary {
  readonly samples: number;
  readonly median: number;
  readonly p10: number;
  readonly p90: number;
  readonly min: number;
}

/** The value below which a share `q` of the samples lies, linear between neighbours. NaN for no samples. */
export function quantile(sorted: readonly number[], q: number): number {
  if (sorted.length === 0) return Number.NaN;
  const position = (sorted.length - 1) * q;
  const below = sorted[Math.floor(position)] as number;
  const above = sorted[Math.ceil(position)] as number;
  return below + (above - below) * (position - Math.floor(position));
}

/** Median, spread and minimum of samples in any order and unit; the input is not changed. */
export function summarise(samples: readonly number[]): Summary {
  const sorted = [...samples].sort((a, b) => a - b);
  return {
    samples: sorted.length,
    median: quantile(sorted, 0.5),
    p10: quantile(sorted, 0.1),
    p90: quantile(sorted, 0.9),
    min: quantile(sorted, 0),
  };
}

/**
 * Median of the ratios b / a of paired samples with the interval that holds the true median with about 95 % (order
 * statistics of the sign test).
 */
export function pairedRatio(
  a: readonly number[],
  b: readonly number[],
): { readonly median: number; readonly low: number; readonly high: number } {
  const ratios = a.map((value, i) => (b[i] as number) / value).sort((x, y) => x - y);
  const half = (1.96 * Math.sqrt(ratios.length)) / 2;
  const at = (position: number): number =>
    ratios[Math.min(ratios.length - 1, Math.max(0, Math.round(position)))] ?? Number.NaN;
  return {
    median: quantile(ratios, 0.5),
    low: at((ratios.length - 1) / 2 - half),
    high: at((ratios.length - 1) / 2 + half),
  };
}
