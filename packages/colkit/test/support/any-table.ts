// The same rows as a file of every format, and what of them every format keeps.
import { gzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { open, typed, write } from 'columna';
import type { Table } from '@colkit/table';
import { writeTable } from '../../src/convert.ts';
import type { TableFormat } from '../../src/convert.ts';

export const ROWS = 500;
export const FORMATS: readonly TableFormat[] = ['cna', 'cstore', 'parquet', 'csv', 'tsv', 'json', 'jsonl', 'arrow'];

/** Text, integers, floats, moments, truth values, nulls. */
export async function sampleTable(path: string): Promise<Table> {
  const rows = Array.from({ length: ROWS }, (_, row) => row);
  await write(path, {
    id: Int32Array.from(rows, (row) => row * 7 - 100),
    price: typed(
      'float64',
      rows.map((row) => (row % 11 === 3 ? null : row / 8)),
    ),
    big: BigInt64Array.from(rows, (row) => BigInt(row) * 9_007_199_254_741n),
    ok: typed(
      'bool',
      rows.map((row) => row % 3 === 0),
    ),
    day: typed(
      'datetime64[D]',
      BigInt64Array.from(rows, (row) => BigInt(row + 18_000)),
    ),
    name: rows.map((row) => (row % 13 === 5 ? null : `name "${String(row % 50)}", é`)),
  });
  return open(path);
}

/** A file of each format, and gzip of one, by name. A .cstore file has no nulls: it lacks those columns. */
export async function sampleFiles(table: Table, folder: string): Promise<ReadonlyMap<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  for (const format of FORMATS) {
    const path = `${folder}/sample.${format}`;
    await writeTable(format === 'cstore' ? table.drop('price', 'name') : table, format, path, { overwrite: true });
    files.set(`sample.${format}`, readFileSync(path));
  }
  files.set('sample.csv.gz', gzipSync(files.get('sample.csv') as Uint8Array));
  return files;
}
