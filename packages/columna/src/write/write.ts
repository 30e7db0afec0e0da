// write: columns, rows, records, an Arrow table or a lazy table of any format -> one new .cna file, whole or not at
// all. Row group after row group: of a lazy table, one is held at a time.
import { checkOptions, openFileSink, openFileSinkSync, option } from '@colkit/io';
import type { FileSinkOptions, OptionSet } from '@colkit/io';
import { perform, run, runSync } from '@colkit/io/effects';
import type { Operation, Work } from '@colkit/io/effects';
import { SCHEMA_OPTION, settleInput } from '@colkit/table';
import type { InputColumns, SchemaInput } from '@colkit/table';
import { inputColumns, planColumns, readChunks } from './batch-input.ts';
import type { WriteInput } from './batch-input.ts';
import { encoderValues } from './column-plan.ts';
import type { ColumnPlan } from './column-plan.ts';
import type { EncodedChunk } from './encode-chunk.ts';
import type { RowGroupOptions } from './encode-row-group.ts';
import { NEW_FILE_OPTIONS, NewFile } from './new-file.ts';
import type { NewFileOptions } from './new-file.ts';
import { ON_THIS_THREAD, rowGroupEncoder } from './row-group-encoder.ts';
import type { RowGroupEncoder } from './row-group-encoder.ts';
import { encodingSettings } from './write-options.ts';
import type { WriteReport } from './write-report.ts';

export interface WriteOptions extends NewFileOptions {
  /** Replace an existing file, at the very end and in one step; without it, an existing path throws ERR_EXISTS. */
  readonly overwrite?: boolean;
  /** Fixes names, order and dtypes; values are checked against it. */
  readonly schema?: SchemaInput;
  /**
   * 'full', the default: the file survives a power failure once the call is over. 'none' does not wait for the disk.
   */
  readonly durability?: 'full' | 'none';
  /** In place of the system's files, for tests. */
  readonly operations?: FileSinkOptions['operations'];
  readonly signal?: AbortSignal;
}

export const WRITE_OPTIONS: OptionSet<WriteOptions> = {
  ...NEW_FILE_OPTIONS,
  overwrite: option.flag,
  schema: SCHEMA_OPTION,
  durability: option.word('full', 'none'),
  operations: option.object('file operations'),
  signal: option.signal,
};

/**
 * Writes a file and resolves to what became of it. The destination holds the old file or the new one at every moment;
 * after a failure the old one, and nothing beside it. Memory: the input, and one row group; of a lazy table only the
 * row group.
 * @throws ArgumentError (ragged or repeated columns, values that their dtype cannot hold, a forced encoding that does
 * not apply), UnknownColumnError, UnsupportedError ERR_DTYPE, IoError ERR_EXISTS, ERR_WRITE; what a lazy table throws
 * when it is read.
 */
export async function write(path: string | URL, data: WriteInput, options: WriteOptions = {}): Promise<WriteReport> {
  checkOptions('write', WRITE_OPTIONS, options);
  options.signal?.throwIfAborted();
  const settled = await settleInput(data, options.signal === undefined ? {} : { signal: options.signal });
  const job = new WriteJob(inputColumns(settled, options.schema), options);
  options.signal?.throwIfAborted();
  const sink = await openFileSink(path, sinkOptions(options));
  const rowGroups = job.createEncoder();
  try {
    await run(
      job.pieces(rowGroups, (bytes) => ({ run: () => sink.write(bytes), runSync: () => sink.writeSync(bytes) })),
    );
    await sink.finish();
  } catch (error) {
    await sink.abort();
    throw error;
  } finally {
    await rowGroups.close();
  }
  return job.report(sink.position);
}

/** The Sync twin of `write`. @throws as `write`; UnsupportedError for a lazy table over a URL or Blob. */
export function writeSync(path: string | URL, data: WriteInput, options: WriteOptions = {}): WriteReport {
  checkOptions('writeSync', WRITE_OPTIONS, options);
  const job = new WriteJob(inputColumns(data, options.schema), options);
  options.signal?.throwIfAborted();
  const sink = openFileSinkSync(path, sinkOptions(options));
  try {
    runSync(
      job.pieces(ON_THIS_THREAD, (bytes) => ({ run: () => sink.write(bytes), runSync: () => sink.writeSync(bytes) })),
    );
    sink.finishSync();
  } catch (error) {
    sink.abortSync();
    throw error;
  }
  return job.report(sink.position);
}

/** A row group that is being encoded. */
interface BegunRowGroup {
  readonly result: Operation<EncodedChunk[]>;
  readonly options: RowGroupOptions;
  readonly rowCount: number;
}

/** What both forms of a write share: the plan, the encoder, and what is told of it. */
class WriteJob {
  readonly #input: InputColumns;
  readonly #plans: readonly ColumnPlan[];
  readonly #options: WriteOptions;
  readonly #rowGroupSize: number;
  readonly #file: NewFile;

  constructor(input: InputColumns, options: WriteOptions) {
    this.#input = input;
    this.#options = options;
    this.#plans = planColumns(input);
    this.#file = new NewFile(
      this.#plans.map((plan) => plan.schema),
      input.rowCount,
      options,
    );
    this.#rowGroupSize = encodingSettings(options).rowGroupSize;
  }

  /** Worker threads where they pay. */
  createEncoder(): RowGroupEncoder {
    const { rowCount, columns } = this.#input;
    return rowGroupEncoder(
      Math.ceil(rowCount / this.#rowGroupSize),
      this.#options.mode === 'plain' ? 0 : rowCount * columns.length,
    );
  }

  /** The whole file, row group after row group; some are encoded while others are read and written. */
  *pieces(rowGroups: RowGroupEncoder, write: (bytes: Uint8Array) => Operation<void>): Work<void> {
    const { signal } = this.#options;
    const { rowCount: totalRows } = this.#input;
    const file = this.#file;
    const { encoder } = file;
    const begun: BegunRowGroup[] = [];
    yield* file.start(write);
    for (let start = 0; start < totalRows; start += this.#rowGroupSize) {
      const end = Math.min(totalRows, start + this.#rowGroupSize);
      signal?.throwIfAborted();
      const chunks = yield* readChunks(this.#input, this.#plans, start, end, signal);
      const columns = chunks.map((chunk, column) => encoderValues(encoder.typeOf(column), chunk));
      const options = encoder.optionsFor(columns);
      begun.push({ result: rowGroups.begin(columns, options), options, rowCount: end - start });
      while (begun.length > rowGroups.ahead) yield* finishFirst(file, begun, write);
    }
    while (begun.length > 0) yield* finishFirst(file, begun, write);
    yield* file.end(write);
  }

  report(byteLength: number): WriteReport {
    return this.#file.report(byteLength);
  }
}

function* finishFirst(
  file: NewFile,
  begun: BegunRowGroup[],
  write: (bytes: Uint8Array) => Operation<void>,
): Work<void> {
  const first = begun.shift();
  if (first !== undefined) yield* file.add(yield* perform(first.result), first.options, first.rowCount, write);
}

export function sinkOptions({ overwrite, durability, operations }: WriteOptions): FileSinkOptions {
  return {
    ...(overwrite === undefined ? {} : { overwrite }),
    ...(durability === undefined ? {} : { durability }),
    ...(operations === undefined ? {} : { operations }),
  };
}
