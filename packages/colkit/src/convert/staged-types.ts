// Rows on their way are a .cna file for a while, which has fewer types than others: what texts are read as for it, and
// what its columns become again.
import { ArgumentError, UnknownColumnError, isFixedText, isMoment, isTime, parseDType } from '@colkit/io';
import type { DType } from '@colkit/io';
import { editTable } from '@colkit/table';
import type { Table } from '@colkit/table';
import { nearestFloats } from '../tables/columns/exact-columns.ts';
import { READ_ONLY } from '../tables/columns/read-only.ts';
import { isJson } from './options.ts';
import type { End } from './ends.ts';

/** What somebody else than the command line says of the columns of a text: the file that its rows are added to. */
export interface Expected {
  readonly path: string;
  /** By the names in the text. */
  readonly types: ReadonlyMap<string, DType>;
  /** Of those names, the columns that may hold nulls: rows of JSON need not have them. */
  readonly nullable: ReadonlySet<string>;
  /** Of those names, the ones that the command line has. */
  readonly said: ReadonlySet<string>;
}

export interface StagedTypes {
  /** What the reader of the text is told. */
  readonly reading: ReadonlyMap<string, DType>;
  /** What columns of the .cna file become. */
  readonly restored: Map<string, DType>;
  /** Those of them that may be refused. */
  readonly doubtful: readonly string[];
}

/** As the readers of CSV and JSON take them. */
const READ = /^(?:bool|u?int\d+|float32|float64|datetime64\[(?:D|us)\]|string)$/u;
const NARROWED = /^(?:[SU]\d+|datetime64\[(?:s|ms)\])$/u;

/** What the command line says comes before what is expected. */
export function stagedTypes(
  source: End,
  said: ReadonlyMap<string, DType>,
  expected: ReadonlyMap<string, DType> = new Map(),
): StagedTypes {
  const reading = new Map<string, DType>();
  const restored = new Map<string, DType>();
  const doubtful: string[] = [];
  for (const [name, dtype] of new Map([...expected, ...said])) {
    if (READ.test(dtype) || (dtype === 'binary' && isJson(source))) reading.set(name, dtype);
    else if (NARROWED.test(dtype)) {
      reading.set(name, dtype);
      restored.set(name, dtype);
    } else if (dtype === 'datetime64[ns]' || (dtype === 'float16' && !said.has(name))) {
      // Nanoseconds, which microseconds do not hold, stay text; of a half the nearest is found from a double.
      reading.set(name, dtype === 'float16' ? 'float64' : 'string');
      restored.set(name, dtype);
      doubtful.push(name);
    } else if (said.has(name)) reading.set(name, dtype);
  }
  return { reading, restored, doubtful };
}

/** The columns with the types that they have elsewhere. Reads nothing. */
export function restoredColumns(table: Table, types: ReadonlyMap<string, DType>): Table {
  let edited = editTable(table, READ_ONLY);
  for (const { name, dtype: stored, nullable } of table.schema) {
    const dtype = types.get(name);
    if (dtype === undefined || dtype === stored) continue;
    const info = parseDType(dtype);
    if (isTime(info) && stored === 'int64')
      edited = edited.apply(name, [name], (ticks: readonly (bigint | null)[]) => [...ticks], { dtype, nullable });
    else if (dtype === 'float16') edited = edited.apply(name, [name], nearestFloats(info, name), { dtype, nullable });
    else if (isMoment(info) || isFixedText(info)) edited = edited.cast(new Map([[name, dtype]]));
  }
  return edited.table;
}

/** What a reader says of a column that only the expectation knows, in words that tell where it comes from. */
export function expectationFault(error: unknown, from: string, { path, types, said }: Expected): unknown {
  if (!(error instanceof ArgumentError)) return error;
  if (error.code === 'ERR_SCHEMA' && error.argument === 'types') {
    const missing = [...types.keys()].find((name) => JSON.stringify(name) === error.found);
    if (missing === undefined) return error;
    const others = error.expected.includes(': ') ? error.expected.slice(error.expected.indexOf(': ') + 2) : 'no value';
    if (said.has(missing)) return new UnknownColumnError(missing, others.split(', '));
    return new ArgumentError('ERR_SCHEMA', from, `a column ${JSON.stringify(missing)}, as ${path} has it`, others);
  }
  return error;
}
