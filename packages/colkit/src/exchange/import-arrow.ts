// An Arrow file or stream -> a .cna file in whatever takes one, record batch by record batch.
import { write } from 'columna';
import type { ColumnNote } from 'columna';
import { arrowBatches } from '../tables/arrow-file.ts';
import { writingOf } from './import-options.ts';
import type { ImportJob, Imported } from './import-options.ts';

export async function importArrow(job: ImportJob): Promise<Imported> {
  const notes: ColumnNote[] = [];
  const { columns, nested } = job.options;
  const batches = arrowBatches(job.source, { columns: () => columns, nested: nested === 'text' }, notes);
  return { report: await write(job.target, batches, writingOf(job)), notes, rejected: [], rejectedCount: 0 };
}
