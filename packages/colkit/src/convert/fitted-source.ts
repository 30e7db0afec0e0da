// A source of rows -> the rows with the names, columns and types that they have where they are added. What does not fit
// is an error that names file, row and column, before a row is handed on.
import type { DType } from '@colkit/io';
import type { Field, Table } from '@colkit/table';
import { checkRows } from '../tables/columns/checked-rows.ts';
import { exactColumns } from '../tables/columns/exact-columns.ts';
import { missingTimes } from '../tables/columns/missing-times.ts';
import { castTypes, newNames, reshaped } from '../tables/reshaped.ts';
import type { ShapeOptions } from '../tables/reshaped.ts';
import { namesBetween } from '../terminal/verb.ts';
import { withTable } from './convert.ts';
import type { Job } from './convert.ts';
import type { Expected } from './staged-types.ts';

/** What rows are added to. */
export interface Into {
  /** Whose columns they are, for messages. */
  readonly path: string;
  /** Null: there is nothing yet. */
  readonly schema: readonly Field[] | null;
  /** Without nulls, times that are null become NaT. */
  readonly hasNulls: boolean;
}

/**
 * Text is read with the types that are there (those of the command line come before them): each cell is the nearest
 * value of the type. Values of other tables are brought into them where none changes.
 * @throws ArgumentError ERR_VALUE, ERR_SCHEMA; UsageError; as `withTable`.
 */
export async function withFitted<T>(job: Job, into: Into, use: (table: Table) => Promise<T>): Promise<T> {
  const { from, options, terminal } = job;
  const shape: ShapeOptions = options;
  const casts = castTypes(shape);
  const names = newNames(shape);
  const expected = expectedTypes(into, casts, names, shape.columns);
  // Which columns are chosen is known where they have their types.
  const all = { ...options };
  Reflect.deleteProperty(all, 'columns');
  return withTable({ ...job, options: all, ...(expected === null ? {} : { expected }) }, async (table, restored) => {
    const { table: fitted, doubtful } = exactColumns(reshaped(table, shape), into.schema ?? []);
    const whole = into.hasNulls ? null : missingTimes(fitted);
    const rows = whole?.table ?? fitted;
    const changed = [...restored, ...casts.keys()].map((name) => names.get(name) ?? name);
    const there = [...changed, ...doubtful].filter((name) => rows.columnNames.includes(name));
    await checkRows(rows, there, from);
    const done = await use(rows);
    for (const name of whole?.filled() ?? [])
      terminal.note(`${from}: column ${JSON.stringify(name)}: nulls became NaT`);
    return done;
  });
}

/** By the names in the source; nothing of what the command line has a type for. */
function expectedTypes(
  { path, schema }: Into,
  casts: ReadonlyMap<string, DType>,
  names: ReadonlyMap<string, string>,
  columns: string | undefined,
): Expected | null {
  if (schema === null) return null;
  const oldNames = new Map(Array.from(names, ([before, after]) => [after, before]));
  const types = new Map<string, DType>();
  const mayBeNull = new Set<string>();
  for (const { name, dtype, nullable } of schema) {
    const own = oldNames.get(name) ?? name;
    const isRenamedAway = own === name && names.has(name);
    if (isRenamedAway || casts.has(own)) continue;
    types.set(own, dtype);
    if (nullable) mayBeNull.add(own);
  }
  const chosen = columns === undefined ? null : namesBetween(columns, [...types.keys()]);
  for (const name of [...types.keys()]) if (chosen?.includes(name) === false) types.delete(name);
  return { path, types, nullable: mayBeNull, said: new Set(names.keys()) };
}
