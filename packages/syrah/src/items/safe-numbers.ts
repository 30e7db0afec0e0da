// 64-bit integers -> Float64Array, for callers who ask for it with { int64: 'number' }: exact, or an error.
import { ArgumentError, describeValue, numberFromBigInt } from '@colkit/io';
import type { SyrahValue } from '../layout/dtype.ts';

/** What int64 and uint64 come as. */
export type Int64Form = 'bigint' | 'number';

/** @throws ArgumentError for another word. */
export function wantsNumbers(form: Int64Form | undefined): boolean {
  if (form === undefined || form === 'bigint') return false;
  if ((form as unknown) === 'number') return true;
  throw new ArgumentError('ERR_ARGUMENT', 'int64', "'bigint' or 'number'", describeValue(form));
}

/**
 * Copies 64-bit integers; every other value is returned as it is.
 * @throws ArgumentError ERR_UNSAFE_INTEGER beyond +-2^53.
 */
export function asNumbers<V extends SyrahValue>(value: V, item: number | null, key: string): V | Float64Array {
  if (!(value instanceof BigInt64Array || value instanceof BigUint64Array)) return value;
  const where = `key ${JSON.stringify(key)}${item === null ? '' : ` of item ${String(item)}`}`;
  return Float64Array.from({ length: value.length }, (_, position) => numberFromBigInt(value[position] ?? 0n, where));
}
