// The `schema` option of a writer -> the columns that it asks for, in order: it fixes names, order and types.
import { ArgumentError, checkOptions, describeValue, isByName, isMap, option, parseDType } from '@colkit/io';
import type { DType, DTypeInfo, OptionKind, OptionSet } from '@colkit/io';
import type { ExpectedColumn } from '../schema.ts';

/**
 * Names and dtypes: an object or a Map, or an array of fields (a table's `schema`), which keeps the order of names such
 * as "10".
 */
export type SchemaInput =
  | Readonly<Record<string, ExpectedColumn>>
  | ReadonlyMap<string, ExpectedColumn>
  | readonly ListedColumn[];

interface ListedColumn {
  readonly name: string;
  readonly dtype: DType;
  readonly nullable?: boolean;
}

const LISTED_COLUMN: OptionSet<ListedColumn> = {
  name: option.text,
  dtype: option.kind('a dtype', (value) => typeof value === 'string'),
  nullable: option.flag,
};

export const SCHEMA_OPTION: OptionKind<SchemaInput> = option.kind(
  'an object, a Map or an array of columns',
  (value) => Array.isArray(value) || isByName(value),
);

export interface WantedColumn {
  readonly name: string;
  readonly info: DTypeInfo;
  /** undefined: as the values are. */
  readonly nullable: boolean | undefined;
}

/**
 * @throws ArgumentError ERR_SCHEMA for a name that comes twice, ERR_ARGUMENT for what is no schema; UnsupportedError
 * ERR_DTYPE.
 */
export function parseSchema(schema: SchemaInput): readonly WantedColumn[] {
  const given: unknown = schema;
  if (!SCHEMA_OPTION.accepts(given))
    throw new ArgumentError('ERR_ARGUMENT', 'schema', SCHEMA_OPTION.expected, describeValue(given));
  const wanted = Array.isArray(schema)
    ? (schema as readonly ListedColumn[]).map((column, position) =>
        wantedColumn(`schema[${String(position)}]`, (column as ListedColumn | null)?.name, column),
      )
    : entriesOf(schema as Exclude<SchemaInput, readonly unknown[]>).map(([name, column]) =>
        wantedColumn(`schema[${JSON.stringify(name)}]`, name, column),
      );
  requireUnique(
    wanted.map(({ name }) => name),
    'schema',
  );
  return wanted;
}

function wantedColumn(argument: string, name: unknown, column: ExpectedColumn | ListedColumn): WantedColumn {
  if (typeof column === 'string') return { name: name as string, info: parseDType(column), nullable: undefined };
  if (typeof column !== 'object' || (column as unknown) === null)
    throw new ArgumentError('ERR_ARGUMENT', argument, 'a dtype, or { dtype, nullable }', describeValue(column));
  checkOptions<ListedColumn | ExpectedColumn>(argument, LISTED_COLUMN, column);
  if ((column.dtype as unknown) === undefined)
    throw new ArgumentError(
      'ERR_ARGUMENT',
      argument,
      'a dtype, or { dtype, nullable }',
      `${describeValue(column)} without dtype`,
    );
  return { name: name as string, info: parseDType(column.dtype), nullable: column.nullable };
}

/** Name and value of each entry, in order; own enumerable properties of an object. */
export function entriesOf<T>(columns: ReadonlyMap<string, T> | Readonly<Record<string, T>>): (readonly [string, T])[] {
  return isMap(columns) ? [...columns] : Object.entries(columns);
}

/** @throws ArgumentError ERR_SCHEMA for a name that is no text or comes twice. */
export function requireUnique(names: readonly unknown[], argument: string): void {
  const seen = new Set<unknown>();
  for (const name of names) {
    if (typeof name !== 'string')
      throw new ArgumentError('ERR_SCHEMA', argument, 'names that are text', describeValue(name));
    if (seen.has(name))
      throw new ArgumentError('ERR_SCHEMA', argument, 'each name once', `${JSON.stringify(name)} twice`);
    seen.add(name);
  }
}
