// One value -> short text for people: previews, not files.
import { isFloat, isMoment, isTime } from '@colkit/io';
import type { DTypeInfo } from '@colkit/io';
import { NAT } from '../../values/nat.ts';
import { rounderOf, shortFloat } from '../../values/floats/short-floats.ts';
import { fromDate, toISO } from '../../values/time.ts';
import type { Cell } from '../forms/convert.ts';
import { shortText } from './short-text.ts';

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
  return String(shortFloat(value, info.itemBytes, rounderOf(info)));
}

function timeText(info: DTypeInfo & { readonly kind: 'datetime' | 'timedelta' }, ticks: bigint): string {
  if (ticks === NAT) return 'NaT';
  if (isMoment(info)) return info.unit === null ? String(ticks) : toISO(ticks, info.name);
  return info.unit === null ? String(ticks) : `${String(ticks * BigInt(info.step))} ${info.unit}`;
}
