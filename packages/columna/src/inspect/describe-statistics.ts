// Statistics of the footer -> the form that reports have: values as the column has them, and as short text.
import { assertNever } from '@colkit/io';
import { NAT, toISO } from '@colkit/table';
import type { ColumnType } from '../layout/column-type.ts';
import type { Bound, Statistics } from '../layout/statistics.ts';
import type { InspectedBound, InspectedStatistics, InspectedValue } from './inspected-file.ts';

export function describeStatistics(
  type: ColumnType,
  { nullCount, nanCount, min, max }: Statistics,
): InspectedStatistics {
  return { nullCount, nanCount, min: describeBound(type, min), max: describeBound(type, max) };
}

function describeBound(type: ColumnType, bound: Bound | null): InspectedBound | null {
  return bound === null ? null : { value: valueOf(type, bound.value), exact: bound.exact };
}

function valueOf(type: ColumnType, value: Bound['value']): InspectedValue {
  if (typeof value === 'number') return value;
  if (typeof value !== 'bigint') return type.name === 'string' ? new TextDecoder().decode(value) : value;
  if (type.name === 'bool') return value !== 0n;
  return type.itemBytes === 8 ? value : Number(value);
}

/** A bound for people; what is only a bound is marked. */
export function boundText(type: ColumnType, bound: InspectedBound | null): string {
  if (bound === null) return '–';
  // A minimum of zero is stored as -0, whichever zero occurs.
  const text = valueText(type, bound.value === 0 ? 0 : bound.value);
  return bound.exact ? text : `≈ ${text}`;
}

const LONGEST = 40;

export function valueText(type: ColumnType, value: InspectedValue): string {
  switch (typeof value) {
    case 'boolean':
      return String(value);
    case 'number':
      return Object.is(value, -0)
        ? '-0'
        : type.name === 'float32'
          ? String(Number(value.toPrecision(9)))
          : String(value);
    case 'bigint': {
      if (type.name !== 'date' && type.name !== 'datetime') return String(value);
      return value === NAT
        ? 'NaT'
        : toISO(value, type.dtype)
            .replace(/\.000000$/, '')
            .replace(/(\.\d{3})000$/, '$1');
    }
    case 'string':
      return cut(Array.from(JSON.stringify(value.length > 2 * LONGEST ? value.slice(0, 2 * LONGEST) : value)));
    case 'object':
      return `0x${cut(Array.from(value.subarray(0, LONGEST + 1), (byte) => byte.toString(16).padStart(2, '0')))}`;
    case 'symbol':
    case 'undefined':
    case 'function':
    default:
      return assertNever(value);
  }
}

function cut(parts: readonly string[]): string {
  return parts.length > LONGEST ? `${parts.slice(0, LONGEST).join('')}…` : parts.join('');
}
