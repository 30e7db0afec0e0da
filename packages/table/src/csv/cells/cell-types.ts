// Whether a cell fits a type that the caller gave: first the forms in which types are found out, which cost least, then
// what else people write for it, and the range of the type.
import { dtypeFacts, integerRange, isFixedText, isTime } from '@colkit/io';
import type { DTypeInfo } from '@colkit/io';
import { fixedStringFault } from '../../values/fixed-strings.ts';
import { saidBool, saidInteger, saidMoment } from '../../values/said.ts';
import { isDigits, parseFloatBytes } from '../../text-input/cells/cell-values.ts';
import { BOOL, DATE, DATETIME, FLOAT, SAID, asciiText, classify } from '../../text-input/cells/classify.ts';

/** Digits of integers that a double holds exactly. */
const EXACT_DIGITS = 15;
/** Longer cells are no numbers, words or moments. */
const LONGEST = 400;
const NINE = 57;
/** Of the least whole number beyond float32. */
const FLOAT32_DIGITS = 39;

type Fit = 'no' | 'yes' | 'shifted';

/**
 * @param text the cell's text, asked for only where the type needs it.
 * @returns 'shifted' for a moment with an offset, which is not the one in UTC.
 */
export function fitsType(info: DTypeInfo, bytes: Uint8Array, start: number, end: number, text: () => string): Fit {
  switch (dtypeFacts(info).value) {
    case 'bool':
      return said(
        classify(bytes, start, end, BOOL) !== 0 ||
          (end - start <= LONGEST && saidBool(asciiText(bytes, start, end)) !== null),
      );
    case 'int':
      return said(end - start <= LONGEST && fitsInteger(info, bytes, start, end));
    case 'float':
      return said(
        (classify(bytes, start, end, FLOAT | SAID) & FLOAT) !== 0 &&
          (info.itemBytes === 8 || !isBeyondFloat32(bytes, start, end)),
      );
    case 'moment': {
      const unit = isTime(info) ? info.unit : null;
      const strict = unit === 'D' ? DATE : unit === 'us' ? DATETIME : 0;
      if (strict !== 0 && classify(bytes, start, end, strict) !== 0) return 'yes';
      const moment = end - start <= LONGEST ? saidMoment(asciiText(bytes, start, end), info.name) : null;
      return moment === null ? 'no' : moment.shifted ? 'shifted' : 'yes';
    }
    case 'text':
      return said(!isFixedText(info) || fixedStringFault(text(), info) === null);
    default:
      return 'no';
  }
}

function said(fits: boolean): Fit {
  return fits ? 'yes' : 'no';
}

/** Whether a number, not a word, would become infinite. */
function isBeyondFloat32(bytes: Uint8Array, start: number, end: number): boolean {
  if ((bytes[end - 1] as number) > NINE) return false;
  // Without an exponent it takes many digits: most numbers need not be parsed for that.
  let isPlain = end - start < FLOAT32_DIGITS;
  for (let at = start; isPlain && at < end; at += 1) isPlain = (bytes[at] as number) <= NINE;
  return !isPlain && !Number.isFinite(Math.fround(parseFloatBytes(bytes, start, end)));
}

function fitsInteger(info: DTypeInfo, bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start <= EXACT_DIGITS && isDigits(bytes, start, end)) {
    const value = Number(asciiText(bytes, start, end));
    const count = 2 ** (8 * info.itemBytes);
    return dtypeFacts(info).isUnsigned ? value >= 0 && value < count : value >= -count / 2 && value < count / 2;
  }
  const value = saidInteger(asciiText(bytes, start, end));
  const [least, most] = integerRange(info);
  return value !== null && value >= least && value <= most;
}
