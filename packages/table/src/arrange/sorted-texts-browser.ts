// The same name as sorted-texts.ts for browsers, where less code counts for more than the time of long tables.
import { compareText } from '../values/text-order.ts';

export function sortedTexts(texts: readonly string[]): Int32Array {
  return Int32Array.from(texts.keys()).sort((one, other) => compareText(texts[one] as string, texts[other] as string));
}
