// writeTable: a lazy table of any format -> a file of any format, some rows at a time, to wherever a file can go.
import { ArgumentError, checkOptions, describeValue, option } from '@colkit/io';
import type { OptionSet, WriteTarget } from '@colkit/io';
import { Table, describeNoTable } from '@colkit/table';
import type { AnyTable, ColumnNote, WriteMode } from 'columna';
import { TABLE_FORMATS } from '../formats/file-kind.ts';
import type { TableFormat } from '../formats/file-kind.ts';
import { fillTarget } from '../tables/open-target.ts';
import type { OpenTarget } from '../tables/open-target.ts';
import { KeptBytes } from './kept-bytes.ts';
import { sinkOf } from './stream-sink.ts';
import type { ByteStream } from './stream-sink.ts';
import { writers } from './writers.ts';

export interface WriteTableOptions {
  /** Replace what is there, at the very end; without it ERR_EXISTS. */
  readonly overwrite?: boolean;
  /** Of a .cna file: how hard values are compressed, as of `write` of columna. */
  readonly mode?: WriteMode;
  /** Called while the file is written, with the rows so far. What it throws ends the writing. */
  readonly onProgress?: (progress: { readonly rows: number; readonly totalRows: number }) => void;
  /** Gives the work up with the signal's reason; no file is left behind. */
  readonly signal?: AbortSignal;
}

const WRITE_TABLE_OPTIONS: OptionSet<WriteTableOptions> = {
  overwrite: option.flag,
  mode: option.word('default', 'fast', 'smallest', 'plain'),
  onProgress: option.callback(),
  signal: option.signal,
};

export interface WriteTableReport {
  readonly rowCount: number;
  readonly byteLength: number;
  /** What became of values that the format cannot hold as they were. */
  readonly notes: readonly ColumnNote[];
}

const TYPES: Readonly<Record<TableFormat, string>> = {
  cna: 'application/octet-stream',
  cstore: 'application/octet-stream',
  parquet: 'application/vnd.apache.parquet',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  json: 'application/json',
  jsonl: 'application/jsonl',
  arrow: 'application/vnd.apache.arrow.file',
};

/**
 * Writes a table, or a view of one, as a file of another format: to the handle of a file, a WritableStream, a sink, in
 * Node also a path; without a target it gives a Blob. Memory: some rows at a time, and the Blob. Text of any length
 * becomes text of a fixed width in `.cstore` (in `notes`; one pass more), and a null time NaT. Parquet needs the
 * optional peer hyparquet-writer, Arrow apache-arrow.
 * @throws UnsupportedError ERR_FEATURE (a missing peer), ERR_DTYPE for a column that the format has no type for;
 * IoError ERR_EXISTS, ERR_WRITE; what reading throws; the signal's reason.
 */
export async function writeTable(
  table: AnyTable,
  format: TableFormat,
  target?: undefined,
  options?: WriteTableOptions,
): Promise<Blob>;
export async function writeTable(
  table: AnyTable,
  format: TableFormat,
  target: WriteTarget | ByteStream,
  options?: WriteTableOptions,
): Promise<WriteTableReport>;
export async function writeTable(
  table: AnyTable,
  format: TableFormat,
  target?: WriteTarget | ByteStream,
  options: WriteTableOptions = {},
): Promise<Blob | WriteTableReport> {
  checkOptions('writeTable', WRITE_TABLE_OPTIONS, options);
  if (!(table instanceof Table)) throw new ArgumentError('ERR_ARGUMENT', 'table', 'a table', describeNoTable(table));
  if (!TABLE_FORMATS.includes(format))
    throw new ArgumentError('ERR_ARGUMENT', 'format', `one of ${TABLE_FORMATS.join(', ')}`, describeValue(format));
  const { signal } = options;
  signal?.throwIfAborted();
  const kept = target === undefined ? new KeptBytes() : null;
  try {
    // Predicates are looked at once.
    const settled = await new Table(table.view).resolve();
    const job = {
      table: settled,
      totalRows: await settled.count(),
      target: kept ?? sinkOf(target as WriteTarget),
      options,
    };
    const report = await written(job, format);
    return kept?.blob(TYPES[format]) ?? report;
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

interface WriteJob {
  readonly table: Table;
  readonly totalRows: number;
  readonly target: WriteTarget;
  readonly options: WriteTableOptions;
}

async function written(job: WriteJob, format: TableFormat): Promise<WriteTableReport> {
  const { table, target, totalRows, options } = job;
  const { overwrite = false, signal } = options;
  const onRows = (rows: number): void => {
    signal?.throwIfAborted();
    options.onProgress?.({ rows, totalRows });
  };
  const given = { overwrite, ...(signal === undefined ? {} : { signal }) };
  const text = async (put: (output: OpenTarget) => Promise<number>): Promise<WriteTableReport> =>
    fillTarget(target, overwrite, async (output) => ({ rowCount: await put(output), notes: [] }));
  switch (format) {
    case 'cna': {
      const { writeColumna } = await writers.tables();
      const mode = options.mode === undefined ? {} : { mode: options.mode };
      const { rowCount, byteLength } = await writeColumna(target, table, {
        ...given,
        ...mode,
        onProgress: ({ writtenRows }) => onRows(writtenRows),
      });
      return { rowCount, byteLength, notes: [] };
    }
    case 'cstore':
      return colstoreFile(job, given, onRows);
    case 'parquet': {
      const { toParquet } = await writers.parquet();
      return { ...(await toParquet(table, target, { overwrite, onProgress: ({ rows }) => onRows(rows) })), notes: [] };
    }
    case 'arrow': {
      const { toArrowBatches } = await writers.arrow();
      return text((output) => toArrowBatches(table, output, 'file', onRows));
    }
    case 'csv':
    case 'tsv': {
      const { toCsv } = await writers.csv();
      const separator = format === 'tsv' ? '\t' : ',';
      return text((output) => toCsv(table, output, { separator, onRows }));
    }
    case 'json':
    case 'jsonl': {
      const { toJson } = await writers.json();
      const form = format === 'json' ? 'list' : 'lines';
      return text((output) => toJson(table, output, { form, onRows }));
    }
  }
}

/** Text of any length becomes text of a fixed width, and times that are null NaT. */
async function colstoreFile(
  { table, totalRows, target }: WriteJob,
  given: { readonly overwrite: boolean; readonly signal?: AbortSignal },
  onRows: (rows: number) => void,
): Promise<WriteTableReport> {
  const { READ_ONLY, editTable, fixedTextTypes, missingTimes, writeColstore } = await writers.colstore();
  const types = await fixedTextTypes(table);
  const whole = missingTimes(table);
  const fixed = types.size === 0 ? whole.table : editTable(whole.table, READ_ONLY).cast(types).table;
  const { rowCount, byteLength } = await writeColstore(target, fixed, {
    ...given,
    onProgress: ({ writtenBytes, totalBytes }) => onRows(Math.floor((totalRows * writtenBytes) / totalBytes)),
  });
  return {
    rowCount,
    byteLength,
    notes: [
      ...Array.from(types, ([column, dtype]) => ({ column, note: `text became ${dtype}` })),
      ...whole.filled().map((column) => ({ column, note: 'nulls became NaT' })),
    ],
  };
}
