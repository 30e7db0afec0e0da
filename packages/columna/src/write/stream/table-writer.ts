// Rows in, batch after batch, into a file that grows row group by row group. A footer after a row group is a
// checkpoint: everything before it is a complete file, whatever happens next. Calls may overlap: they take effect in
// the order in which they were made.
import { ArgumentError, ClosedError } from '@colkit/io';
import { perform } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { Broken, WriterCalls, breaking } from '@colkit/io/durable';
import type { GrowingFile } from '@colkit/io/durable';
import { settledInput } from '@colkit/table';
import type { InputColumns, SchemaInput, NamedColumns, NamedValues } from '@colkit/table';
import { hasPredicate, inputColumns, planColumns, schemaOfInput } from '../values/batch-input.ts';
import type { WriteInput } from '../values/batch-input.ts';
import type { ColumnPlan } from '../values/column-plan.ts';
import type { FileEncoder } from '../file/file-encoder.ts';
import { groupThreads } from '../threads/row-group-encoder.ts';
import { allowNulls } from './batches.ts';
import { mergeTail } from './merge-tail.ts';
import { RowGroupWriter } from './row-group-writer.ts';
import type { RowGroupReport, WriteReport } from '../file/write-report.ts';

/** What `recover` and `append` keep from now on, whatever happens. */
export interface Checkpoint {
  readonly rowCount: number;
  readonly byteLength: number;
}

/** The columns of a file, and what brings values into them. */
export interface WriterColumns {
  readonly schema: SchemaInput;
  readonly plans: readonly ColumnPlan[];
  readonly encoder: FileEncoder;
}

export interface WriterParts {
  readonly path: string;
  readonly file: GrowingFile;
  /** What the rows are checked against; null: the first batch says it. */
  readonly columns: WriterColumns | null;
  readonly rowGroupSize: number;
  /** Whether footers are written by themselves now and then. */
  readonly checkpoints: boolean;
  /** Makes the encoder once the columns are known. */
  readonly startEncoder: (plans: readonly ColumnPlan[]) => FileEncoder;
  /** What the file holds already; null for a new one. */
  readonly before: Checkpoint | null;
  readonly onRowGroup: ((report: RowGroupReport) => void) | undefined;
  readonly onCheckpoint: ((checkpoint: Checkpoint) => void) | undefined;
  /** Gives the finished, closed file its name. */
  readonly finish: () => Work<void>;
  /**
   * Undoes what is not to stay: `kept` is the last checkpoint, null where there is none. The file is still open, and
   * closed by it.
   */
  readonly discard: (kept: Checkpoint | null, reason: 'abort' | 'failure') => Work<void>;
}

/**
 * A checkpoint by itself after so many times the bytes of a footer: footers take at most a sixty-fourth of the file.
 */
const BYTES_PER_FOOTER_BYTE = 64;

export class ColumnaWriter {
  readonly path: string;
  readonly #parts: WriterParts;
  readonly #calls: WriterCalls;
  #columns: WriterColumns | null;
  #rows: RowGroupWriter | null = null;
  readonly #threads = groupThreads();
  #checkpoint: Checkpoint | null;
  #footerBytes = 0;
  #rowCount: number;
  /** Batches that are checked in their turn. */
  #unlooked = 0;

  /** Made by `create` and `appender`. */
  constructor(parts: WriterParts) {
    this.path = parts.path;
    this.#parts = parts;
    this.#columns = parts.columns;
    this.#rowCount = parts.before?.rowCount ?? 0;
    this.#checkpoint = parts.before;
    const lacking = parts.before === null ? 'was not written' : 'lacks the rows after its last checkpoint';
    this.#calls = new WriterCalls(this, {
      path: parts.path,
      leak: {
        message: `${parts.path} ${lacking}: its writer was never closed`,
        type: 'ColumnaWriterLeak',
        detail: 'call close(), or declare the writer with "await using"; recover() keeps what was checkpointed',
      },
      giveUp: () => this.#discard('failure'),
    });
  }

  /** Rows accepted so far, with those of the file that is appended to. */
  get rowCount(): number {
    return this.#rowCount;
  }

  /** What survives the death of this process; null before the first checkpoint of a new file. */
  get lastCheckpoint(): Checkpoint | null {
    return this.#checkpoint;
  }

  get closed(): boolean {
    return this.#calls.closed;
  }

  /**
   * Adds rows: columns, row objects, records, an Arrow table or a lazy table. Resolves when they are copied or written,
   * which waits while the disk is behind; until then the arrays must not change. A refused batch leaves nothing, unless
   * it is a lazy table that fails half-way: then the writer fails with it.
   * @throws ArgumentError for names, types or values that are not as the schema or the first batch say; IoError;
   * ClosedError.
   */
  async write<C extends NamedColumns<C>, R extends NamedValues<R>>(data: WriteInput | C | readonly R[]): Promise<void> {
    this.#calls.requireOpen('write');
    if (hasPredicate(data) || this.#unlooked > 0) return this.#writeLater(data);
    const input = this.#take(data);
    await this.#calls.run(() => this.#add(input));
  }

  /**
   * A batch whose rows a predicate decides, or one behind it, is checked in its turn: an earlier batch says what the
   * columns are.
   */
  async #writeLater(data: WriteInput): Promise<void> {
    this.#unlooked += 1;
    try {
      await this.#calls.run(() => this.#addLater(data));
    } finally {
      this.#unlooked -= 1;
    }
  }

  *#addLater(data: WriteInput): Work<void> {
    yield* this.#add(this.#take(yield* perform(settledInput(data))));
  }

  writeSync<C extends NamedColumns<C>, R extends NamedValues<R>>(data: WriteInput | C | readonly R[]): void {
    this.#calls.requireOpen('writeSync');
    this.#calls.requireIdle('writeSync');
    const input = this.#take(data);
    this.#calls.runSync('writeSync', () => this.#add(input));
  }

  /**
   * Writes all rows so far, and a footer: when it resolves, they are kept whatever happens (with durability 'full' also
   * after a power failure). Ends the row group; small ones at the end of the file become one with it.
   */
  async checkpoint(): Promise<Checkpoint | null> {
    this.#calls.requireOpen('checkpoint');
    await this.#calls.run(() => breaking(this.#flushAll()));
    return this.#checkpoint;
  }

  checkpointSync(): Checkpoint | null {
    this.#calls.requireOpen('checkpointSync');
    this.#calls.runSync('checkpointSync', () => breaking(this.#flushAll()));
    return this.#checkpoint;
  }

  /**
   * Writes what is left and the footer; a new file then gets its name. A second call does nothing.
   * @throws ArgumentError ERR_SCHEMA where neither a schema nor a batch said what the columns are.
   */
  async close(): Promise<WriteReport> {
    // A lazy table that is looked at may be what says the columns.
    if (this.#columns === null) await this.#calls.settled();
    this.#requireColumns();
    await this.#calls.close(() => this.#finish());
    return this.#summary();
  }

  closeSync(): WriteReport {
    this.#requireColumns();
    this.#calls.closeSync('closeSync', () => this.#finish());
    return this.#summary();
  }

  /**
   * Gives up: of a new file nothing is left, of one that is appended to everything up to the last checkpoint. Does
   * nothing after `close` or a failure.
   */
  abort(): Promise<void> {
    return this.#calls.abort(() => this.#discard('abort'));
  }

  abortSync(): void {
    this.#calls.abortSync('abortSync', () => this.#discard('abort'));
  }

  [Symbol.dispose](): void {
    if (this.#calls.failure === null) this.closeSync();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#calls.failure === null) await this.close();
  }

  #requireColumns(): void {
    if (this.#calls.closed) return;
    this.#calls.requireWorking();
    if (this.#columns === null)
      throw new ArgumentError(
        'ERR_SCHEMA',
        'columns',
        'a schema, or rows that say what the columns are, before close() (or abort())',
        'none',
      );
  }

  /**
   * Checks a batch, at the call unless it has to be looked at first; what it says of the columns holds from then on.
   */
  #take(data: WriteInput): InputColumns {
    const input = inputColumns(data, this.#columns?.schema);
    const columns = this.#columns ?? this.#columnsOf(input);
    allowNulls(input, columns.schema, columns.encoder);
    this.#columns = columns;
    this.#rowCount += input.rowCount;
    return input;
  }

  #columnsOf(input: InputColumns): WriterColumns {
    const plans = planColumns(input);
    return { schema: schemaOfInput(input), plans, encoder: this.#parts.startEncoder(plans) };
  }

  *#add(input: InputColumns): Work<void> {
    const rows = this.#writer();
    const before = rows?.taken;
    try {
      if (rows !== null) yield* rows.add(input, false);
    } catch (error) {
      // A lazy table failed when part of it had been taken, or the file did.
      if (rows?.taken !== before) throw error instanceof Broken ? error : new Broken(error);
      this.#rowCount -= input.rowCount;
      throw error;
    }
  }

  /** Null as long as it is not known what the columns are. */
  #writer(): RowGroupWriter | null {
    const { rowGroupSize, file, onRowGroup, checkpoints } = this.#parts;
    if (this.#rows !== null || this.#columns === null) return this.#rows;
    const { plans, encoder } = this.#columns;
    return (this.#rows = new RowGroupWriter({
      plans,
      encoder,
      rowGroupSize,
      threads: this.#threads,
      file,
      write: (bytes) => file.append([bytes]),
      onRowGroup,
      ...(checkpoints ? { written: () => this.#checkpointNowAndThen() } : {}),
    }));
  }

  *#checkpointNowAndThen(): Work<void> {
    const since = this.#parts.file.position - (this.#checkpoint?.byteLength ?? 0);
    if (since >= BYTES_PER_FOOTER_BYTE * this.#footerBytes) yield* this.#writeFooter();
  }

  *#flushAll(): Work<void> {
    const rows = this.#writer();
    const columns = this.#columns;
    if (rows === null || columns === null) return;
    const { file, rowGroupSize } = this.#parts;
    const isWhole = this.#checkpoint?.byteLength === file.position;
    if (isWhole) yield* mergeTail(rows, { ...columns, path: file.path, rowGroupSize });
    yield* rows.flush();
    if (this.#checkpoint?.byteLength !== this.#parts.file.position) yield* this.#writeFooter();
  }

  *#writeFooter(): Work<void> {
    const { file } = this.#parts;
    const [rows, columns] = [this.#rows, this.#columns];
    if (rows === null || columns === null) return;
    yield* perform(file.barrier());
    this.#footerBytes = yield* rows.footer();
    yield* perform(file.barrier());
    this.#checkpoint = { rowCount: columns.encoder.rowCount, byteLength: file.position };
    this.#parts.onCheckpoint?.(this.#checkpoint);
  }

  *#finish(): Work<void> {
    yield* breaking(this.#flushAll());
    this.#threads.giveUp();
    yield* breaking(this.#parts.finish());
  }

  #summary(): WriteReport {
    const rows = this.#writer();
    this.#calls.requireWorking();
    if (rows === null) throw new ClosedError('close', this.path);
    return rows.report();
  }

  *#discard(reason: 'abort' | 'failure'): Work<void> {
    this.#threads.giveUp();
    yield* this.#parts.discard(this.#checkpoint, reason);
  }
}
