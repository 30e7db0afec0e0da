// Whether a cell fits a type that the caller gave: first the forms in which types are found out, which cost least, then
// what else people write for it, and the range of the type.
import type { DTypeInfo } from '@colkit/io';
import { fixedStringFault } from '../../values/fixed-strings.ts';
import { saidBool, saidInteger, saidMoment } from '../../values/said.ts';
import { isDigits } from './cell-values.ts';
import { BOOL, DATE, DATETIME, FLOAT, SAID, asciiText, classify } from './classify.ts';

/** Digits of integers that a double holds exactly. */
const EXACT_DIGITS = 15;
/** Longer cells are no numbers, words or moments. */
const LONGEST = 400;

export type Fit = 'no' | 'yes' | 'shifted';

/**
 * @param text the cell's text, asked for only where the type needs it.
 * @returns 'shifted' for a moment with an offset, which is not the one in UTC.
 */
export function fitsType(info: DTypeInfo, bytes: Uint8Array, start: number, end: number, text: () => string): Fit {
  switch (info.kind) {
    case 'bool':
      return said(
        classify(bytes, start, end, BOOL) !== 0 ||
          (end - start <= LONGEST && saidBool(asciiText(bytes, start, end)) !== null),
      );
    case 'int':
    case 'uint':
      return said(end - start <= LONGEST && fitsInteger(info, bytes, start, end));
    case 'float':
      return said((classify(bytes, start, end, FLOAT | SAID) & FLOAT) !== 0);
    case 'datetime': {
      const strict = info.unit === 'D' ? DATE : info.unit === 'us' ? DATETIME : 0;
      if (strict !== 0 && classify(bytes, start, end, strict) !== 0) return 'yes';
      const moment = end - start <= LONGEST ? saidMoment(asciiText(bytes, start, end), info.name) : null;
      return moment === null ? 'no' : moment.shifted ? 'shifted' : 'yes';
    }
    case 'bytes':
    case 'unicode':
      return said(fixedStringFault(text(), info) === null);
    case 'string':
      return 'yes';
    case 'timedelta':
    case 'binary':
      return 'no';
  }
}

function said(fits: boolean): Fit {
  return fits ? 'yes' : 'no';
}

function fitsInteger(info: DTypeInfo, bytes: Uint8Array, start: number, end: number): boolean {
  const bits = 8 * info.itemBytes;
  if (end - start <= EXACT_DIGITS && isDigits(bytes, start, end)) {
    const value = Number(asciiText(bytes, start, end));
    return info.kind === 'uint'
      ? value >= 0 && value < 2 ** bits
      : value >= -(2 ** (bits - 1)) && value < 2 ** (bits - 1);
  }
  const value = saidInteger(asciiText(bytes, start, end));
  if (value === null) return false;
  return info.kind === 'uint'
    ? value >= 0n && value < 2n ** BigInt(bits)
    : value >= -(2n ** BigInt(bits - 1)) && value < 2n ** BigInt(bits - 1);
}
