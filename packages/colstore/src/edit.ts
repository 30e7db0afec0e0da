// edit: a table with columns computed, renamed, cast and left out and rows that match -> a new .cstore file.
import { editTable } from '@colkit/table';
import type { TableEdit } from '@colkit/table';
import type { WriteTarget } from '@colkit/io';
import type { FileInfo } from './info.ts';
import { write, writeSync } from './write/write.ts';
import type { AnyTable, WriteOptions } from './write/write.ts';

/** Changes of a table that are not made yet; `write` writes a .cstore file. */
export type ColStoreEdit = TableEdit<WriteTarget, WriteOptions, FileInfo>;

/**
 * Begins changes of a table or view of any format: `edit(table).assign({ total: col('price').mul(col('qty')) })
 * .where('total > 100', { label: 'large' }).write('large.cstore')`. Reads nothing; the table stays as it is.
 * @throws ArgumentError for what is no table.
 */
export function edit(table: AnyTable): ColStoreEdit {
  return editTable(table, { write, writeSync });
}
