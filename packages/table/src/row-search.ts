// Stretches of rows that lie one after another: which of them has a row.

/** The index of the last stretch that starts at the row or before; 0 where none does. */
export function stretchOfRow(row: number, stretches: readonly { readonly firstRow: number }[]): number {
  // Mostly all but the last one are of one length.
  const guess = Math.floor(row / (stretches[1]?.firstRow ?? Infinity));
  const [at, next] = [stretches[guess]?.firstRow ?? Infinity, stretches[guess + 1]?.firstRow ?? Infinity];
  if (at <= row && row < next) return guess;
  let low = 0;
  let high = stretches.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((stretches[middle] as { readonly firstRow: number }).firstRow <= row) low = middle;
    else high = middle - 1;
  }
  return low;
}
