// What can be said of a file that is imported into a table, whatever its format.
import { option } from '@colkit/io';
import type { OptionSet, RandomAccessSource, WriteTarget } from '@colkit/io';
import type { CsvOptions, RejectedRow } from '@colkit/table/csv';
import type { ColumnNote, WriteMode, WriteReport } from 'columna';

export interface ImportOptions extends Pick<CsvOptions, 'separator' | 'quote' | 'header' | 'names' | 'nullWords'> {
  /**
   * Of JSON: see `readJson`. Of Parquet and Arrow 'text' makes a text of JSON of each list, struct and map: integers
   * that a number does not hold, bytes (base64) and moments are texts in it; without it they are an error.
   */
  readonly nested?: 'refuse' | 'single' | 'text';
  /**
   * Which columns, in which order; default: all. The others are not looked at, whatever their type (of CSV but for what
   * tells cells and rows apart).
   */
  readonly columns?: readonly string[];
  /** Of CSV and JSON: the dtypes of some columns, as of `readCsv` and `readJson`; the others are found out. */
  readonly types?: Exclude<CsvOptions['types'], undefined>;
  /**
   * Of CSV and JSON: what happens at a row that cannot be taken: 'stop', the default, throws; 'skip' leaves it out and
   * tells.
   */
  readonly onError?: 'stop' | 'skip';
  /** How hard imported values are compressed: as of `write` of columna. */
  readonly mode?: WriteMode;
}

export const IMPORT_OPTIONS: OptionSet<ImportOptions> = {
  separator: option.text,
  quote: option.kind('a text, or null for none', (value) => value === null || typeof value === 'string'),
  header: option.flag,
  names: option.names,
  nullWords: option.names,
  nested: option.word('refuse', 'single', 'text'),
  columns: option.names,
  types: option.byName('an object or a Map of dtypes by column'),
  onError: option.word('stop', 'skip'),
  mode: option.word('default', 'fast', 'smallest', 'plain'),
};

/** One import: from where, to where. */
export interface ImportJob {
  readonly source: RandomAccessSource;
  readonly target: WriteTarget;
  readonly options: ImportOptions;
  readonly signal: AbortSignal | undefined;
  readonly onRows: (rows: number) => void;
}

export interface Imported {
  readonly report: WriteReport;
  readonly notes: readonly ColumnNote[];
  readonly rejected: readonly RejectedRow[];
  readonly rejectedCount: number;
}

/** What every import says to the writer. */
export function writingOf({ options, signal, onRows }: ImportJob): {
  readonly overwrite: true;
  readonly mode?: WriteMode;
  readonly signal?: AbortSignal;
  readonly onProgress: (progress: { readonly writtenRows: number }) => void;
} {
  return {
    overwrite: true,
    ...(options.mode === undefined ? {} : { mode: options.mode }),
    ...(signal === undefined ? {} : { signal }),
    onProgress: ({ writtenRows }) => onRows(writtenRows),
  };
}
