// orderBy and distinct as steps of a view: checked at once, looked at when the view is materialised.
import { ArgumentError, checkOptions, describeValue, option } from '@colkit/io';
import type { OptionSet } from '@colkit/io';
import { checkGrouped, checkOrdered } from '../aggregate/value-checks.ts';
import { columnRef, columnRefs } from '../views/column-refs.ts';
import { withStep } from '../views/view.ts';
import type { View } from '../views/view.ts';

/** A column to order by, in its direction. */
export interface OrderOptions<Name extends string = string> {
  /** The name of the column. */
  readonly column: Name;
  /** From the largest to the smallest; default false. Nulls, NaN and NaT come last either way. */
  readonly descending?: boolean;
}

/** A column to order by: its name, or with a direction. */
export type OrderKey<Name extends string = string> = Name | OrderOptions<Name>;

const ORDER_OPTIONS: OptionSet<OrderOptions> = { column: option.text, descending: option.flag };

/** @throws UnknownColumnError; ArgumentError; UnsupportedError ERR_DTYPE for binary and float128. */
export function orderView(view: View, keys: readonly OrderKey[]): View {
  if (keys.length === 0) throw new ArgumentError('ERR_ARGUMENT', 'orderBy', 'a column at least', describeValue(keys));
  const columns = keys.map((key, index) => {
    const { column: name, descending = false } = typeof key === 'string' ? { column: key } : checkedKey(key);
    checkDirection(name, keys[index - 1], view.projection.names);
    const column = columnRef(view.projection, name, 'orderBy');
    checkOrdered(column.info);
    return { column, descending };
  });
  return withStep(view, { kind: 'order', columns });
}

/** @param names none: all columns of the view. @throws as `orderView`. */
export function distinctView(view: View, names: readonly string[]): View {
  const { projection } = view;
  const columns =
    names.length === 0 ? columnRefs(projection) : names.map((name) => columnRef(projection, name, 'distinct'));
  for (const { info } of columns) checkGrouped(info, 'distinct');
  return withStep(view, { kind: 'distinct', columns });
}

/** What other libraries and SQL write for a direction is no column: @throws ArgumentError saying what is. */
function checkDirection(name: string, before: OrderKey | undefined, names: readonly string[]): void {
  if (names.includes(name)) return;
  const [, minus, behind, word] = /^(?:-(.+)|(.+) (asc|desc)(?:ending)?)$/iu.exec(name) ?? [];
  const isWord = typeof before === 'string' && /^(?:asc|desc)(?:ending)?$/iu.test(name);
  const column = isWord ? before : (minus ?? behind);
  if (column === undefined || !names.includes(column)) return;
  const descending = String(!/^asc/iu.test(isWord ? name : (word ?? '')));
  const meant = `{ column: ${JSON.stringify(column)}, descending: ${descending} }`;
  throw new ArgumentError('ERR_ARGUMENT', 'orderBy', `column names (did you mean ${meant}?)`, JSON.stringify(name));
}

function checkedKey(key: OrderOptions): OrderOptions {
  let given: unknown = key;
  if (typeof given === 'object' && given !== null && 'column' in given) {
    checkOptions('orderBy', ORDER_OPTIONS, key);
    given = given.column;
    if (given !== undefined) return key;
  }
  const expected = 'column names, or { column, descending }';
  throw new ArgumentError('ERR_ARGUMENT', 'orderBy', expected, describeValue(given));
}
