// writeCsv: a CSV file, compressed or not, or a stream -> one new .cna file, in bounded memory, on as many threads as
// there are cores. The file is the same on any number of threads.
import { ArgumentError, checkOptions, omitOptions, optionsNow, pickOptions } from '@colkit/io';
import type { Openable, OptionSet, WriteTarget } from '@colkit/io';
import { writeFile } from '@colkit/io/durable';
import { TURN, contextOf, perform, run } from '@colkit/io/effects';
import type { Operation, Work } from '@colkit/io/effects';
import { CSV_OPTIONS, openCsv } from '@colkit/table/csv';
import type { CsvFile, CsvOptions, RejectedRow } from '@colkit/table/csv';
import { loadDeflating } from '../columns/deflating/deflating.ts';
import { planFields } from './values/column-plan.ts';
import { CsvImport } from './csv/csv-import.ts';
import { csvLanes } from './csv/csv-lanes.ts';
import type { CsvLanes } from './csv/encoding-lane.ts';
import { newFileEncoder } from './file/new-file.ts';
import type { RowGroupWriter } from './stream/row-group-writer.ts';
import { fillWhole } from './stream/whole-file.ts';
import type { WriteOptions } from './write.ts';
import { WRITE_OPTIONS } from './write.ts';
import { encoderOptions, encodingSettings } from './file/write-options.ts';
import type { ColumnNote, WriteReport } from './file/write-report.ts';

/** How the CSV is read, and how the file is written. */
export interface WriteCsvOptions
  extends Omit<CsvOptions, 'text' | 'memoryBytes' | 'signal'>,
    Omit<WriteOptions, 'schema'> {
  /**
   * Most bytes of encoded row groups that are kept until all of the file has been looked at; what lies behind is parsed
   * twice. Default 256 MiB.
   */
  readonly memoryBytes?: number;
}

const READ_OPTIONS: OptionSet<Omit<CsvOptions, 'text'>> = omitOptions(CSV_OPTIONS, 'text');
const WRITE_CSV_OPTIONS: OptionSet<WriteCsvOptions> = { ...READ_OPTIONS, ...omitOptions(WRITE_OPTIONS, 'schema') };

export interface WriteCsvReport extends WriteReport {
  /** Rows that were left out (`onError: 'skip'`), the first thousand of them, with line and reason. */
  readonly rejected: readonly RejectedRow[];
  readonly rejectedCount: number;
  /**
   * What the values do not show: names that the header does not have, times of a given type that had an offset and
   * became UTC.
   */
  readonly notes: readonly ColumnNote[];
}

/**
 * Converts CSV (RFC 4180 and what is usual beside it; gzip, and zstd where the runtime has it) to a .cna file: the old
 * file or the new one at every moment, as with `write`. Empty cells are null. Types are found out from all of the
 * values. From some tens of megabytes on it works on `maxWorkers()` threads. Memory: the values of a row group or two a
 * thread, and `memoryBytes` of encoded ones.
 * @throws what `readCsv` throws (ArgumentError naming the line of a row that cannot be taken, unless `onError: 'skip'`)
 * and what `write` throws.
 */
export async function writeCsv(
  csv: Openable | AsyncIterable<Uint8Array>,
  target: WriteTarget,
  options: WriteCsvOptions = {},
): Promise<WriteCsvReport> {
  checkOptions('writeCsv', WRITE_CSV_OPTIONS, options);
  const asked = optionsNow(options);
  const file = await openCsv(csv, pickOptions<Omit<CsvOptions, 'text'>>(READ_OPTIONS, options));
  try {
    const unnamed = file.plan.columns.find(({ name }) => name === '');
    if (unnamed !== undefined)
      throw new ArgumentError(
        'ERR_SCHEMA',
        'columns',
        'names that are not empty ({ names } gives others)',
        `none for column ${String(unnamed.cell + 1)}`,
      );
    return await importCsv(file, target, asked, csvLanes(file.plan, file.byteLength));
  } finally {
    await file.close();
  }
}

/** `writeCsv` of a file that is open, on lanes that are closed in the end. */
export async function importCsv(
  file: CsvFile,
  target: WriteTarget,
  options: WriteCsvOptions,
  lanes: CsvLanes,
): Promise<WriteCsvReport> {
  try {
    await run(loadDeflating());
    const { rowGroupSize } = encodingSettings(options);
    const rows = new CsvImport(
      file,
      lanes,
      encoderOptions(
        options,
        file.plan.columns.map(({ name }) => name),
      ),
      rowGroupSize,
    );
    const fields = await rows.look(options.signal);
    const plans = planFields(fields);
    const encoder = newFileEncoder(
      plans.map(({ schema }) => schema),
      options,
    );
    const whole = { plans, encoder, rowCount: file.rowCount, options, threads: null };
    const report = await run(
      writeFile(target, options, (output) => fillWhole(output, whole, (writer) => putAll(writer, rows))),
      contextOf({ signal: options.signal }),
    );
    return { ...report, rejected: file.rejected, rejectedCount: file.rejectedCount, notes: file.notes };
  } finally {
    await lanes.close();
  }
}

function* putAll(writer: RowGroupWriter, rows: CsvImport): Work<void> {
  const rowGroups = rows.rowGroups();
  const next = operationOfPromise(() => rowGroups.next());
  for (let step = yield* perform(next); step.done !== true; step = yield* perform(next)) {
    const { chunks, pageRows, rowCount } = step.value;
    yield TURN;
    yield* writer.put(chunks, { pageRows }, rowCount);
  }
}

/** CSV is read by lanes, which have no Sync form. */
function operationOfPromise<T>(begin: () => Promise<T>): Operation<T> {
  const runSync = (): never => {
    throw new Error('CSV is imported asynchronously');
  };
  return { run: begin, runSync };
}
