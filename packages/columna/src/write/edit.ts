// edit: a table with columns computed, renamed, cast and left out and rows that match -> a new .cna file.
import { editTable } from '@colkit/table';
import type { TableEdit } from '@colkit/table';
import type { WriteTarget } from '@colkit/io';
import type { AnyTable } from './values/batch-input.ts';
import type { WriteReport } from './file/write-report.ts';
import { write, writeSync } from './write.ts';
import type { WriteOptions } from './write.ts';

/** Changes of a table that are not made yet; `write` writes a .cna file. */
export type ColumnaEdit = TableEdit<WriteTarget, WriteOptions, WriteReport>;

/**
 * Begins changes of a table or view of any format: `edit(table).assign({ total: col('price').mul(col('qty')) })
 * .where('total > 100', { label: 'large' }).write('large.cna')`. Reads nothing; the table stays as it is.
 * @throws ArgumentError for what is no table.
 */
export function edit(table: AnyTable): ColumnaEdit {
  return editTable(table, { write, writeSync });
}
