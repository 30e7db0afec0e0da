// One value -> short text for people: previews, not files.
import { isFloat, isMoment, isTime } from '@colkit/io';
import type { DTypeInfo } from '@colkit/io';
import { NAT } from '../../values/nat.ts';
import { fromDate, toISO } from '../../values/time.ts';
import type { Cell } from '../forms/convert.ts';
import { shortText } from './short-text.ts';

/** Digits that tell every float16, and every float32, from its neighbours. */
const FLOAT16_DIGITS = 5;
const FLOAT32_DIGITS = 9;

export function cellText(info: DTypeInfo, cell: Cell): string {
  if (cell === null) return 'null';
  if (typeof cell === 'number') return numberText(info, cell);
  if (typeof cell === 'bigint') return isTime(info) ? timeText(info, cell) : String(cell);
  if (typeof cell === 'boolean') return String(cell);
  if (typeof cell === 'string') return shortText(cell);
  return cell instanceof Date
    ? toISO(fromDate(cell, 'datetime64[ms]'), 'datetime64[ms]')
    : `<${String(cell.length)} bytes>`;
}

function numberText(info: DTypeInfo, value: number): string {
  if (Object.is(value, -0)) return '-0';
  if (!isFloat(info) || info.itemBytes === 8 || !Number.isFinite(value)) return String(value);
  // The fewest digits that still mean this value at its own precision: 0.1, not 0.10000000149011612.
  const most = info.itemBytes === 2 ? FLOAT16_DIGITS : FLOAT32_DIGITS;
  for (let digits = 1; digits < most; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (info.itemBytes === 4 ? Math.fround(short) === value : isSameHalf(short, value)) return String(short);
  }
  return String(Number(value.toPrecision(most)));
}

/** Whether a number rounds to the half `value`: it lies within half a step of it. */
function isSameHalf(number: number, value: number): boolean {
  const exponent = Math.max(-14, Math.floor(Math.log2(Math.abs(value))));
  return Math.abs(number - value) < 2 ** (exponent - 11);
}

function timeText(info: DTypeInfo & { readonly kind: 'datetime' | 'timedelta' }, ticks: bigint): string {
  if (ticks === NAT) return 'NaT';
  if (isMoment(info)) return info.unit === null ? String(ticks) : toISO(ticks, info.name);
  return info.unit === null ? String(ticks) : `${String(ticks * BigInt(info.step))} ${info.unit}`;
}
