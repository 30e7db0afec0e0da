// write: columns, rows, records, an Arrow table or a lazy table of any format -> one new .cna file, whole or not at
// all. Row group after row group: of a lazy table, one is held at a time.
import { checkOptions, option } from '@colkit/io';
import type { OptionSet } from '@colkit/io';
import { writeFile } from '@colkit/io/durable';
import type { Output } from '@colkit/io/durable';
import { TURN, contextOf, perform, run, runSync } from '@colkit/io/effects';
import type { Operation, Work } from '@colkit/io/effects';
import { SCHEMA_OPTION, settledInput } from '@colkit/table';
import type { InputColumns, SchemaInput } from '@colkit/table';
import { inputColumns, planColumns, readChunks } from './values/batch-input.ts';
import type { WriteInput } from './values/batch-input.ts';
import { encoderValues } from './values/column-plan.ts';
import type { ColumnPlan } from './values/column-plan.ts';
import type { EncodedChunk } from './encode/encode-chunk.ts';
import type { RowGroupOptions } from './encode/encode-row-group.ts';
import { NEW_FILE_OPTIONS, NewFile } from './file/new-file.ts';
import type { NewFileOptions } from './file/new-file.ts';
import { ON_THIS_THREAD, rowGroupEncoder } from './threads/row-group-encoder.ts';
import type { RowGroupEncoder } from './threads/row-group-encoder.ts';
import { encodingSettings } from './file/write-options.ts';
import type { WriteReport } from './file/write-report.ts';

export interface WriteOptions extends NewFileOptions {
  /** Replace an existing file, at the very end and in one step; without it, an existing path throws ERR_EXISTS. */
  readonly overwrite?: boolean;
  /** Fixes names, order and dtypes; values are checked against it. */
  readonly schema?: SchemaInput;
  /**
   * 'full', the default: the file survives a power failure once the call is over. 'none' does not wait for the disk.
   */
  readonly durability?: 'full' | 'none';
  readonly signal?: AbortSignal;
}

export const WRITE_OPTIONS: OptionSet<WriteOptions> = {
  ...NEW_FILE_OPTIONS,
  overwrite: option.flag,
  schema: SCHEMA_OPTION,
  durability: option.word('full', 'none'),
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
  return run(writing(path, data, options), contextOf(options));
}

/** The Sync twin of `write`. @throws as `write`; UnsupportedError for a lazy table over a URL or Blob. */
export function writeSync(path: string | URL, data: WriteInput, options: WriteOptions = {}): WriteReport {
  checkOptions('writeSync', WRITE_OPTIONS, options);
  return runSync(writing(path, data, options), contextOf(options));
}

function* writing(path: string | URL, data: WriteInput, options: WriteOptions): Work<WriteReport> {
  const settled = yield* perform(settledInput(data));
  const job = new WriteJob(inputColumns(settled, options.schema), options);
  yield TURN;
  return yield* writeFile(path, options, (output) => job.fill(output));
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

  /** The whole file, row group after row group; some are encoded while others are read and written. */
  *fill(output: Output): Work<WriteReport> {
    const { rowCount } = this.#input;
    const encoder = yield* perform(this.#createEncoder());
    const begun: BegunRowGroup[] = [];
    try {
      yield* this.#file.start(output);
      for (let start = 0; start < rowCount; start += this.#rowGroupSize) {
        begun.push(yield* this.#begin(encoder, start, Math.min(rowCount, start + this.#rowGroupSize)));
        while (begun.length > encoder.ahead) yield* this.#finish(begun.shift(), output);
      }
      while (begun.length > 0) yield* this.#finish(begun.shift(), output);
      yield* this.#file.end(output);
      return this.#file.report(output.position);
    } finally {
      yield* perform({ run: () => encoder.close(), runSync: () => undefined });
    }
  }

  /** Worker threads where they pay, and somebody may be waiting for this one. */
  #createEncoder(): Operation<RowGroupEncoder> {
    const { rowCount, columns } = this.#input;
    const values = this.#options.mode === 'plain' ? 0 : rowCount * columns.length;
    const rowGroups = Math.ceil(rowCount / this.#rowGroupSize);
    return { run: () => Promise.resolve(rowGroupEncoder(rowGroups, values)), runSync: () => ON_THIS_THREAD };
  }

  *#begin(rowGroups: RowGroupEncoder, start: number, end: number): Work<BegunRowGroup> {
    yield TURN;
    const { encoder } = this.#file;
    const chunks = yield* readChunks(this.#input, this.#plans, start, end);
    const columns = chunks.map((chunk, column) => encoderValues(encoder.typeOf(column), chunk));
    const options = encoder.optionsFor(columns);
    return { result: rowGroups.begin(columns, options), options, rowCount: end - start };
  }

  *#finish(first: BegunRowGroup | undefined, output: Output): Work<void> {
    if (first === undefined) return;
    yield* this.#file.add(yield* perform(first.result), first.options, first.rowCount, output);
  }
}
