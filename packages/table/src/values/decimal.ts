// Decimals, an integer and how many of its digits lie behind the point -> the nearest float64.

const MOST_EXACT = 2n ** 53n;
/** Powers of ten that are doubles exactly. */
const POWERS: readonly number[] = Array.from({ length: 23 }, (_, power) => Number(`1e${String(power)}`));

/** `unscaled` / 10^`scale`, rounded once, ties to even: what reading the same decimal as text gives. */
export function nearestDouble(unscaled: bigint, scale: number): number {
  // Both are doubles exactly, and a division rounds once. Everything else goes through the text of the number, which is
  // read exactly, however long it is.
  if (scale >= 0 && scale < POWERS.length && unscaled <= MOST_EXACT && unscaled >= -MOST_EXACT)
    return Number(unscaled) / (POWERS[scale] as number);
  return Number(`${String(unscaled)}e${String(-scale)}`);
}
