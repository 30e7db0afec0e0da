// A file of any of the formats, opened for the time that a verb works with it: rows of a table, or items of arrays.
import type { Table } from '@colkit/table';
import { cstoreParts, open as openColstore } from 'colstore';
import { open as openColumna, openDataset } from 'columna';
import type { Dataset } from 'columna';
import { open as openSyrah } from 'syrah';
import type { SyrahFile } from 'syrah';
import { count } from '../terminal/terminal.ts';
import { UsageError } from '../terminal/verb.ts';
import { identify } from './identify.ts';
import type { FileFormat } from './identify.ts';
import { severalFiles } from './named-files.ts';

export type Opened =
  | {
      readonly kind: 'table';
      readonly format: Exclude<FileFormat, 'syrah'>;
      readonly path: string;
      readonly table: Table;
      /** The same table where it is several files as a dataset; null of one file, and of files of colstore alone. */
      readonly dataset: Dataset | null;
    }
  | { readonly kind: 'items'; readonly format: 'syrah'; readonly path: string; readonly file: SyrahFile };

/** Of a folder or a pattern of tables, one table. @throws as `identify`, and as the `open` of the format. */
export async function opened<T>(path: string, use: (file: Opened) => Promise<T> | T): Promise<T> {
  const several = await severalFiles(path);
  // Of what is none of ours it is said what reads it.
  for (const file of several?.files ?? []) if (!/\.(?:cna|cstore)$/iu.test(file)) await identify(file);
  const format = several === null ? await identify(path) : several.as === 'dataset' ? 'columna' : 'colstore';
  if (format === 'syrah') {
    using file = await openSyrah(path);
    return await use({ kind: 'items', format, path, file });
  }
  const dataset = several?.as === 'dataset' ? await openDataset(path, { formats: [cstoreParts] }) : null;
  const table = dataset ?? (await (format === 'columna' ? openColumna(path) : openColstore(path)));
  try {
    return await use({ kind: 'table', format, path, table, dataset });
  } finally {
    table.close();
  }
}

/** Its columns, or the keys of its items. */
export function namesOf(file: Opened): readonly string[] {
  return file.kind === 'table' ? file.table.columnNames : file.file.keys;
}

/** @throws UsageError where an option is not for this format. */
export function requireFormat(option: string, file: { readonly format: FileFormat }, expected: FileFormat): void {
  if (file.format === expected) return;
  throw new UsageError(`${option}: only for ${ENDINGS[expected]} files, and this is a ${ENDINGS[file.format]} file`);
}

/** @throws UsageError where an option is for one file alone. */
export function requireOneFile(option: string, file: Opened): void {
  if (file.kind === 'table' && file.dataset !== null)
    throw new UsageError(`${option}: only for one file, and this is ${count(file.dataset.files.length)} of them`);
}

export const ENDINGS: Readonly<Record<FileFormat, string>> = { colstore: '.cstore', columna: '.cna', syrah: '.syr' };
