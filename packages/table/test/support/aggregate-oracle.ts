// What aggregates, orders and distinct values must be, worked out naively on plain values. Sums and variances of floats
// are exact here (as integers of 2^-1074), so that whoever rounds is told by how much.
import type { OracleColumn, OracleTable } from '@colkit/testkit';
import type { AggregateSpec, AggregateSpecs } from '../../src/index.ts';
import { compareText } from '../../src/index.ts';

export const NAT = -(2n ** 63n);
export const isTicks = (dtype: string): boolean => dtype.startsWith('datetime') || dtype.startsWith('timedelta');
export const isText = (dtype: string): boolean => dtype === 'string' || /^[SU]\d/.test(dtype);
export const adds = (dtype: string): boolean => !isTicks(dtype) && !isText(dtype) && dtype !== 'binary';
export const orders = (dtype: string): boolean => dtype !== 'binary';

/** All that can be asked of a column, by operation. */
export function specsOf({ name, dtype }: OracleColumn, prefix = ''): AggregateSpecs {
  const operations = [
    'count',
    'countDistinct',
    'first',
    'last',
    ...(orders(dtype) ? ['min', 'max'] : []),
    ...(adds(dtype) ? ['sum', 'mean', 'std', 'var'] : []),
  ];
  return Object.fromEntries(
    operations.map((operation) => [`${prefix}${operation}`, { [operation]: name } as unknown as AggregateSpec]),
  );
}

/** A text that is the same for values that are the same. */
export function keyOf(value: unknown): string {
  if (value === null) return 'null';
  if (value instanceof Uint8Array) return `bytes ${String(Array.from(value))}`;
  return `${typeof value} ${String(value === 0 ? 0 : value)}`;
}

/** Rows by their values of some columns, in the order of first appearance. */
export function groupsOf(table: OracleTable, names: readonly string[]): number[][] {
  const columns = names.map((name) => table.columns.find((column) => column.name === name) as OracleColumn);
  const groups = new Map<string, number[]>();
  for (let row = 0; row < table.rowCount; row += 1) {
    const key = JSON.stringify(columns.map(({ values }) => keyOf(values[row])));
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [row]);
    else known.push(row);
  }
  return [...groups.values()];
}

/** Values that are not NaN (NaT) in their order; these behind them, nulls last. */
export function compareCells(dtype: string, left: unknown, right: unknown, descending: boolean): number {
  const rank = (value: unknown): number =>
    value === null ? 2 : Number.isNaN(value) || (isTicks(dtype) && value === NAT) ? 1 : 0;
  if (rank(left) !== rank(right) || rank(left) !== 0) return rank(left) - rank(right);
  const order =
    typeof left === 'string'
      ? compareText(left, right as string)
      : (left as number) < (right as number)
        ? -1
        : Number((left as number) > (right as number));
  return descending ? -order : order;
}

/** What is wrong with an answer; null: nothing. */
export function faultOf(operation: string, dtype: string, all: readonly unknown[], found: unknown): string | null {
  const values = all.filter((value) => value !== null);
  const exact = (wanted: unknown): string | null =>
    same(found, wanted) ? null : `${operation} of ${dtype}: ${String(found)} for ${String(wanted)}`;
  switch (operation) {
    case 'count':
      return exact(values.length);
    case 'countDistinct':
      return exact(new Set(values.map(keyOf)).size);
    case 'first':
      return exact(values[0] ?? null);
    case 'last':
      return exact(values.at(-1) ?? null);
    case 'min':
    case 'max': {
      const told = values.filter((value) => !Number.isNaN(value) && !(isTicks(dtype) && value === NAT));
      const sorted = [...told].sort((left, right) => compareCells(dtype, left, right, operation === 'max'));
      return exact(sorted[0] ?? values[0] ?? null);
    }
    case 'sum':
    case 'mean':
      return totalFault(operation, dtype, values as (number | bigint | boolean)[], found);
    default:
      return spreadFault(operation, dtype, values as (number | bigint | boolean)[], found);
  }
}

function same(left: unknown, right: unknown): boolean {
  return keyOf(left) === keyOf(right) && (typeof left !== 'object' || left === null || left instanceof Uint8Array);
}

const isInteger = (dtype: string): boolean => !dtype.startsWith('float');
const isWide = (dtype: string): boolean => dtype === 'int64' || dtype === 'uint64';

function totalFault(
  operation: string,
  dtype: string,
  values: readonly (number | bigint | boolean)[],
  found: unknown,
): string | null {
  const fault = (wanted: unknown): string => `${operation} of ${dtype}: ${String(found)} for ${String(wanted)}`;
  if (isInteger(dtype)) {
    const total = values.reduce<bigint>((sum, value) => sum + BigInt(value), 0n);
    if (operation === 'sum')
      return typeof found === (isWide(dtype) ? 'bigint' : 'number') && BigInt(found as number) === total
        ? null
        : fault(total);
    if (values.length === 0) return Number.isNaN(found) ? null : fault(NaN);
    const mean = ratio(total, BigInt(values.length));
    return Math.abs((found as number) - mean) <= 1e-15 * Math.abs(mean) ? null : fault(mean);
  }
  const numbers = values as readonly number[];
  if (operation === 'mean' && numbers.length === 0) return Number.isNaN(found) ? null : fault(NaN);
  const size = numbers.filter(Number.isFinite).reduce((sum, value) => sum + Math.abs(value), 0);
  // Near the largest double the order of additions decides.
  if (size > 1e307) return null;
  if (!numbers.every(Number.isFinite)) {
    const plain = numbers.filter((value) => !Number.isFinite(value)).reduce((sum, value) => sum + value, 0);
    return Object.is(found, plain) ? null : fault(plain);
  }
  const divisor = operation === 'mean' ? numbers.length : 1;
  const wanted = ratio(
    numbers.reduce((sum, value) => sum + scaled(value), 0n),
    BigInt(divisor) << 1074n,
  );
  return Math.abs((found as number) - wanted) <=
    4 * 2 ** -53 * Math.abs(wanted) + numbers.length ** 2 * 2 ** -104 * size + Number.MIN_VALUE
    ? null
    : fault(wanted);
}

function spreadFault(
  operation: string,
  dtype: string,
  values: readonly (number | bigint | boolean)[],
  found: unknown,
): string | null {
  const fault = (wanted: unknown): string => `${operation} of ${dtype}: ${String(found)} for ${String(wanted)}`;
  const numbers = values.map(Number);
  if (numbers.length < 2 || (!isInteger(dtype) && !numbers.every(Number.isFinite)))
    return Number.isNaN(found) ? null : fault(NaN);
  // Squares of these leave the doubles.
  if (numbers.some((value) => Math.abs(value) > 1e150)) return null;
  const n = BigInt(values.length);
  const integers = isInteger(dtype) ? values.map((value) => BigInt(value)) : numbers.map(scaled);
  const sum = integers.reduce((total, value) => total + value, 0n);
  const squares = integers.reduce((total, value) => total + value * value, 0n);
  const variance = ratio(n * squares - sum * sum, (n * (n - 1n)) << (isInteger(dtype) ? 0n : 2148n));
  const wanted = operation === 'std' ? Math.sqrt(variance) : variance;
  return Math.abs((found as number) - wanted) <= 1e-12 * wanted + 1e-150 ? null : fault(wanted);
}

/** A double as a multiple of 2^-1074. */
function scaled(value: number): bigint {
  let [shift, mantissa] = [0, value];
  while (!Number.isInteger(mantissa)) {
    // Subnormals are doubled exactly.
    mantissa *= 2;
    shift += 1;
  }
  return BigInt(mantissa) << BigInt(1074 - shift);
}

/** The double next to a quotient, or next but one. */
function ratio(over: bigint, under: bigint): number {
  if (over === 0n) return 0;
  if (over < 0n) return -ratio(-over, under);
  const bits = (value: bigint): number => value.toString(2).length;
  const shift = 64 - (bits(over) - bits(under));
  const quotient = Number(shift >= 0 ? (over << BigInt(shift)) / under : over / (under << BigInt(-shift)));
  return shift > 1000 ? quotient * 2 ** -1000 * 2 ** -(shift - 1000) : quotient * 2 ** -shift;
}
