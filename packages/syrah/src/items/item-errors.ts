// Errors of reading an item, with item, key and file in them.
import {
  ArgumentError,
  CorruptFileError,
  IoError,
  OutOfRangeError,
  UnknownColumnError,
  describeValue,
} from '@colkit/io';
import { DATA_OFFSET } from '../layout/constants.ts';
import { hasLength } from './list-arguments.ts';

export function unknownItemName(path: string, name: string, hasNames: boolean): ArgumentError {
  return new ArgumentError(
    'ERR_ARGUMENT',
    'item',
    hasNames ? `an item name of ${path}` : `an item number, because the items of ${path} have no names`,
    JSON.stringify(name),
  );
}

/** The number in [0, itemCount) of an item as callers give it. @throws OutOfRangeError, for what is no integer too. */
export function foldItem(given: unknown, path: string, itemCount: number, position?: number): number {
  // A bigint beyond 2^53 may be rounded: not to an item.
  const item = typeof given === 'bigint' ? Number(given) : given;
  if (typeof item !== 'number' || !Number.isInteger(item) || item < -itemCount || item >= itemCount)
    throw new OutOfRangeError(`item of ${path}`, given, itemCount, position);
  return item < 0 ? item + itemCount : item + 0;
}

/** The numbers of a list of items. */
export function foldItems(items: ArrayLike<number | bigint>, path: string, itemCount: number): number[] {
  if (!hasLength(items))
    throw new ArgumentError('ERR_ARGUMENT', 'items', 'a list of item numbers', describeValue(items));
  const numbers = new Array<number>(items.length);
  for (let position = 0; position < items.length; position += 1)
    numbers[position] = foldItem(items[position], path, itemCount, position);
  return numbers;
}

/** A key that the file, or this item of it, does not have. */
export function unknownKey(
  path: string,
  item: number | null,
  key: string,
  available: readonly string[],
): UnknownColumnError {
  const error = new UnknownColumnError(key, available);
  error.message =
    `${path}${item === null ? '' : `: item ${String(item)}`}: ` +
    error.message.replace('unknown column', 'unknown key');
  return error;
}

/** An error of the source while an item was read, told with item and key; any other error stays as it is. */
export function readingFailed(error: unknown, item: number | null, key: string | null): unknown {
  if (!(error instanceof IoError) || item === null) return error;
  const what =
    key === null ? `reading item ${String(item)}` : `reading key ${JSON.stringify(key)} of item ${String(item)}`;
  return new IoError(error.code as ConstructorParameters<typeof IoError>[0], what, error.path, error.message, error);
}

export function badText(path: string, item: number, key: string, byteOffset: number): CorruptFileError {
  return new CorruptFileError('ERR_LAYOUT', {
    path,
    region: `item ${String(item)}`,
    column: key,
    byteOffset,
    expected: 'text',
    found: 'bytes that are not',
  });
}

/**
 * Arrays of different items or keys, longer together than what the file has for all of them: a few bytes would become
 * any number.
 */
export function arraysOverlap(
  { path, dataBytes }: { readonly path: string; readonly dataBytes: number },
  what: string,
  byteLength: number,
): CorruptFileError {
  const expected = `arrays that do not overlap, of at most ${String(dataBytes)} bytes`;
  return new CorruptFileError('ERR_METADATA', {
    path,
    region: `metadata of ${what}`,
    byteOffset: DATA_OFFSET + dataBytes,
    expected,
    found: `${String(byteLength)} bytes`,
  });
}
