// Row objects -> columns of plain values. Every row must have the same names; a missing one is an error, not a null.
import { ArgumentError, describeValue, isMap } from '@colkit/io';
import type { InputValue } from './typed.ts';

export type RowInput = Readonly<Record<string, InputValue>>;
/** A row whose type has no index signature: that of an interface or of a class. */
export type NamedValues<R> = object & { readonly [Name in keyof R]: InputValue };

/** Whether an array holds row objects (rather than pairs). An empty array says nothing and counts as rows. */
export function isRows(input: readonly unknown[]): input is readonly RowInput[] {
  return !Array.isArray(input[0]);
}

/**
 * @param names the schema's; null: those of the first row.
 * @throws ArgumentError ERR_SCHEMA naming the row that lacks a name or has another.
 */
export function rowColumns(
  rows: readonly RowInput[],
  names: readonly string[] | null,
): readonly (readonly [string, InputValue[]])[] {
  const [first] = rows;
  if (first !== undefined) requireRow(first, 0);
  const wanted = names ?? (first === undefined ? [] : Object.keys(first));
  const columns = wanted.map((name) => [name, new Array<InputValue>(rows.length)] as const);
  for (const [row, object] of rows.entries()) {
    requireRow(object, row);
    for (const [name, values] of columns) {
      if (!Object.hasOwn(object, name))
        throw new ArgumentError('ERR_SCHEMA', `row ${String(row)}`, `a value for ${JSON.stringify(name)}`, 'none');
      values[row] = object[name] as InputValue;
    }
    const own = Object.keys(object);
    if (own.length !== wanted.length) {
      const other = own.find((name) => !wanted.includes(name)) ?? '';
      throw new ArgumentError(
        'ERR_SCHEMA',
        `row ${String(row)}`,
        names === null ? 'the names of the first row' : 'the names of the schema',
        JSON.stringify(other),
      );
    }
  }
  return columns;
}

function requireRow(row: unknown, position: number): void {
  if (
    typeof row !== 'object' ||
    row === null ||
    Array.isArray(row) ||
    ArrayBuffer.isView(row) ||
    row instanceof Date ||
    isMap(row)
  ) {
    throw new ArgumentError(
      'ERR_SCHEMA',
      'rows',
      'row objects',
      `${describeValue(row)} at position ${String(position)}`,
    );
  }
}
