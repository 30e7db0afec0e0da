// Floats as text. Those of 2 and 4 bytes: how doubles are rounded to them, and the fewest digits that still mean the
// same at that precision: 0.1, and not 0.10000000149011612.
import { roundToHalf } from '@colkit/io';
import type { DTypeInfo } from '@colkit/io';

/** Digits that tell every float16, and every float32, from its neighbours. */
const FLOAT16_DIGITS = 5;
const FLOAT32_DIGITS = 9;

/** Rounds a double to a float of the dtype, which is given as a double. */
export function rounderOf(info: DTypeInfo): (value: number) => number {
  if (info.itemBytes === 8) return (value) => value;
  return info.itemBytes === 4 ? Math.fround : roundToHalf;
}

/**
 * The text of a finite double (-0 is '0'): with an exponent from 2^53 on, for such digits alone would be read as the
 * integer that they are, which is another number.
 */
export function doubleText(value: number): string {
  return Math.abs(value) > Number.MAX_SAFE_INTEGER ? value.toExponential() : String(value);
}

/** The double with the fewest digits that is this finite float of 2 or 4 bytes. @param round to its dtype. */
export function shortFloat(value: number, itemBytes: number, round: (value: number) => number): number {
  const most = itemBytes === 2 ? FLOAT16_DIGITS : FLOAT32_DIGITS;
  for (let digits = 1; ; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (digits === most || round(short) === value) return short;
  }
}
