// Keys of a store: relative, and never out of it.
import { ArgumentError } from '../errors/errors.ts';

/** @throws ArgumentError for what is no key of an object. */
export function checkKey(key: string): void {
  const isKey =
    typeof key === 'string' &&
    !/[\0\\]/u.test(key) &&
    key.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
  if (!isKey)
    throw new ArgumentError(
      'ERR_ARGUMENT',
      'key',
      'names with / between them, none of them . or ..',
      JSON.stringify(key),
    );
}
