// Three million real flights (npm package vega-datasets, a Parquet file) -> raw columns.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { asyncBufferFromFile, parquetReadObjects, parquetMetadataAsync } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import type { Progress } from '../src/run/progress.ts';
import { TableFilesWriter } from './table/files.ts';
import { FLIGHTS } from './table/question.ts';

export const flightsRows = 3_000_000;
const CHUNK_ROWS = 250_000;

/** The Parquet file of the package, as it is shipped. */
export function flightsParquetPath(): string {
  // the package exports nothing of its data folder
  const entry = createRequire(import.meta.url).resolve('vega-datasets');
  return join(dirname(entry), '..', 'data', 'flights-3m.parquet');
}

/** Writes the first `rows` flights; at most all three million. */
export async function generateFlights(
  rows: number,
  takeRows: number,
  directory: string,
  progress: Progress,
): Promise<void> {
  const file = await asyncBufferFromFile(flightsParquetPath());
  const metadata = await parquetMetadataAsync(file);
  const names = FLIGHTS.columns.map(({ name }) => name);
  const texts = FLIGHTS.columns.filter(({ dtype }) => dtype === 'string').map(({ name }) => name);
  const read = async (columns: string[], onRow: (row: Record<string, unknown>) => void): Promise<void> => {
    for (let rowStart = 0; rowStart < rows; rowStart += CHUNK_ROWS) {
      progress.update(`flights: row ${rowStart} of ${rows}`);
      const rowEnd = Math.min(rows, rowStart + CHUNK_ROWS);
      for (const row of await parquetReadObjects({ file, metadata, compressors, columns, rowStart, rowEnd }))
        onRow(row);
    }
  };
  const distinct = new Map(texts.map((name) => [name, new Set<string>()]));
  await read(texts, (row) => {
    for (const name of texts) distinct.get(name)?.add(row[name] as string);
  });
  const writer = new TableFilesWriter(
    directory,
    FLIGHTS,
    new Map([...distinct].map(([name, found]) => [name, [...found]])),
  );
  await read(names, (row) => writer.add(names.map((name) => plainValue(row[name]))));
  writer.close(takeRows);
}

function plainValue(value: unknown): number | string | null {
  if (value instanceof Date) return value.getTime();
  if (typeof value === 'string') return value;
  if (value === null || value === undefined)
    throw new Error('a flight has a null, which the raw columns have no place for');
  return Number(value);
}
