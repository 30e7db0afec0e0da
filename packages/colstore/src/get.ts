// get(rows, columns), Python's ds[rows, columns]: what may stand for rows, as steps of a lazy view. Nothing is read,
// and no index is checked before the view is materialised.
import { ArgumentError, describeValue, dtypeOfArray } from '@colkit/io';
import type { IndexArray } from '@colkit/io';

/** Python's start:end:step; absent parts as there, `{}` is all rows. */
export interface RowSlice {
  readonly start?: number | bigint | undefined;
  readonly end?: number | bigint | undefined;
  readonly step?: number | bigint | undefined;
}

/**
 * One row, a slice, row numbers in any order (negatives count from the end), or a mask of one entry a row: Uint8Array
 * or boolean[].
 */
export type RowSelector =
  | number
  | bigint
  | RowSlice
  | IndexArray
  | Int8Array
  | Int16Array
  | Uint16Array
  | BigUint64Array
  | readonly number[]
  | readonly bigint[]
  | Uint8Array
  | readonly boolean[];

/** What tables and columns share. */
interface Selectable<T> {
  slice(start?: number | bigint, end?: number | bigint, step?: number | bigint): T;
  take(indices: Exclude<RowSelector, number | bigint | RowSlice | readonly boolean[]>): T;
  filter(mask: Uint8Array | readonly boolean[]): T;
}

/** @throws ArgumentError for what cannot stand for rows, and for a mask of another length. */
export function selectRows<T>(from: Selectable<T>, rows: RowSelector): T {
  if (typeof rows === 'number') return from.take([rows]);
  if (typeof rows === 'bigint') return from.take([rows]);
  if (dtypeOfArray(rows) === 'uint8' || isMask(rows)) return from.filter(rows as Uint8Array | readonly boolean[]);
  if (Array.isArray(rows) || ArrayBuffer.isView(rows)) return from.take(rows);
  if (isSlice(rows)) return from.slice(rows.start, rows.end, rows.step);
  throw new ArgumentError(
    'ERR_ARGUMENT',
    'rows',
    'a row number, { start, end, step }, row numbers or a mask',
    describe(rows),
  );
}

function isMask(rows: RowSelector): rows is readonly boolean[] {
  return Array.isArray(rows) && typeof rows[0] === 'boolean';
}

const SLICE_KEYS: ReadonlySet<string> = new Set(['start', 'end', 'step']);

function isSlice(rows: unknown): rows is RowSlice {
  return (
    typeof rows === 'object' && rows !== null && Object.keys(rows).every((key) => SLICE_KEYS.has(key)) && isPlain(rows)
  );
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function describe(value: unknown): string {
  if (typeof value !== 'object' || value === null || !isPlain(value)) return describeValue(value);
  return `an object with ${Object.keys(value)
    .slice(0, 3)
    .map((key) => JSON.stringify(key))
    .join(', ')}`;
}
