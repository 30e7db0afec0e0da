// Which rows of 64-bit integers lie in [low, high], on pairs of 32-bit words: a bigint for every row would cost fifty
// times as much. Words are biased so that signed comparisons order them: the low word always, the high word of unsigned
// integers.

/** Turns the order of unsigned words into that of signed ones. */
const SIGN = -0x80000000;

/** The bounds as biased words. */
interface WideRange {
  readonly lowHigh: number;
  readonly lowLow: number;
  readonly highHigh: number;
  readonly highLow: number;
  /** For the high words of the values. */
  readonly bias: number;
}

/** @param low and @param high within the type, low <= high; null: no value lies in the range. */
export function wideRange(low: bigint, high: bigint, unsigned: boolean): WideRange | null {
  if (low > high) return null;
  const bias = unsigned ? SIGN : 0;
  const upper = (value: bigint): number => Number(BigInt.asIntN(32, value >> 32n)) ^ bias;
  const lower = (value: bigint): number => Number(BigInt.asIntN(32, value)) ^ SIGN;
  return { lowHigh: upper(low), lowLow: lower(low), highHigh: upper(high), highLow: lower(high), bias };
}

export function wordsOf(values: BigInt64Array | BigUint64Array): Int32Array {
  return new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
}

export function selectInWideRange(
  words: Int32Array,
  count: number,
  range: WideRange,
  flip: 0 | 1,
  out: Int32Array,
): number {
  const { lowHigh, lowLow, highHigh, highLow, bias } = range;
  let used = 0;
  for (let row = 0; row < count; row += 1) {
    const lower = (words[2 * row] as number) ^ SIGN;
    const upper = (words[2 * row + 1] as number) ^ bias;
    const above = Number(upper > lowHigh) | (Number(upper === lowHigh) & Number(lower >= lowLow));
    const below = Number(upper < highHigh) | (Number(upper === highHigh) & Number(lower <= highLow));
    out[used] = row;
    used += (above & below) ^ flip;
  }
  return used;
}

export function selectRowsInWideRange(
  words: Int32Array,
  rows: Int32Array,
  count: number,
  range: WideRange,
  flip: 0 | 1,
  out: Int32Array,
): number {
  const { lowHigh, lowLow, highHigh, highLow, bias } = range;
  let used = 0;
  for (let index = 0; index < count; index += 1) {
    const row = rows[index] as number;
    const lower = (words[2 * row] as number) ^ SIGN;
    const upper = (words[2 * row + 1] as number) ^ bias;
    const above = Number(upper > lowHigh) | (Number(upper === lowHigh) & Number(lower >= lowLow));
    const below = Number(upper < highHigh) | (Number(upper === highHigh) & Number(lower <= highLow));
    out[used] = row;
    used += (above & below) ^ flip;
  }
  return used;
}
