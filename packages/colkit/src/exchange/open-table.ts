// openTable: any file of a table -> a lazy table. Files of these packages are opened as they are; others become a .cna
// file first, in memory or where the caller says, some rows at a time.
import {
  ArgumentError,
  IoError,
  SOURCE_OPTIONS,
  UnsupportedError,
  checkOptions,
  openSource,
  option,
  pickOptions,
} from '@colkit/io';
import type { FileHandle, OpenSourceOptions, Openable, OptionSet, RandomAccessSource, WriteTarget } from '@colkit/io';
import type { Table } from '@colkit/table';
import type { RejectedRow } from '@colkit/table/csv';
import type { ColumnNote, WriteReport } from 'columna';
import { TABLE_FORMATS, formatOf } from '../formats/file-kind.ts';
import type { AnyFormat, TableFormat } from '../formats/file-kind.ts';
import { formatOfBytes } from '../formats/identify.ts';
import { IMPORT_OPTIONS } from './import-options.ts';
import type { ImportJob, ImportOptions, Imported } from './import-options.ts';
import { KeptBytes } from './kept-bytes.ts';
import { readers } from './readers.ts';
import { watchedSource } from './watched-source.ts';

/** As many as the magic of a .cna file. */
const FIRST_BYTES = 4;

export interface ImportProgress {
  /** Rows that were written so far; of CSV and JSON none before all of the file was looked at. */
  readonly rows: number;
  /** Bytes of the file that were read so far. */
  readonly bytes: number;
  readonly totalBytes: number;
}

/** The handle of a file, as browsers have them: of the origin's private files, or one that a user picked. */
export interface ScratchFile extends FileHandle {
  getFile(): Promise<Blob>;
}

export interface OpenTableOptions extends OpenSourceOptions, ImportOptions {
  /** The file's name, where what is given has none: its ending tells CSV from TSV, JSON from JSON lines. */
  readonly name?: string;
  /** What the file is, where its bytes and its name do not say it, or say something else. */
  readonly format?: TableFormat;
  /**
   * Where an imported table's bytes go, a .cna file: the handle of a file in browsers, a path in Node. A .cna file that
   * is there is replaced when the import is done; any other file, such as the one that is opened, is ERR_EXISTS.
   * Default: memory.
   */
  readonly scratch?: ScratchFile | string | URL;
  /** Called while a file is imported. What it throws ends the import. */
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Gives opening and importing up with the signal's reason; nothing is left behind. */
  readonly signal?: AbortSignal;
}

const OPEN_TABLE_OPTIONS: OptionSet<OpenTableOptions> = {
  ...SOURCE_OPTIONS,
  ...IMPORT_OPTIONS,
  name: option.text,
  format: option.word(...TABLE_FORMATS),
  scratch: option.kind(
    'the handle of a file, or a path',
    (value) => typeof value === 'string' || value instanceof URL || isWritable(value),
  ),
  onProgress: option.callback(),
};

function isWritable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'getFile' in value;
}

export interface OpenedTable {
  readonly table: Table;
  /** What the file is. */
  readonly format: TableFormat;
  /** Of the file that was given. */
  readonly byteLength: number;
  /** What became of an imported file; null where it was opened as it is. */
  readonly imported: WriteReport | null;
  /** The .cna file that an import made (a Blob, the scratch file, its path), or what was given. */
  readonly source: Openable;
  /** Columns whose values are not, or not only, what the file says they are. */
  readonly notes: readonly ColumnNote[];
  /** Rows that were left out (`onError: 'skip'`), the first thousand of them, with line and reason. */
  readonly rejected: readonly RejectedRow[];
  readonly rejectedCount: number;
  /** Lets go of the file. What was read stays. */
  close(): void;
}

/**
 * Opens a file of a table as a lazy table: a Blob or File, a URL, bytes, a source, in Node also a path. `.cna` and
 * `.cstore` files are opened as they are, and only what is asked for is read. Parquet, CSV and TSV (also gzip), JSON,
 * JSON lines, Arrow files and streams are read through once and become a compressed .cna file in memory or in
 * `scratch`. Memory: that file, and a row group of each. Parquet needs the optional peers hyparquet and
 * hyparquet-compressors, Arrow apache-arrow.
 * @throws CorruptFileError (ERR_MAGIC for what is no table), UnsupportedError ERR_FEATURE (a .syr file, a missing peer,
 * encryption), ERR_DTYPE; ArgumentError ERR_VALUE naming the line of a row that cannot be taken; UnknownColumnError;
 * IoError; the signal's reason.
 */
export async function openTable(what: Openable, options: OpenTableOptions = {}): Promise<OpenedTable> {
  checkOptions('openTable', OPEN_TABLE_OPTIONS, options);
  const { signal } = options;
  const sourceOptions = pickOptions<OpenSourceOptions>(SOURCE_OPTIONS, options);
  const source = await openSource(what, sourceOptions);
  const close = (): void => {
    if (source !== what) source.close();
  };
  try {
    const found = options.format ?? (await formatOf(source, options.name ?? source.path, signal));
    const format = requireTable(found, source.path);
    const { byteLength } = source;
    if (format !== 'cna' && format !== 'cstore') {
      const made = await importing(source, format, options);
      close();
      return { ...made, format, byteLength };
    }
    // A local file may grow at this moment, and who opens it looks at it once more where that shows.
    const table =
      source.fileId === undefined ? await opened(format, source) : await opened(format, what, sourceOptions);
    const both = (): void => {
      table.close();
      close();
    };
    const chosen = selected(table, options.columns);
    return { table: chosen, format, byteLength, imported: null, source: what, ...NOTHING_TOLD, close: both };
  } catch (error) {
    close();
    // What reads may have taken the end for damage.
    signal?.throwIfAborted();
    throw error;
  }
}

async function opened(format: 'cna' | 'cstore', file: Openable, options: OpenSourceOptions = {}): Promise<Table> {
  const { openColstore, openColumna } = await readers.tables();
  return format === 'cna' ? openColumna(file, options) : openColstore(file, options);
}

function requireTable(format: AnyFormat, path: string): TableFormat {
  if (format !== 'syr') return format;
  throw new UnsupportedError(
    'ERR_FEATURE',
    '.syr',
    `${path}: this is a .syr file, which has items and not rows; open it with the package syrah ` +
      '(open, or SyrahDataset.open)',
  );
}

const NOTHING_TOLD = { notes: [], rejected: [], rejectedCount: 0 } as const;

function selected(table: Table, columns: readonly string[] | undefined): Table {
  return columns === undefined ? table : table.select(columns);
}

async function importing(
  given: RandomAccessSource,
  format: Exclude<TableFormat, 'cna' | 'cstore'>,
  options: OpenTableOptions,
): Promise<Omit<OpenedTable, 'format' | 'byteLength'>> {
  const { scratch, signal } = options;
  if (scratch !== undefined) await requireReplaceable(scratch);
  const memory = scratch === undefined ? new KeptBytes() : null;
  const progress = new Progress(given.byteLength, options.onProgress);
  const watched = await openSource(watchedSource(given, signal, (bytes) => progress.tell({ bytes })));
  const { report, notes, rejected, rejectedCount } = await progress.around(() =>
    imported(format, {
      source: watched,
      target: (scratch ?? memory) as WriteTarget,
      options,
      signal,
      onRows: (rows) => progress.tell({ rows }),
    }),
  );
  const source = memory?.blob() ?? (await fileOf(scratch as ScratchFile | string | URL));
  const table = await opened('cna', memory?.bytes() ?? source);
  const close = (): void => table.close();
  return { table: selected(table, options.columns), imported: report, source, notes, rejected, rejectedCount, close };
}

/** What is told while a file is imported. What the caller's function throws is thrown as it is, by whoever waits. */
class Progress {
  readonly #onProgress: OpenTableOptions['onProgress'];
  #state: ImportProgress;
  #failure: { readonly error: unknown } | null = null;

  constructor(totalBytes: number, onProgress: OpenTableOptions['onProgress']) {
    this.#state = { rows: 0, bytes: 0, totalBytes };
    this.#onProgress = onProgress;
  }

  tell(change: Partial<ImportProgress>): void {
    this.#state = { ...this.#state, ...change };
    try {
      this.#onProgress?.(this.#state);
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
  }

  async around<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.#failure === null ? error : this.#failure.error;
    }
  }
}

async function imported(format: Exclude<TableFormat, 'cna' | 'cstore'>, job: ImportJob): Promise<Imported> {
  switch (format) {
    case 'parquet':
      return (await readers.parquet()).importParquet(job);
    case 'arrow':
      return (await readers.arrow()).importArrow(job);
    case 'csv':
    case 'tsv':
      return (await readers.text()).importCsv(job, format === 'tsv' ? '\t' : ',');
    case 'json':
    case 'jsonl':
      return (await readers.text()).importJson(job);
  }
}

/** A file that no import made is somebody's own. @throws IoError ERR_EXISTS. */
async function requireReplaceable(scratch: ScratchFile | string | URL): Promise<void> {
  let source: RandomAccessSource;
  try {
    source = await openSource(await fileOf(scratch));
  } catch (error) {
    // What is not there is made, or refused, by whoever writes.
    if (error instanceof ArgumentError) throw error;
    return;
  }
  try {
    const bytes = new Uint8Array(Math.min(FIRST_BYTES, source.byteLength));
    await source.read(0, bytes);
    if (bytes.length === 0 || formatOfBytes(bytes) === 'columna') return;
    const found = `scratch has ${String(source.byteLength)} bytes that are no .cna file, and are not replaced`;
    throw new IoError('ERR_EXISTS', 'write', source.path, found);
  } finally {
    source.close();
  }
}

async function fileOf(scratch: ScratchFile | string | URL): Promise<Openable> {
  return typeof scratch === 'string' || scratch instanceof URL ? scratch : scratch.getFile();
}
