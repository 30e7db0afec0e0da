// The columns that are grouped by, checked when that is described.
import { ArgumentError, describeValue } from '@colkit/io';
import { checkGrouped } from '../aggregate/value-checks.ts';
import type { ColumnRef } from '../query/bound-predicate.ts';
import { columnRef } from '../views/column-refs.ts';
import type { View } from '../views/view.ts';

/** @throws UnknownColumnError; ArgumentError for no column, or one that comes twice; UnsupportedError ERR_DTYPE. */
export function groupColumns({ projection }: View, names: readonly string[]): readonly ColumnRef[] {
  if (names.length === 0) throw new ArgumentError('ERR_ARGUMENT', 'groupBy', 'a column at least', describeValue(names));
  const by = names.map((name) => columnRef(projection, name, 'groupBy'));
  for (const [index, { name, info }] of by.entries()) {
    checkGrouped(info, 'groupBy');
    if (names.indexOf(name) !== index)
      throw new ArgumentError('ERR_ARGUMENT', 'groupBy', 'each column once', `${JSON.stringify(name)} twice`);
  }
  return by;
}
