import { LimitError } from '@colkit/io';

/** Offsets into a column of text are 32 bits wide. */
export const MOST_TEXT_BYTES = 2 ** 31 - 1;

/** @throws LimitError where texts are more than 32-bit offsets reach. */
export function checkTextBytes(used: number, name: string): void {
  if (used <= MOST_TEXT_BYTES) return;
  throw new LimitError('ERR_LIMIT', `bytes of column ${JSON.stringify(name)} in an Arrow table`, MOST_TEXT_BYTES, used);
}
