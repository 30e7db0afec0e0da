// A table -> the same with the columns, the names and the types that the command line says.
import type { DType } from '@colkit/io';
import type { Field, Table } from '@colkit/table';
import { edit } from 'colstore';
import { UsageError, list } from '../terminal/verb.ts';
import { selected } from './selected.ts';

export interface ShapeOptions {
  readonly columns?: string;
  readonly rename?: readonly string[];
  readonly dtype?: readonly string[];
}

export const SHAPE_OPTIONS = [
  list('--rename <OLD=NEW>', 'another name for a column; may be repeated'),
  list('--dtype <COLUMN=DTYPE>', 'another type for a column, by its old name; may be repeated'),
];

/** Reads nothing. @throws UsageError; UnknownColumnError; QueryError for a type that values cannot be brought into. */
export function reshaped(table: Table, { columns, rename, dtype }: ShapeOptions): Table {
  const chosen = selected(table, columns);
  if (rename === undefined && dtype === undefined) return chosen;
  const dtypes = pairs('dtype', 'COLUMN=DTYPE', dtype ?? []) as ReadonlyMap<string, DType>;
  return edit(chosen)
    .cast(dtypes)
    .rename(pairs('rename', 'OLD=NEW', rename ?? [])).table;
}

/**
 * The same with the types of a file that it is added to, where no value changes by it: text of a width, integers and
 * floats of another one. A value that does not fit is an error when it is read.
 */
export function fitted(table: Table, schema: readonly Field[] | null): Table {
  const types = new Map(schema?.map(({ name, dtype }) => [name, dtype]));
  const dtypes = table.schema.flatMap(({ name, dtype }) => {
    const wanted = types.get(name) ?? dtype;
    return wanted !== dtype && fits(dtype, wanted) ? [[name, wanted] as const] : [];
  });
  return dtypes.length === 0 ? table : edit(table).cast(new Map(dtypes)).table;
}

function fits(dtype: DType, wanted: DType): boolean {
  const [from, to] = [dtype, wanted].map((each) => FAMILIES.find((family) => family.test(each)));
  return from === to && from !== undefined;
}

const FAMILIES: readonly RegExp[] = [/^(?:string|[SU]\d+)$/u, /^u?int\d+$/u, /^float\d+$/u];

/** Both sides of the last '=' of each. */
function pairs(name: string, expected: string, words: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    words.map((word) => {
      const at = word.lastIndexOf('=');
      if (at > 0 && at < word.length - 1) return [word.slice(0, at), word.slice(at + 1)];
      throw new UsageError(`--${name}: expected ${expected} but found ${JSON.stringify(word)}`);
    }),
  );
}
