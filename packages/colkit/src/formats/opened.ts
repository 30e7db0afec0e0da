// A file of any of the formats, opened for the time that a verb works with it: rows of a table, or items of arrays.
import type { Table } from '@colkit/table';
import { open as openColstore } from 'colstore';
import { open as openColumna } from 'columna';
import { open as openSyrah } from 'syrah';
import type { SyrahFile } from 'syrah';
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
    }
  | { readonly kind: 'items'; readonly format: 'syrah'; readonly path: string; readonly file: SyrahFile };

/** Of a folder or a pattern of .cstore files, one table. @throws as `identify`, and as the `open` of the format. */
export async function opened<T>(path: string, use: (file: Opened) => Promise<T> | T): Promise<T> {
  const several = await severalFiles(path);
  const format = several === null ? await identify(path) : 'colstore';
  if (format === 'syrah') {
    using file = await openSyrah(path);
    return await use({ kind: 'items', format, path, file });
  }
  const table = await (format === 'columna' ? openColumna(path) : openColstore(path));
  try {
    return await use({ kind: 'table', format, path, table });
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

export const ENDINGS: Readonly<Record<FileFormat, string>> = { colstore: '.cstore', columna: '.cna', syrah: '.syr' };
