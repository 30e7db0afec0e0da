// What options call the values of samples: by the dataset's keys where it tells them, by the names that objects have,
// by the positions in a tuple. A name that no value has is refused, never ignored: here as far as the dataset tells.
import { ArgumentError } from '@colkit/io';

/** What options may call the values of a dataset's samples. */
export interface ValueNames {
  readonly keys: readonly string[];
  /**
   * Whether "0", "1", … name values, too, where no key is called so: a `get` of one's own may make other values than
   * the keys tell.
   */
  readonly positions: boolean;
}

/** Which option says something by name, and what. */
export interface ByName {
  readonly option: 'cast' | 'collate: shapes';
  readonly what: 'dtypes' | 'shapes';
  readonly names: readonly string[];
}

/** @param known null where only the samples tell. @throws ArgumentError for a name that no value has. */
export function checkNames(given: ByName, known: ValueNames | null): void {
  if (known === null) return;
  for (const name of given.names)
    if (!known.keys.includes(name) && !(known.positions && isPosition(name)))
      throw unknownName(given, name, `of the keys ${listOf(known.keys)}`);
}

export const isPosition = (name: string): boolean => /^(?:0|[1-9]\d*)$/u.test(name);

export const listOf = (names: readonly string[]): string =>
  names.map((name) => JSON.stringify(name)).join(', ') || 'none';

export function unknownName({ option, what }: ByName, name: string, whose: string): ArgumentError {
  return new ArgumentError('ERR_ARGUMENT', option, `${what} ${whose}`, JSON.stringify(name));
}
