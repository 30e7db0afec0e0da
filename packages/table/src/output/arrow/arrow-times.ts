// Ticks of datetime64 and timedelta64 -> the units that Arrow has: days (32 bits), s, ms, us, ns.
import { ArgumentError, isMoment } from '@colkit/io';
import type { DTypeInfo } from '@colkit/io';
import { TURN } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { daysOfMonths } from '../../values/calendar.ts';
import { isValid } from '../../validity.ts';
import { PIECE_ROWS } from '../../piece-rows.ts';

type TimeInfo = DTypeInfo & { readonly kind: 'datetime' | 'timedelta' };
type ArrowUnit = 'day' | 's' | 'ms' | 'us' | 'ns';

/** The Arrow unit of a dtype; null where Arrow has none (finer than nanoseconds, generic, spans of months). */
export function timeTarget(info: TimeInfo): ArrowUnit | null {
  const { unit } = info;
  switch (unit) {
    case 'Y':
    case 'M':
      return isMoment(info) ? 'day' : null;
    case 'W':
    case 'D':
      return isMoment(info) ? 'day' : 's';
    case 'h':
    case 'm':
    case 's':
      return 's';
    case 'ms':
    case 'us':
    case 'ns':
      return unit;
    case 'ps':
    case 'fs':
    case 'as':
    case null:
      return null;
  }
}

/** How many of the Arrow unit one unit is, where that is fixed. */
const FACTORS: Readonly<Record<string, bigint>> = { W: 7n, D: 1n, h: 3600n, m: 60n };
const SECONDS_OF_DAY = 86_400n;

/** @throws ArgumentError ERR_VALUE naming the row whose moment is beyond Arrow's range. Null rows become 0. */
export function* arrowTimes(
  info: TimeInfo,
  ticks: BigInt64Array,
  validity: Uint8Array | null,
  name: string,
): Work<BigInt64Array | Int32Array> {
  const target = timeTarget(info);
  const step = BigInt(info.step);
  const factor =
    step *
    (FACTORS[info.unit ?? ''] ?? 1n) *
    (!isMoment(info) && (info.unit === 'W' || info.unit === 'D') ? SECONDS_OF_DAY : 1n);
  if (factor === 1n && target !== 'day') return ticks;
  const out = target === 'day' ? new Int32Array(ticks.length) : new BigInt64Array(ticks.length);
  const areDays = out instanceof Int32Array && info.unit !== 'Y' && info.unit !== 'M';
  if (areDays && (yield* writeDays(ticks, Number(factor), validity, out))) return out;
  for (let row = 0; row < ticks.length; row += 1) {
    if (row % PIECE_ROWS === 0) yield TURN;
    if (!isValid(validity, row)) continue;
    const tick = ticks[row] ?? 0n;
    const value =
      info.unit === 'Y'
        ? daysOfMonths(tick * step * 12n)
        : info.unit === 'M'
          ? daysOfMonths(tick * step)
          : tick * factor;
    if (out instanceof Int32Array) out[row] = Number(BigInt.asIntN(32, value));
    else out[row] = value;
    if (BigInt(out[row] ?? 0) !== value)
      throw new ArgumentError(
        'ERR_VALUE',
        `column ${JSON.stringify(name)}`,
        'moments within the range of Arrow',
        `${String(tick)} ticks at row ${String(row)}`,
      );
  }
  return out;
}

/** Whole numbers of days. @returns false where a moment is beyond 32 bits. */
function* writeDays(ticks: BigInt64Array, factor: number, validity: Uint8Array | null, out: Int32Array): Work<boolean> {
  const words = new Int32Array(ticks.buffer, ticks.byteOffset, 2 * ticks.length);
  for (let start = 0; start < out.length; start += PIECE_ROWS) {
    yield TURN;
    if (!writeDaysOf(words, factor, validity, out, start, Math.min(out.length, start + PIECE_ROWS))) return false;
  }
  return true;
}

/** By the words of the ticks: a bigint of each costs more than all the rest. */
function writeDaysOf(
  words: Int32Array,
  factor: number,
  validity: Uint8Array | null,
  out: Int32Array,
  start: number,
  end: number,
): boolean {
  for (let row = start; row < end; row += 1) {
    if (!isValid(validity, row)) continue;
    const tick = words[2 * row] as number;
    const days = tick * factor;
    if (words[2 * row + 1] !== tick >> 31 || days !== (days | 0)) return false;
    out[row] = days;
  }
  return true;
}
