// Lists as callers give them: what is none is refused by name before anything is read.
import { ArgumentError, describeValue } from '@colkit/io';

/** What lists have, and datasets and samplers. */
export function hasLength(value: unknown): value is { readonly length: number } {
  return typeof value === 'object' && value !== null && 'length' in value && typeof value.length === 'number' && Number.isSafeInteger(value.length) && value.length >= 0;
}

/** A text would be taken for a list of its characters. @throws ArgumentError. */
export function checkKeyList(keys: unknown): void {
  if (!Array.isArray(keys)) throw new ArgumentError('ERR_ARGUMENT', 'keys', 'a list of keys', describeValue(keys));
}
