// Names of a file's columns -> those that a .cna file takes: a column without a name is called by its number, as one of
// CSV is. Polars reads such CSV files, as R writes them, into columns that are called ''.
import { numberedName } from '@colkit/table';

/** What is told of such a column. */
export const NO_NAME_NOTE = 'the file has no name for it';

/** In the same order. */
export function givenNames(names: readonly string[]): string[] {
  const taken = new Set(names);
  return names.map((name, index) => {
    if (name !== '') return name;
    let given = numberedName(index, names.length);
    while (taken.has(given)) given = `${given}_1`;
    taken.add(given);
    return given;
  });
}
