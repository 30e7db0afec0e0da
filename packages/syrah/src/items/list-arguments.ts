// Lists as callers give them: what is none is refused by name before anything is read.
import { ArgumentError, OutOfRangeError, describeValue, isCount } from '@colkit/io';

/** What lists have, and datasets and samplers. */
export function hasLength(value: unknown): value is { readonly length: number } {
  return typeof value === 'object' && isCount((value as { readonly length?: unknown } | null)?.length);
}

/** A text would be taken for a list of its characters. @throws ArgumentError. */
export function checkKeyList(keys: unknown): void {
  if (!Array.isArray(keys)) throw new ArgumentError('ERR_ARGUMENT', 'keys', 'a list of keys', describeValue(keys));
}

/**
 * The number in [0, length) of an index, which counts from the end where it is negative.
 * @throws OutOfRangeError, for what is no integer too.
 */
export function foldIndex(given: unknown, length: number, argument: string, position?: number): number {
  // A bigint beyond 2^53 may be rounded: not to an index.
  const index = typeof given === 'bigint' ? Number(given) : given;
  if (typeof index !== 'number' || !Number.isInteger(index) || index < -length || index >= length)
    throw new OutOfRangeError(argument, given, length, position);
  return index < 0 ? index + length : index + 0;
}
