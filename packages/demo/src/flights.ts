// Three million real flights (npm package vega-datasets, a Parquet file) as typed arrays: what every part of the demo
// starts from.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { asyncBufferFromFile, parquetMetadataAsync, parquetRead } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';

export interface Flights {
  readonly rowCount: number;
  /** Departure, milliseconds since 1970. */
  readonly date: BigInt64Array;
  /** Minutes. */
  readonly delay: Int16Array;
  /** Miles. */
  readonly distance: Int16Array;
  /** Three-letter airport codes. */
  readonly origin: readonly string[];
  readonly destination: readonly string[];
}

/** Where the Parquet file of the package lies. */
export function flightsPath(): string {
  // build/index.js: the package exports nothing of its data folder
  const entry = createRequire(import.meta.url).resolve('vega-datasets');
  return join(dirname(entry), '..', 'data', 'flights-3m.parquet');
}

/**
 * Decodes the whole Parquet file. Some seconds, several hundred MB: the cost that a random-access file saves its
 * readers.
 */
export async function readFlights(
  onProgress: (rows: number, rowCount: number) => void = () => undefined,
): Promise<Flights> {
  const file = await asyncBufferFromFile(flightsPath());
  const metadata = await parquetMetadataAsync(file);
  const rowCount = Number(metadata.num_rows);
  const date = new BigInt64Array(rowCount);
  const delay = new Int16Array(rowCount);
  const distance = new Int16Array(rowCount);
  const origin = new Array<string>(rowCount);
  const destination = new Array<string>(rowCount);
  const put: Record<string, (row: number, value: unknown) => void> = {
    date: (row, value) => {
      date[row] = BigInt((value as Date).getTime());
    },
    delay: (row, value) => {
      delay[row] = exactInt16(value);
    },
    distance: (row, value) => {
      distance[row] = exactInt16(value);
    },
    origin: (row, value) => {
      origin[row] = value as string;
    },
    destination: (row, value) => {
      destination[row] = value as string;
    },
  };
  await parquetRead({
    file,
    metadata,
    compressors,
    onChunk: ({ columnName, columnData, rowStart, rowEnd }) => {
      const store = put[columnName];
      if (store === undefined) return;
      for (let i = 0; i < columnData.length; i++) {
        const value: unknown = columnData[i];
        if (value === null || value === undefined) throw new Error(`${columnName}: row ${rowStart + i} is null`);
        store(rowStart + i, value);
      }
      if (columnName === 'destination') onProgress(rowEnd, rowCount);
    },
  });
  return { rowCount, date, delay, distance, origin, destination };
}

function exactInt16(value: unknown): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < -32768 || number > 32767)
    throw new Error(`${String(value)} does not fit int16`);
  return number;
}
