// Whether a cell fits a type that the caller gave: the grammars of types that are found out, but that zeros may lead numbers and floats may round them, and the range of the type.
import type { DTypeInfo } from '@colkit/io';
import { fixedStringFault } from '../values/fixed-strings.ts';
import { BOOL, DATE, DATETIME, FLOAT, INTEGER, SAID, asciiText, classify, holdsMoment } from './classify.ts';

/** Digits of integers that a double holds exactly. */
const EXACT_DIGITS = 15;
/** Bytes of a uint64, with zeros before it. */
const LONGEST = 64;

/** @param text the cell's text, asked for only where the type needs it. */
export function fitsType(info: DTypeInfo, bytes: Uint8Array, start: number, end: number, text: () => string): boolean {
  switch (info.kind) {
    case 'bool':
      return classify(bytes, start, end, BOOL) !== 0;
    case 'int': case 'uint':
      return fitsInteger(info, bytes, start, end);
    case 'float':
      return (classify(bytes, start, end, FLOAT | SAID) & FLOAT) !== 0;
    case 'datetime':
      if (info.unit === 'D') return classify(bytes, start, end, DATE) !== 0;
      if (info.unit === 'us') return classify(bytes, start, end, DATETIME) !== 0;
      return classify(bytes, start, end, DATETIME | SAID) !== 0 && holdsMoment(info.name, asciiText(bytes, start, end));
    case 'bytes': case 'unicode':
      return fixedStringFault(text(), info) === null;
    case 'string':
      return true;
    case 'timedelta': case 'binary':
      return false;
  }
}

function fitsInteger(info: DTypeInfo, bytes: Uint8Array, start: number, end: number): boolean {
  // A uint64 beyond int64 is a float to the classes.
  if ((classify(bytes, start, end, INTEGER | SAID) & INTEGER) === 0 && !(info.name === 'uint64' && end - start <= LONGEST && /^0*[1-9]\d{18,19}$/u.test(asciiText(bytes, start, end)))) return false;
  const bits = 8 * info.itemBytes;
  if (end - start <= EXACT_DIGITS) {
    const value = Number(asciiText(bytes, start, end));
    return info.kind === 'uint' ? value >= 0 && value < 2 ** bits : value >= -(2 ** (bits - 1)) && value < 2 ** (bits - 1);
  }
  const value = BigInt(asciiText(bytes, start, end));
  return info.kind === 'uint' ? value >= 0n && value < 2n ** BigInt(bits) : value >= -(2n ** BigInt(bits - 1)) && value < 2n ** BigInt(bits - 1);
}
