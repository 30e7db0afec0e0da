// Stretches of rows that lie one after another: which of them has a row.

/** The index of the last stretch that starts at the row or before; 0 where none does. */
export function stretchOfRow(row: number, stretches: readonly { readonly firstRow: number }[]): number {
  let low = 0;
  let high = stretches.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((stretches[middle] as { readonly firstRow: number }).firstRow <= row) low = middle;
    else high = middle - 1;
  }
  return low;
}
