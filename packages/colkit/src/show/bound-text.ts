// Values of statistics -> short text for people.
import { isMoment, parseDType } from '@colkit/io';
import { NAT, toISO } from '@colkit/table';
import type { InspectedBound, InspectedColumn, InspectedValue } from 'columna';

const LONGEST = 40;

type TypeOfColumn = Pick<InspectedColumn, 'dtype'>;

/** A bound; what is only a bound is marked. */
export function boundText(type: TypeOfColumn, bound: InspectedBound | null): string {
  if (bound === null) return '–';
  // A minimum of zero is stored as -0, whichever zero occurs.
  const shown = valueText(type, bound.value === 0 ? 0 : bound.value);
  return bound.exact ? shown : `≈ ${shown}`;
}

export function valueText({ dtype }: TypeOfColumn, value: InspectedValue): string {
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') {
    if (Object.is(value, -0)) return '-0';
    return String(parseDType(dtype).itemBytes === 4 ? Number(value.toPrecision(9)) : value);
  }
  if (typeof value === 'bigint') {
    if (!isMoment(parseDType(dtype))) return String(value);
    return value === NAT
      ? 'NaT'
      : toISO(value, dtype)
          .replace(/\.000000$/, '')
          .replace(/(\.\d{3})000$/, '$1');
  }
  if (typeof value === 'string') return cut(Array.from(JSON.stringify(value.slice(0, 2 * LONGEST))));
  const bytes = Array.from(value.subarray(0, LONGEST + 1), (byte) => byte.toString(16).padStart(2, '0'));
  return `0x${cut(bytes)}`;
}

function cut(parts: readonly string[]): string {
  return parts.length > LONGEST ? `${parts.slice(0, LONGEST).join('')}…` : parts.join('');
}
