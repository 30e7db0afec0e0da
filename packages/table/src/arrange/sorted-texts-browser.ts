// The same name as sorted-texts.ts for browsers, where less code counts for more than the time of long tables.
import { TURN } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { compareText } from '../values/text-order.ts';

export function* sortedTexts(texts: readonly string[]): Work<Int32Array> {
  yield TURN;
  return Int32Array.from(texts.keys()).sort((one, other) => compareText(texts[one] as string, texts[other] as string));
}
