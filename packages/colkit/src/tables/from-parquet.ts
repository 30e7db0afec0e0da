// A Parquet file -> a .cna file, one row group of it at a time, through the optional peers hyparquet and
// hyparquet-compressors. Times keep every tick, integers every digit.
import { checkOptions, openSource, option } from '@colkit/io';
import type { Openable, OptionSet, RandomAccessSource } from '@colkit/io';
import {
  TEXT_PARSERS,
  emptyPages,
  parquetFault,
  requireCodecs,
  requirePlainFooter,
  requireRowCounts,
  storedMetadata,
  watchedReads,
} from '@colkit/table/parquet';
import type { AsyncBuffer } from 'hyparquet';
import { create } from 'columna';
import type { ColumnNote, CreateOptions, WriteReport } from 'columna';
import { peers } from '../formats/peers.ts';
import { ParquetBuffer } from './parquet-buffer.ts';
import { LEAVE_OUT, parquetColumns, parquetNotes } from './parquet-types.ts';

export interface FromParquetOptions extends Omit<CreateOptions, 'schema'> {
  /** Which columns, in which order; default: all. What is not chosen is not looked at, whatever its type. */
  readonly columns?: readonly string[];
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
  onProgress: option.callback(),
};

export interface FromParquetReport extends WriteReport {
  /**
   * Columns whose values are not, or not only, what Parquet says they are: what became of DECIMAL, TIME, UUID, JSON,
   * FLOAT16, times in UTC and others.
   */
  readonly notes: readonly ColumnNote[];
}

const MAGIC_BYTES = 4;

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
  const { columns: names, onProgress, ...writing } = options;
  const hyparquet = await peers.hyparquet();
  const compressors = emptyPages(await peers.compressors());
  const opened = await openSource(source);
  try {
    const file = watchedReads(asyncBuffer(opened));
    requirePlainFooter(new Uint8Array(await file.slice(-MAGIC_BYTES)), opened.path);
    const metadata = await reading(opened, () => hyparquet.parquetMetadataAsync(file, { geoparquet: false }));
    const columns = await reading(opened, () => parquetColumns(hyparquet.parquetSchema(metadata), names, opened.path));
    const chosen = columns.map(({ name }) => name);
    const stored = await reading(opened, () => {
      requireRowCounts(metadata, opened.path);
      requireCodecs(metadata, chosen, compressors, opened.path, LEAVE_OUT);
      return storedMetadata(metadata);
    });
    const writer = await create(path, {
      ...writing,
      schema: columns.map(({ name, dtype, nullable }) => ({ name, dtype, nullable })),
    });
    try {
      const totalRows = Number(metadata.num_rows);
      let rowStart = 0;
      for (const group of stored.row_groups) {
        const rowEnd = rowStart + Number(group.num_rows);
        const start = rowStart;
        const buffers = await reading(
          opened,
          () => new Map(columns.map((column) => [column.name, new ParquetBuffer(column, opened.path, start, rowEnd)])),
        );
        await reading(opened, () =>
          hyparquet.parquetRead({
            file,
            metadata: stored,
            columns: chosen,
            rowStart,
            rowEnd,
            compressors,
            parsers: TEXT_PARSERS,
            utf8: false,
            onChunk: ({ columnName, columnData, rowStart: from }) => buffers.get(columnName)?.put(columnData, from),
          }),
        );
        if (rowEnd > rowStart)
          await writer.write(Array.from(buffers, ([name, buffer]) => [name, buffer.finish()] as const));
        rowStart = rowEnd;
        onProgress?.({ rows: rowEnd, totalRows });
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

function asyncBuffer(source: RandomAccessSource): AsyncBuffer {
  return {
    byteLength: source.byteLength,
    async slice(start, end = source.byteLength) {
      const from = start < 0 ? Math.max(0, source.byteLength + start) : start;
      const out = new Uint8Array(Math.max(0, Math.min(end, source.byteLength) - from));
      await source.read(from, out);
      return out.buffer;
    },
  };
}

async function reading<T>(source: RandomAccessSource, read: () => Promise<T> | T): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw parquetFault(source.path, error);
  }
}
