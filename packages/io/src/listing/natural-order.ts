// The order in which people expect numbered files: run_2 before run_10.

/** Below 0: `left` comes first. Runs of digits count as numbers, all else by its code units; ties by the whole text. */
export function compareNatural(left: string, right: string): number {
  const [one, other] = [left.split(/(\d+)/u), right.split(/(\d+)/u)];
  // Texts and numbers alternate, so that an index has texts in both or numbers in both.
  for (let index = 0; index < Math.min(one.length, other.length); index += 1) {
    const [a, b] = [one[index] as string, other[index] as string];
    const order = index % 2 === 1 ? compareNumbers(a, b) : compareTexts(a, b);
    if (order !== 0) return order;
  }
  return one.length - other.length || compareTexts(left, right);
}

/** Of any number of digits. */
function compareNumbers(left: string, right: string): number {
  const [a, b] = [left.replace(/^0+/u, ''), right.replace(/^0+/u, '')];
  return a.length - b.length || compareTexts(a, b);
}

function compareTexts(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}
