// A Parquet file -> a .cna file in whatever takes one, row group by row group.
import { write } from 'columna';
import type { WriteInput } from 'columna';
import { parquetTable } from '../tables/parquet-batches.ts';
import type { ParquetTable } from '../tables/parquet-batches.ts';
import { parquetNotes, schemaOfColumns } from '../tables/parquet-types.ts';
import { writingOf } from './import-options.ts';
import type { ImportJob, Imported } from './import-options.ts';

export async function importParquet(job: ImportJob): Promise<Imported> {
  const { columns, nested } = job.options;
  const table = await parquetTable(job.source, () => columns, nested === 'text' ? 'text' : 'refuse');
  const schema = schemaOfColumns(table.columns);
  const report = await write(job.target, columnsOf(table), { ...writingOf(job), schema });
  return { report, notes: parquetNotes(table.columns), rejected: [], rejectedCount: 0 };
}

async function* columnsOf(table: ParquetTable): AsyncGenerator<WriteInput, void, undefined> {
  for await (const { columns } of table.batches()) yield columns;
}
