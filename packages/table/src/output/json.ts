// Values of a column -> values that JSON has: it knows no 64-bit integers, no moments, no bytes and no NaN.
import { isTime } from '@colkit/io';
import type { DType, DTypeInfo } from '@colkit/io';
import { NAT } from '../values/nat.ts';
import { toISO } from '../values/time.ts';
import { cellsOf } from './cells.ts';
import type { AnyColumn, Cell } from './convert.ts';

/** What `json: true` gives for one value; see `JsonOptions`. */
export type JsonCell = boolean | number | string | null;

/** A column that was read with the default forms, as values of JSON. */
export function jsonCells(info: DTypeInfo, column: AnyColumn, count: number, nan: 'text' | 'null'): JsonCell[] {
  const toJson = jsonOf(info, nan === 'null' ? null : undefined);
  return Array.from(cellsOf(info, column, count), toJson);
}

/** @param missing what stands for NaN and NaT; undefined: their names. */
function jsonOf(info: DTypeInfo, missing: null | undefined): (value: Cell) => JsonCell {
  if (isTime(info) && info.kind === 'datetime') {
    const dtype = info.name;
    return (value) => (typeof value === 'bigint' ? momentText(value, dtype, missing) : jsonValue(value, missing));
  }
  if (isTime(info)) return (value) => (value === NAT ? (missing === null ? null : 'NaT') : jsonValue(value, missing));
  return (value) => jsonValue(value, missing);
}

function momentText(ticks: bigint, dtype: DType, missing: null | undefined): string | null {
  if (ticks === NAT) return missing === null ? null : 'NaT';
  const text = toISO(ticks, dtype);
  // A day, a month and a year are UTC already to whoever reads them.
  if (!text.includes('T')) return text;
  // An hour alone is no time to JavaScript's Date.
  return /T\d\d$/u.test(text) ? `${text}:00Z` : `${text}Z`;
}

function jsonValue(value: Cell, missing: null | undefined): JsonCell {
  switch (typeof value) {
    case 'bigint':
      return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
    case 'number':
      if (Number.isFinite(value)) return value;
      return missing === null && Number.isNaN(value) ? null : String(value);
    case 'object':
      return value instanceof Uint8Array ? base64(value) : value instanceof Date ? value.toISOString() : null;
    default:
      return value;
  }
}

function base64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
