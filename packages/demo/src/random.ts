// Row and item numbers in an order that is the same in every process and on every machine (xorshift32).

const SEED = 20_010_101;

/** Random rows with repeats. */
export function randomRows(count: number, rowCount: number): Int32Array {
  const next = xorshift32();
  return Int32Array.from({ length: count }, () => next() % rowCount);
}

/** Every item once. */
export function shuffledItems(count: number): Int32Array {
  const next = xorshift32();
  const order = Int32Array.from({ length: count }, (_, item) => item);
  for (let i = count - 1; i > 0; i--) {
    const other = next() % (i + 1);
    [order[i], order[other]] = [order[other] ?? 0, order[i] ?? 0];
  }
  return order;
}

function xorshift32(): () => number {
  let state = SEED;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}
