// A Parquet file -> a .cna file, one row group of it at a time, whatever its size.
import { checkOptions, openSource, option } from '@colkit/io';
import type { Openable, OptionSet } from '@colkit/io';
import { create } from 'columna';
import type { ColumnNote, CreateOptions, WriteReport } from 'columna';
import { parquetTable } from './parquet-batches.ts';
import type { ChooseColumns } from './parquet-batches.ts';
import type { NestedColumns } from './columns/refused-columns.ts';
import { parquetNotes, schemaOfColumns } from './parquet-types.ts';

export interface FromParquetOptions extends Omit<CreateOptions, 'schema'> {
  /** Which columns, in which order; default: all. What is not chosen is not looked at, whatever its type. */
  readonly columns?: readonly string[];
  /**
   * What becomes of lists, structs and maps: 'refuse', the default, throws; 'text' makes a text of JSON of each value:
   * integers that a number does not hold, bytes (base64) and moments as texts in it.
   */
  readonly nested?: NestedColumns;
  /** Called after every row group of the Parquet file. */
  readonly onProgress?: (progress: { readonly rows: number; readonly totalRows: number }) => void;
}

const WRITING: OptionSet<Omit<CreateOptions, 'schema'>> = {
  mode: option.word('default', 'fast', 'smallest', 'plain'),
  encodings: option.byName('an object or a Map of encodings by column'),
  joint: option.flag,
  rowGroupSize: option.count('rows', 1),
  pageRows: option.count('rows', 8),
  checkpoints: option.word('auto', 'never'),
  durability: option.word('full', 'none'),
  onRowGroup: option.callback(),
  onCheckpoint: option.callback(),
  overwrite: option.flag,
  metadata: option.byName('an object or a Map of texts by key'),
};

const FROM_PARQUET_OPTIONS: OptionSet<FromParquetOptions> = {
  ...WRITING,
  columns: option.names,
  nested: option.word('refuse', 'text'),
  onProgress: option.callback(),
};

export interface FromParquetReport extends WriteReport {
  /**
   * Columns whose values are not, or not only, what Parquet says they are: what became of DECIMAL, TIME, UUID, JSON,
   * FLOAT16, times in UTC and others.
   */
  readonly notes: readonly ColumnNote[];
}

/**
 * Writes the columns of a Parquet file (a path, URL, Blob, bytes) to a new .cna file, which appears when it is whole.
 * Memory: one row group of the Parquet file and one of the .cna file. DECIMAL becomes float64, each value the nearest;
 * times of a day int64 microseconds; moments in UTC lose that word; UUID and JSON are text, FLOAT16 float32,
 * fixed-length bytes binary: the report's `notes` tell it by column. A column is nullable where Parquet calls it
 * optional.
 * @throws UnsupportedError ERR_FEATURE (a peer is missing, encryption), ERR_DTYPE (a chosen column is nested or of a
 * type that a .cna file does not have), ERR_ENCODING (a codec such as LZO); CorruptFileError ERR_METADATA for what
 * hyparquet cannot read; ArgumentError ERR_VALUE for nanoseconds that are no whole microseconds; UnknownColumnError;
 * IoError.
 */
export async function fromParquet(
  source: Openable,
  path: string | URL,
  options: FromParquetOptions = {},
): Promise<FromParquetReport> {
  checkOptions('fromParquet', FROM_PARQUET_OPTIONS, options);
  const { columns, ...others } = options;
  return chosenFromParquet(source, path, () => columns, others);
}

/** The same, with the columns that are chosen of those that the file has. */
export async function chosenFromParquet(
  source: Openable,
  path: string | URL,
  choose: ChooseColumns,
  { onProgress, nested = 'refuse', ...writing }: Omit<FromParquetOptions, 'columns'>,
): Promise<FromParquetReport> {
  const opened = await openSource(source);
  try {
    const table = await parquetTable(opened, choose, nested);
    const { columns, rowCount: totalRows } = table;
    const writer = await create(path, { ...writing, schema: schemaOfColumns(columns) });
    try {
      for await (const { columns: batch, rowsSoFar } of table.batches()) {
        await writer.write(batch);
        onProgress?.({ rows: rowsSoFar, totalRows });
      }
      return { ...(await writer.close()), notes: parquetNotes(columns) };
    } catch (error) {
      await writer.abort();
      throw error;
    }
  } finally {
    if (opened !== source) opened.close();
  }
}
