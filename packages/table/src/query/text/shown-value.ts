// A bound or a constant of a column -> the text that a user would type for it: integers plain, moments as quoted ISO
// 8601 text, text in quotes. For explanations; never parsed again.
import { isBinary, isMoment, isTime } from '@colkit/io';
import type { DTypeInfo } from '@colkit/io';
import { toISO } from '../../values/time.ts';
import type { StatisticsValue } from '../proof/column-statistics.ts';
import { printValue } from './print.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export function shownValue(info: DTypeInfo, value: StatisticsValue | null): string {
  if (value === null) return 'unknown';
  // Text statistics may come as UTF-8, cut anywhere.
  if (value instanceof Uint8Array) return printValue(isBinary(info) ? value : decoder.decode(value));
  if (typeof value === 'boolean' || typeof value === 'string') return printValue(value);
  if (!isTime(info)) return typeof value === 'bigint' ? String(value) : printValue(value);
  // Ticks without a unit name no moment.
  const isNamed = isMoment(info) && info.unit !== null;
  return isNamed ? `'${shortISO(toISO(BigInt(value), info.name))}'` : printValue(BigInt(value));
}

/** Without a fraction that is zero, or the zeros at its end in steps of three digits. */
function shortISO(text: string): string {
  return text.includes('.') ? text.replace(/\.?(?:000)+$/, '') : text;
}
