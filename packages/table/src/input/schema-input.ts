// The `schema` option of a writer -> the columns that it asks for, in order: it fixes names, order and types.
import { ArgumentError, parseDType } from '@colkit/io';
import type { DType, DTypeInfo } from '@colkit/io';
import type { ExpectedColumn } from '../schema.ts';

/** Names and dtypes: an object or a Map, or an array of fields (a table's `schema`), which keeps the order of names such as "10". */
export type SchemaInput =
  | Readonly<Record<string, ExpectedColumn>>
  | ReadonlyMap<string, ExpectedColumn>
  | readonly { readonly name: string; readonly dtype: DType; readonly nullable?: boolean }[];

export interface WantedColumn {
  readonly name: string;
  readonly info: DTypeInfo;
  /** undefined: as the values are. */
  readonly nullable: boolean | undefined;
}

/** @throws ArgumentError ERR_SCHEMA for a name that comes twice, ERR_ARGUMENT for what is no schema; UnsupportedError ERR_DTYPE. */
export function parseSchema(schema: SchemaInput): readonly WantedColumn[] {
  const given: unknown = schema;
  if (typeof given !== 'object' || given === null) throw new ArgumentError('ERR_ARGUMENT', 'schema', 'an object, a Map or an array of columns', given === null ? 'null' : typeof given);
  const wanted = Array.isArray(schema)
    ? (schema as readonly { name: string; dtype: DType; nullable?: boolean }[]).map(({ name, dtype, nullable }) => ({ name, info: parseDType(dtype), nullable }))
    : entriesOf(schema as Exclude<SchemaInput, readonly unknown[]>).map(([name, column]) =>
        typeof column === 'string' ? { name, info: parseDType(column), nullable: undefined } : { name, info: parseDType(column.dtype), nullable: column.nullable },
      );
  requireUnique(wanted.map(({ name }) => name), 'schema');
  return wanted;
}

/** Name and value of each entry, in order; own enumerable properties of an object. */
export function entriesOf<T>(columns: ReadonlyMap<string, T> | Readonly<Record<string, T>>): (readonly [string, T])[] {
  return columns instanceof Map ? [...(columns as ReadonlyMap<string, T>)] : Object.entries(columns as Readonly<Record<string, T>>);
}

/** @throws ArgumentError ERR_SCHEMA for a name that is no text or comes twice. */
export function requireUnique(names: readonly unknown[], argument: string): void {
  const seen = new Set<unknown>();
  for (const name of names) {
    if (typeof name !== 'string') throw new ArgumentError('ERR_SCHEMA', argument, 'names that are text', typeof name);
    if (seen.has(name)) throw new ArgumentError('ERR_SCHEMA', argument, 'each name once', `${JSON.stringify(name)} twice`);
    seen.add(name);
  }
}
