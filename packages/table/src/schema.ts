// A table's types, at run time and for the compiler. A schema type is earned by a check (`expectSchema`), never
// asserted.
import { ArgumentError, describeValue, option } from '@colkit/io';
import type { BigIntDType, DType, DTypeMap, FixedStringDType, OptionSet, TimeDType } from '@colkit/io';
import type { Field } from './field.ts';

/** What the compiler knows of one column. */
export interface ColumnType {
  readonly dtype: DType;
  readonly nullable: boolean;
}

/** What the compiler knows of a table: its columns by name. The plain form, `TableTypes`, knows nothing. */
export type TableTypes = Readonly<Record<string, ColumnType>>;

/** What is expected of one column: its dtype, and that it is never null unless it says so. */
export type ExpectedColumn = DType | ColumnType;
export type ExpectedSchema = Readonly<Record<string, ExpectedColumn>>;

/** The types that a successful check has shown. */
export type TypesOf<E extends ExpectedSchema> = {
  readonly [Name in keyof E]: E[Name] extends ColumnType
    ? E[Name]
    : E[Name] extends DType
      ? { readonly dtype: E[Name]; readonly nullable: false }
      : never;
};

/** What a user of `open`, `read` and `scan` can expect of a file. */
export interface ExpectOptions {
  /**
   * The columns to be had, with their dtypes: `{ price: 'float64', note: { dtype: 'string', nullable: true } }`. They
   * are checked when the file is opened (ERR_SCHEMA names every one that is missing or different), and what is opened
   * has just them, in this order, typed.
   */
  readonly expect?: ExpectedSchema;
}

export const EXPECT_OPTIONS: OptionSet<ExpectOptions> = { expect: option.object('an object of dtypes by column') };

/** The types that options have earned with `expect`: of the columns that they ask for, where these are known. */
export type ExpectedTypes<O> = O extends { readonly expect: infer E extends ExpectedSchema }
  ? SelectedTypes<TypesOf<E>, O>
  : TableTypes;

type SelectedTypes<S, O> = O extends { readonly columns: readonly (infer C extends string)[] }
  ? string extends C
    ? S
    : Pick<S, C & keyof S>
  : S;

/** One value of a dtype: what `at()` and rows give where it is not null. */
export type ValueOf<D extends DType> = D extends keyof DTypeMap
  ? DTypeMap[D]['value']
  : D extends TimeDType
    ? bigint
    : D extends FixedStringDType
      ? string
      : D extends 'float128'
        ? Uint8Array
        : never;

/** All values of a dtype without nulls. `float128` comes as its raw items of 16 bytes. */
export type ArrayOf<D extends DType> = D extends keyof DTypeMap
  ? DTypeMap[D]['array']
  : D extends TimeDType
    ? BigInt64Array
    : D extends FixedStringDType
      ? string[]
      : D extends 'float128'
        ? Uint8Array
        : never;

/** A sum: bigint for 64-bit integers, else a number. */
export type SumOf<D extends DType> = D extends BigIntDType ? bigint : number;

/**
 * Checks that the fields are there with these types. O(columns).
 * @returns the names, in the order in which `expected` lists them.
 * @throws ArgumentError ERR_SCHEMA naming every column that is missing or different.
 */
export function checkSchema(fields: readonly Field[], expected: ExpectedSchema): string[] {
  if (!isRecord(expected))
    throw new ArgumentError('ERR_ARGUMENT', 'schema', 'an object of dtypes by column', describeValue(expected));
  const byName = new Map(fields.map((field) => [field.name, field]));
  const names = Object.keys(expected);
  const faults: string[] = [];
  const wanted: string[] = [];
  for (const name of names) {
    const column = expected[name];
    if (column === undefined) continue;
    if (typeof column !== 'string' && !isRecord(column)) {
      throw new ArgumentError(
        'ERR_ARGUMENT',
        `schema[${JSON.stringify(name)}]`,
        'a dtype, or { dtype, nullable }',
        describeValue(column),
      );
    }
    const { dtype, nullable } = typeof column === 'string' ? { dtype: column, nullable: false } : column;
    const field = byName.get(name);
    if (field !== undefined && field.dtype === dtype && field.nullable === nullable) continue;
    wanted.push(describe(name, dtype, nullable));
    faults.push(
      field === undefined ? `no column ${JSON.stringify(name)}` : describe(name, field.dtype, field.nullable),
    );
  }
  if (faults.length > 0) throw new ArgumentError('ERR_SCHEMA', 'schema', wanted.join(', '), faults.join(', '));
  return names;
}

function isRecord(value: unknown): boolean {
  return Object.prototype.toString.call(value) === '[object Object]';
}

function describe(name: string, dtype: string, nullable: boolean): string {
  return `${JSON.stringify(name)} ${dtype}${nullable ? ' (nullable)' : ''}`;
}
