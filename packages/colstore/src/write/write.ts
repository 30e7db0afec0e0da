// write: columns, records, rows, an Arrow table or a lazy table -> one new .cstore file, whole or not at all.
// Everything about the input is checked before the first byte.
import { ArgumentError, checkOptions, filePath, option, optionsNow, targetName } from '@colkit/io';
import type { OptionSet, WriteTarget } from '@colkit/io';
import { writeFile } from '@colkit/io/durable';
import { TURN, contextOf, perform, run, runSync } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { SCHEMA_OPTION, Table, settledInput, toInputColumns } from '@colkit/table';
import type { InputColumns, SchemaInput, TableInput, NamedColumns, NamedValues } from '@colkit/table';
import { infoOf } from '../info.ts';
import type { FileInfo } from '../info.ts';
import type { Statistics } from '../layout/statistics-footer.ts';
import { fillFile } from './filling.ts';
import { layoutOfPlan, planFile } from './plan-file.ts';
import type { FileForm, FilePlan } from './plan-file.ts';
import { streamFile } from './stream-file.ts';
import type { WriteProgress } from './stream-file.ts';

/** A table or view, whatever the compiler knows of its columns. */
export type AnyTable = Pick<Table, 'view'>;
/** Everything that can be written. */
export type WriteInput = TableInput | AnyTable;

export interface WriteOptions {
  /**
   * 'flat': one header, then the columns; Python's colstore 0.1.0 reads it. 'records': what the Python releases 0.4.0
   * to 0.5.1 (today's) read; they cannot read flat files. This package reads both. Default: the form of the .cstore
   * file that a table or view comes from, so that who could read it still can; 'flat' for everything else.
   */
  readonly layout?: FileForm;
  /**
   * Whether the smallest and largest value of each column stand behind the record, as Python's `store(…,
   * statistics=True)` has them: files of many records and of many files are then read where they can match alone.
   * Only files of the layout 'records' have them, which is the default then. Default: false.
   */
  readonly statistics?: boolean;
  /** Replace an existing file, at the very end and in one step; without it, an existing path throws ERR_EXISTS. */
  readonly overwrite?: boolean;
  /** Fixes names, order and dtypes; values are checked against it. */
  readonly schema?: SchemaInput;
  /**
   * Rows read and written at a time. The bytes of the file do not depend on it. Default: as many as make about 8 MiB of
   * a column.
   */
  readonly batchRows?: number;
  /** Called after every piece of about 8 MiB. What it throws stops the write; the old file stays. */
  readonly onProgress?: (progress: WriteProgress) => void;
  /**
   * 'full', the default: the file survives a power failure once the call is over. 'none' does not wait for the disk.
   */
  readonly durability?: 'full' | 'none';
  /** Gives the work up with the signal's reason; no file is left behind. */
  readonly signal?: AbortSignal;
}

export const WRITE_OPTIONS: OptionSet<WriteOptions> = {
  layout: option.word('flat', 'records'),
  statistics: option.flag,
  overwrite: option.flag,
  schema: SCHEMA_OPTION,
  batchRows: option.count('rows', 1),
  onProgress: option.callback(),
  durability: option.word('full', 'none'),
  signal: option.signal,
};

/**
 * Writes a file and resolves to what it says of itself: to a path, into a `MemorySink` (its `bytes()`), or to the
 * handle of a file, as browsers have them. The destination holds the old file or the new one at every moment; after a
 * failure the old one, and nothing beside it. Memory: the input, and one piece of about 8 MiB; of a lazy table only the
 * piece.
 * @throws ArgumentError (ragged or repeated columns, values that their dtype cannot hold, nulls: with column and row),
 * UnsupportedError ERR_DTYPE (variable-width text), IoError ERR_EXISTS, ERR_WRITE; what a lazy table throws when it is
 * read. All but the last two before anything is written.
 */
export async function write<C extends NamedColumns<C>, R extends NamedValues<R>>(
  target: WriteTarget,
  data: WriteInput | C | readonly R[],
  options: WriteOptions = {},
): Promise<FileInfo> {
  checkOptions('write', WRITE_OPTIONS, options);
  return run(writing(target, data, optionsNow(options)), contextOf(options));
}

/** The Sync twin of `write`. @throws as `write`; UnsupportedError for a lazy table over a URL or Blob. */
export function writeSync<C extends NamedColumns<C>, R extends NamedValues<R>>(
  target: WriteTarget,
  data: WriteInput | C | readonly R[],
  options: WriteOptions = {},
): FileInfo {
  checkOptions('writeSync', WRITE_OPTIONS, options);
  return runSync(writing(target, data, options), contextOf(options));
}

function* writing(target: WriteTarget, data: WriteInput, options: WriteOptions): Work<FileInfo> {
  const settled = yield* perform(settledInput(data));
  const { input, plan, info } = prepare(target, settled, options, formOf(data));
  yield TURN;
  if (plan.statisticsOffset === 0) {
    yield* writeFile(target, { ...options, flock: true }, (output) => streamFile(output, plan, input, options));
    return info(null);
  }
  const found: { statistics: Statistics | null } = { statistics: null };
  yield* writeFile(target, { ...options, flock: true }, (output) => fillFile(output, plan, input, options, found));
  return info(found.statistics);
}

interface Prepared {
  readonly input: InputColumns;
  readonly plan: FilePlan;
  /** What a reader will find. */
  readonly info: (statistics: Statistics | null) => FileInfo;
}

function prepare(target: WriteTarget, data: WriteInput, options: WriteOptions, read: FileForm): Prepared {
  const withStatistics = options.statistics === true;
  if (withStatistics && options.layout === 'flat')
    throw new ArgumentError('ERR_ARGUMENT', 'layout', "'records', which has room for statistics", "'flat'");
  const form = options.layout ?? (withStatistics ? 'records' : read);
  const input = toInputColumns(
    isTable(data) ? new Table(data.view) : data,
    options.schema === undefined ? { nulls: 'refuse' } : { nulls: 'refuse', schema: options.schema },
  );
  const plan = planFile(input.fields, input.rowCount, form, withStatistics);
  const layout = layoutOfPlan(plan, targetName(target, filePath));
  return { input, plan, info: (statistics) => infoOf(layout, statistics) };
}

/** Of the file that the data come from: stored tables alone have one. */
function formOf(data: WriteInput): FileForm {
  let source = isTable(data) ? data.view.source : null;
  while (source?.inner !== undefined) source = source.inner;
  return (source as { readonly form?: unknown } | null)?.form === 'records' ? 'records' : 'flat';
}

const isTable = (data: WriteInput): data is AnyTable => data instanceof Table;
