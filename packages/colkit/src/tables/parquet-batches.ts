// A Parquet file -> its columns and its rows, one row group at a time, through the optional peer hyparquet. Times
// keep every tick, integers every digit.
import type { RandomAccessSource } from '@colkit/io';
import type { ColumnInput } from '@colkit/table';
import {
  TEXT_PARSERS,
  parquetFault,
  requireCodecs,
  requirePlainFooter,
  requireRowCounts,
  storedMetadata,
  watchedReads,
} from '@colkit/table/parquet';
import type { AsyncBuffer } from 'hyparquet';
import { peers } from '../formats/peers.ts';
import { decompressors } from './parquet/decompressors.ts';
import { standardSchema } from './parquet/standard-schema.ts';
import { ParquetBuffer } from './parquet-buffer.ts';
import { LEAVE_OUT } from './columns/refused-columns.ts';
import type { NestedColumns } from './columns/refused-columns.ts';
import { namesOf, parquetColumns } from './parquet-types.ts';
import type { ParquetColumn } from './parquet-types.ts';

export interface ParquetTable {
  readonly columns: readonly ParquetColumn[];
  readonly rowCount: number;
  /** Row group by row group; those without rows are passed over. */
  batches(): AsyncGenerator<ParquetBatch, void, undefined>;
}

interface ParquetBatch {
  readonly columns: readonly (readonly [name: string, values: ColumnInput])[];
  /** Of this row group and those before it. */
  readonly rowsSoFar: number;
}

const MAGIC_BYTES = 4;

/** Names of columns, given those of the file; undefined: all. */
export type ChooseColumns = (known: readonly string[]) => readonly string[] | undefined;

/**
 * @param choose which columns, in which order. @param nested what becomes of lists, structs and maps.
 * @throws UnsupportedError ERR_FEATURE, ERR_DTYPE, ERR_ENCODING; CorruptFileError ERR_METADATA; UnknownColumnError.
 */
export async function parquetTable(
  source: RandomAccessSource,
  choose: ChooseColumns,
  nested: NestedColumns,
): Promise<ParquetTable> {
  const hyparquet = await peers.hyparquet();
  const file = watchedReads(asyncBuffer(source));
  requirePlainFooter(new Uint8Array(await file.slice(-MAGIC_BYTES)), source.path);
  const metadata = await reading(source, async () =>
    standardSchema(await hyparquet.parquetMetadataAsync(file, { geoparquet: false }), source.path),
  );
  const root = await reading(source, () => hyparquet.parquetSchema(metadata));
  const names = choose(namesOf(root));
  const columns = await reading(source, () => parquetColumns(root, names, source.path, nested));
  const chosen = columns.map(({ storedName }) => storedName);
  const compressors = await decompressors(metadata, chosen);
  const stored = await reading(source, () => {
    requireRowCounts(metadata, source.path);
    requireCodecs(metadata, chosen, compressors, source.path, LEAVE_OUT);
    return storedMetadata(metadata);
  });
  async function* batches(): AsyncGenerator<ParquetBatch, void, undefined> {
    let rowStart = 0;
    for (const group of stored.row_groups) {
      const start = rowStart;
      const rowEnd = start + Number(group.num_rows);
      const buffers = await reading(
        source,
        () =>
          new Map(columns.map((column) => [column.storedName, new ParquetBuffer(column, source.path, start, rowEnd)])),
      );
      // Told of this row group alone: it looks at all that it is told of.
      await reading(source, () =>
        hyparquet.parquetRead({
          file,
          metadata: { ...stored, num_rows: group.num_rows, row_groups: [group] },
          columns: chosen,
          compressors,
          parsers: TEXT_PARSERS,
          utf8: false,
          onChunk: ({ columnName, columnData, rowStart: from }) =>
            buffers.get(columnName)?.put(columnData, start + from),
        }),
      );
      rowStart = rowEnd;
      if (rowEnd === start) continue;
      yield {
        columns: Array.from(buffers.values(), (buffer) => [buffer.name, buffer.finish()] as const),
        rowsSoFar: rowEnd,
      };
    }
  }
  return { columns, rowCount: Number(metadata.num_rows), batches };
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
