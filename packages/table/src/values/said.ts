// Text -> a value of a type that somebody said it has: what people and programs write for it beside the strict forms in
// which types are found out. Nothing is rounded but floats.
import { isColkitError, parseDType } from '@colkit/io';
import type { DType } from '@colkit/io';
import { plainTicks } from './plain-moment.ts';
import { fromISO } from './time.ts';

const DECIMAL = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d{1,4}))?$/u;
const MOST_DIGITS = 400;
/** More zeros than any integer type has digits. */
const MOST_ZEROS = 40;
const YES: ReadonlySet<string> = new Set(['true', 't', 'yes', 'y', '1']);
const NO: ReadonlySet<string> = new Set(['false', 'f', 'no', 'n', '0']);

/** `5`, `+5`, `5.0`, `5.`, `1e3`, `007`: an integer, exactly; null for what is none, such as `1.5`. */
export function saidInteger(text: string): bigint | null {
  const match = text.length > MOST_DIGITS ? null : DECIMAL.exec(text);
  if (match === null) return null;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  if (whole === '' && fraction === '') return null;
  const digits = (whole + fraction).replace(/0+$/u, '');
  if (/^0*$/u.test(digits)) return 0n;
  // How many zeros stand behind the last digit that is none.
  const zeros = Number(exponent) - fraction.length + (whole.length + fraction.length - digits.length);
  if (zeros < 0 || zeros > MOST_ZEROS) return null;
  const size = BigInt(digits) * 10n ** BigInt(zeros);
  return sign === '-' ? -size : size;
}

/** `.5`, `5.`, `+5`, `1e3`, `nan`, `inf`, `-infinity`: the nearest float64; null for what is no number. */
export function saidFloat(text: string): number | null {
  if (DECIMAL.test(text) && /\d/u.test(text)) return Number(text);
  const word = /^([+-]?)(nan|inf|infinity)$/iu.exec(text);
  if (word === null) return null;
  return word[2]?.toLowerCase() === 'nan' ? Number.NaN : word[1] === '-' ? -Infinity : Infinity;
}

/** true, t, yes, y, 1, and their opposites, in any case. */
export function saidBool(text: string): boolean | null {
  const word = text.toLowerCase();
  return YES.has(word) ? true : NO.has(word) ? false : null;
}

interface SaidMoment {
  readonly ticks: bigint;
  /** Whether it was written with an offset from UTC that is not zero. */
  readonly shifted: boolean;
}

/** A date, and the beginning of a time. Years beyond four digits have a sign and six. */
const MOMENT = /^(?:\d{4}|(?!-0{6})[+-]\d{6})-\d\d-\d\d(?:$|([T ]\d\d:\d\d))/u;
const ZONE = / ?(?:(Z|UTC)|([+-]\d\d(?::?\d\d)?))$/u;

/**
 * A date with or without a time, and with `Z`, `UTC` or an offset (`+02:00`, `+0200`, `+02`): the moment in UTC. Null
 * for other text and for what the ticks cannot hold exactly.
 */
export function saidMoment(text: string, dtype: DType): SaidMoment | null {
  const plain = plainTicks(text, parseDType(dtype));
  if (plain !== null) return { ticks: plain, shifted: false };
  const match = MOMENT.exec(text);
  if (match === null) return null;
  const zone = match[1] === undefined ? null : ZONE.exec(text);
  const iso = zone === null ? text : `${text.slice(0, zone.index)}${zone[2] ?? 'Z'}`;
  try {
    return { ticks: fromISO(iso, dtype), shifted: zone?.[2] !== undefined && /[1-9]/u.test(zone[2]) };
  } catch (error) {
    if (isColkitError(error)) return null;
    throw error;
  }
}
