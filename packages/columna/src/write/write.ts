// write: columns, rows, records, an Arrow table or a lazy table of any format -> one new .cna file, whole or not at all. Row group after row group: of a lazy table, one is held at a time.
import { openFileSink, openFileSinkSync } from '@colkit/io';
import type { FileSinkOptions } from '@colkit/io';
import { settleInput } from '@colkit/table';
import type { InputColumns, SchemaInput } from '@colkit/table';
import { encodeSchema } from '../layout/schema.ts';
import type { FileSchema } from '../layout/schema.ts';
import { perform, runActions, runActionsSync } from './actions.ts';
import type { Action, Actions } from './actions.ts';
import { inputColumns, planColumns, readChunks } from './batch-input.ts';
import type { WriteInput } from './batch-input.ts';
import { encoderValues } from './column-plan.ts';
import type { ColumnPlan } from './column-plan.ts';
import { FileEncoder } from './file-encoder.ts';
import { CREATED_BY, metadataOf } from './file-metadata.ts';
import type { EncodedChunk } from './encode-chunk.ts';
import type { RowGroupOptions } from './encode-row-group.ts';
import { joined } from './growing-file.ts';
import { ON_THIS_THREAD, rowGroupEncoder } from './row-group-encoder.ts';
import type { RowGroupEncoder } from './row-group-encoder.ts';
import { checkOptions, encoderOptions } from './write-options.ts';
import type { EncodingOptions } from './write-options.ts';
import { ReportBuilder } from './write-report.ts';
import type { RowGroupReport, WriteReport } from './write-report.ts';

export interface WriteProgress {
  readonly writtenRows: number;
  readonly totalRows: number;
  readonly writtenBytes: number;
}

export interface WriteOptions extends EncodingOptions {
  /** Replace an existing file, at the very end and in one step; without it, an existing path throws ERR_EXISTS. */
  readonly overwrite?: boolean;
  /** Fixes names, order and dtypes; values are checked against it. */
  readonly schema?: SchemaInput;
  /** Free text that is kept in the file, by key. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** 'full', the default: the file survives a power failure once the call is over. 'none' does not wait for the disk. */
  readonly durability?: 'full' | 'none';
  /** Called after every row group. What it throws stops the write; the old file stays. */
  readonly onProgress?: (progress: WriteProgress) => void;
  /** Called with every row group: which encoding each page got, and the sizes of those that lost. */
  readonly onRowGroup?: (report: RowGroupReport) => void;
  /** In place of the system's files, for tests. */
  readonly operations?: FileSinkOptions['operations'];
  readonly signal?: AbortSignal;
}

/**
 * Writes a file and resolves to what became of it. The destination holds the old file or the new one at every moment; after a failure the old one, and nothing beside it.
 * Memory: the input, and one row group; of a lazy table only the row group.
 * @throws ArgumentError (ragged or repeated columns, values that their dtype cannot hold, a forced encoding that does not apply), UnknownColumnError, UnsupportedError ERR_DTYPE, IoError
 * ERR_EXISTS, ERR_WRITE; what a lazy table throws when it is read.
 */
export async function write(path: string | URL, data: WriteInput, options: WriteOptions = {}): Promise<WriteReport> {
  options.signal?.throwIfAborted();
  const settled = await settleInput(data, options.signal === undefined ? {} : { signal: options.signal });
  const job = new WriteJob(inputColumns(settled, options.schema), options);
  options.signal?.throwIfAborted();
  const sink = await openFileSink(path, sinkOptions(options));
  const rowGroups = job.createEncoder();
  try {
    await runActions(job.pieces(rowGroups, (bytes) => ({ run: () => sink.write(bytes), runSync: () => sink.writeSync(bytes) })));
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
  const job = new WriteJob(inputColumns(data, options.schema), options);
  options.signal?.throwIfAborted();
  const sink = openFileSinkSync(path, sinkOptions(options));
  try {
    runActionsSync(job.pieces(ON_THIS_THREAD, (bytes) => ({ run: () => sink.write(bytes), runSync: () => sink.writeSync(bytes) })));
    sink.finishSync();
  } catch (error) {
    sink.abortSync();
    throw error;
  }
  return job.report(sink.position);
}

/** A row group that is being encoded. */
interface BegunRowGroup {
  readonly result: Action<EncodedChunk[]>;
  readonly options: RowGroupOptions;
  readonly rowCount: number;
  /** Rows of the table up to its end. */
  readonly end: number;
}

/** What both forms of a write share: the plan, the encoder, and what is told of it. */
class WriteJob {
  readonly #input: InputColumns;
  readonly #encoder: FileEncoder;
  readonly #plans: readonly ColumnPlan[];
  readonly #options: WriteOptions;
  readonly #report: ReportBuilder;
  readonly #rowGroupSize: number;

  constructor(input: InputColumns, options: WriteOptions) {
    this.#input = input;
    this.#options = options;
    this.#plans = planColumns(input);
    const schema: FileSchema = { columns: this.#plans.map((plan) => plan.schema), metadata: metadataOf(options.metadata), createdBy: CREATED_BY };
    // Names are looked at before anything is written.
    encodeSchema(schema);
    this.#rowGroupSize = checkOptions(options).rowGroupSize;
    this.#encoder = new FileEncoder(schema, encoderOptions(options, input.fields.map(({ name }) => name)));
    this.#report = new ReportBuilder(schema);
  }

  /** Worker threads where they pay. */
  createEncoder(): RowGroupEncoder {
    const { rowCount, columns } = this.#input;
    return rowGroupEncoder(Math.ceil(rowCount / this.#rowGroupSize), this.#options.mode === 'plain' ? 0 : rowCount * columns.length);
  }

  /** The whole file, row group after row group; some are encoded while others are read and written. */
  *pieces(rowGroups: RowGroupEncoder, write: (bytes: Uint8Array) => Action<void>): Actions {
    const { signal, onRowGroup, onProgress } = this.#options;
    const { rowCount: totalRows } = this.#input;
    const encoder = this.#encoder;
    const begun: BegunRowGroup[] = [];
    let writtenBytes = 0;
    const put = function* (parts: readonly Uint8Array[]): Actions {
      for (const bytes of joined(parts)) {
        yield* perform(write(bytes));
        writtenBytes += bytes.length;
      }
    };
    const finishFirst = function* (report: ReportBuilder): Actions {
      const first = begun.shift();
      if (first === undefined) return;
      const { result, options, end, rowCount } = first;
      const rowGroup = encoder.rowGroupCount;
      const { parts, reports } = encoder.add(yield* perform(result), rowCount, options);
      report.add(reports);
      onRowGroup?.({ rowGroup, rowCount, byteLength: parts.reduce((sum, part) => sum + part.length, 0), chunks: reports });
      yield* put(parts);
      onProgress?.({ writtenRows: end, totalRows, writtenBytes });
    };
    yield* put([encoder.start()]);
    for (let start = 0; start < totalRows; start += this.#rowGroupSize) {
      const end = Math.min(totalRows, start + this.#rowGroupSize);
      signal?.throwIfAborted();
      const chunks = yield* readChunks(this.#input, this.#plans, start, end, signal);
      const columns = chunks.map((chunk, column) => encoderValues(encoder.typeOf(column), chunk));
      const options = encoder.optionsFor(columns);
      begun.push({ result: rowGroups.begin(columns, options), options, end, rowCount: end - start });
      while (begun.length > rowGroups.ahead) yield* finishFirst(this.#report);
    }
    while (begun.length > 0) yield* finishFirst(this.#report);
    yield* put([encoder.footer()]);
  }

  report(byteLength: number): WriteReport {
    return this.#report.report(byteLength, this.#encoder.rowCount, this.#encoder.rowGroupCount);
  }
}

function sinkOptions({ overwrite, durability, operations }: WriteOptions): FileSinkOptions {
  return { ...(overwrite === undefined ? {} : { overwrite }), ...(durability === undefined ? {} : { durability }), ...(operations === undefined ? {} : { operations }) };
}
