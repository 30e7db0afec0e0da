// One cell of a record -> its value as JSON has it.
import { isDigits } from '../text-input/cells/cell-values.ts';
import { asciiText } from '../text-input/cells/classify.ts';
import { QUOTED } from '../text-input/cells/cell-flags.ts';
import type { JsonScalar } from './parse-record.ts';

const [LETTER_T, LETTER_F] = [0x74, 0x66];
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

interface Cells {
  readonly bytes: Uint8Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly flags: Uint8Array;
}

/** Integers beyond 2^53 as they are written. */
export function cellScalar({ bytes, starts, ends, flags }: Cells, cell: number): JsonScalar {
  const [start, end] = [starts[cell] as number, ends[cell] as number];
  if (flags[cell] === QUOTED) return cellText(bytes, start, end);
  if (start === end) return null;
  const first = bytes[start];
  return first === LETTER_T || first === LETTER_F ? first === LETTER_T : numberOf(bytes, start, end);
}

export function numberOf(bytes: Uint8Array, start: number, end: number): number | bigint {
  const text = asciiText(bytes, start, end);
  const value = Number(text);
  return Number.isSafeInteger(value) || !isDigits(bytes, start, end) ? value : BigInt(text);
}

export function cellText(bytes: Uint8Array, start: number, end: number): string {
  return DECODER.decode(bytes.subarray(start, end));
}

/** Whether a cell without quotes is a number. */
export function isNumber(byte: number | undefined): boolean {
  return byte !== LETTER_T && byte !== LETTER_F;
}
