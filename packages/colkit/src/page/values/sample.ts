// Some rows of a table, from all over it, in bounded memory: what the page's histograms and its predicate are about.
// One column at a time, each reduced before the next: a text may be as long as a page.
import { parseDType } from '@colkit/io';
import type { DType } from '@colkit/io';
import type { Table } from '@colkit/table';

/** Rows of the sample are read in so many runs, evenly over the table, each of so many rows. */
const RUNS = 10;
const RUN_ROWS = 100;

export interface SampledColumn {
  readonly name: string;
  /** Text is 'string' and bytes are 'binary', of whatever width they are stored. */
  readonly dtype: DType;
  readonly nullable: boolean;
  /** Items of null rows may be anything. */
  readonly values: ArrayLike<number | bigint | string | Uint8Array>;
  /** One bit a row, least significant first, 1 = not null; null where no row is null. */
  readonly validity: Uint8Array | null;
}

export interface Sample {
  /** Row numbers of the table, ascending. */
  readonly rows: readonly number[];
  /** Of the whole table. */
  readonly rowCount: number;
}

export function sampleRows(rowCount: number): Sample {
  const runs = Math.min(RUNS, Math.ceil(rowCount / RUN_ROWS));
  const rows: number[] = [];
  for (let run = 0; run < runs; run++) {
    const start = runs === 1 ? 0 : Math.floor(((rowCount - RUN_ROWS) * run) / (runs - 1));
    const from = Math.max(start, (rows.at(-1) ?? -1) + 1);
    for (let row = from; row < Math.min(start + RUN_ROWS, rowCount); row++) rows.push(row);
  }
  return { rows, rowCount };
}

export async function sampledColumn(table: Table, name: string, { rows }: Sample): Promise<SampledColumn> {
  const view = table.select([name]).take(Float64Array.from(rows));
  const column = (await view.toColumns({ nulls: 'bitmap' }))[name] as
    | SampledColumn['values']
    | Pick<SampledColumn, 'values' | 'validity'>;
  const { values, validity } = 'validity' in column ? column : { values: column, validity: null };
  const field = table.schema.find((each) => each.name === name);
  const nullable = field?.nullable === true;
  const isNumbers =
    ArrayBuffer.isView(values) && values.byteLength === rows.length * parseDType(field?.dtype ?? 'string').itemBytes;
  if (isNumbers && values.length === rows.length)
    return { name, dtype: field?.dtype ?? 'string', nullable, values, validity };
  const first = values[0];
  if (!ArrayBuffer.isView(values) && (typeof first === 'string' || first instanceof Uint8Array))
    return { name, dtype: typeof first === 'string' ? 'string' : 'binary', nullable, values, validity };
  // Complex numbers and the like: as the text of what rows hold.
  const texts = (await view.toRows()).map((row) => String(row[name]));
  return { name, dtype: 'string', nullable, values: texts, validity };
}
