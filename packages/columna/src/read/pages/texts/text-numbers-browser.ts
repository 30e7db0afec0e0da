// The same as text-numbers.ts for browsers, which have no addon to number texts.
import type { DecodedBytes } from '../../file/decoded-bytes.ts';
import { MappedNumbers } from './mapped-numbers.ts';
import type { TextNumbers } from './mapped-numbers.ts';

export function textNumbers(_: number, __: boolean, decoded: DecodedBytes | null): TextNumbers {
  return new MappedNumbers(decoded);
}
