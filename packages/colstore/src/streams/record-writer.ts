// Records in, one for each call, into a file of records that grows. What was written counts once the counters at its
// start say so: data and footer, a sync, the counters, a sync. Until then readers see what was there before, and what
// is behind it is cut by the next writer.
import { ArgumentError } from '@colkit/io';
import { Broken, WriterCalls, breaking } from '@colkit/io/durable';
import type { GrowingFile } from '@colkit/io/durable';
import { TURN, WorkContext, perform } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { settledInput } from '@colkit/table';
import type { InputColumn, InputColumns, NamedColumns, NamedValues } from '@colkit/table';
import { COUNTERS_OFFSET } from '../layout/constants.ts';
import { formatCounters } from '../layout/counters.ts';
import type { StoredColumn } from '../layout/manifest.ts';
import { formatRecordHeader, recordPadding } from '../layout/records.ts';
import { formatRecordsHeader, storedColumns } from '../write/plan-file.ts';
import { itemsOf, readRows } from '../write/stream-file.ts';
import type { WriteInput } from '../write/write.ts';
import { FooterBuilder } from '../write/footer-builder.ts';
import { RecordBuffer } from './record-buffer.ts';
import { hasPredicate, isLazy, isNothing, recordInput } from './record-input.ts';

/** Of reads that wait for nothing. */
const AT_HAND = new WorkContext();

/** What survives the death of this process, and (with durability 'full') a power failure. */
export interface Checkpoint {
  readonly rowCount: number;
  readonly recordCount: number;
  /** Of the file. */
  readonly byteLength: number;
}

/** A checkpoint as the writer needs it. */
export interface Committed extends Checkpoint {
  /** Where the last record ends, and the next one goes. */
  readonly dataEnd: number;
  /** The footer behind it. */
  readonly footer: Uint8Array | null;
}

export interface WriterParts {
  /** As the caller named it. */
  readonly path: string;
  readonly file: GrowingFile;
  /** Null: the first record says it. */
  readonly columns: readonly StoredColumn[] | null;
  /** What the file holds already; null for a new one. */
  readonly before: Committed | null;
  /** Whether a footer is written; and what the one that was there says. */
  readonly statistics: ((columns: readonly StoredColumn[]) => FooterBuilder) | null;
  /** Gives a file with its first rows its name. */
  readonly publish: () => Work<void>;
  /** Ends it all; the file has its name, or nothing was written. */
  readonly finish: (isPublished: boolean) => Work<void>;
  /** After a failure, or in place of `finish`: closes, and takes away what is not to stay. Never throws. */
  readonly discard: (kept: Committed | null, isPublished: boolean) => Work<void>;
}

/** Most bytes of a column that are held at a time. */
const PIECE_BYTES = 8 * 1024 * 1024;

export class ColStoreWriter {
  readonly path: string;
  readonly #parts: WriterParts;
  readonly #calls: WriterCalls;
  readonly #buffer: RecordBuffer;
  #columns: readonly StoredColumn[] | null;
  #footer: FooterBuilder | null = null;
  #committed: Committed | null;
  #isPublished: boolean;
  /** Whether the next record goes where the written bytes end: behind a header, and not behind a footer. */
  #isStarted = false;
  /** Counters are being written: nobody knows which ones the file has. */
  #isInDoubt = false;
  #rowCount: number;
  #recordCount: number;
  /** In the file or the buffer, as opposed to accepted. */
  #written: { rowCount: number; recordCount: number };
  /** Calls whose data are checked in their turn. */
  #unlooked = 0;

  /** Made by `create`, `recreate` and `update`. */
  constructor(parts: WriterParts) {
    this.path = parts.path;
    this.#parts = parts;
    this.#buffer = new RecordBuffer(parts.file);
    this.#columns = parts.columns;
    this.#committed = parts.before;
    this.#isPublished = parts.before !== null;
    this.#rowCount = parts.before?.rowCount ?? 0;
    this.#recordCount = parts.before?.recordCount ?? 0;
    this.#written = { rowCount: this.#rowCount, recordCount: this.#recordCount };
    if (parts.columns !== null) this.#footer = parts.statistics?.(parts.columns) ?? null;
    this.#calls = new WriterCalls(this, {
      path: parts.path,
      leak: {
        message: `${parts.path} lacks the records since its last checkpoint: its writer was never closed`,
        type: 'ColStoreWriterLeak',
        detail: 'call close(), or declare the writer with "await using"',
      },
      giveUp: () => this.#giveUp(),
    });
  }

  /** Rows accepted so far, with those of the file that is updated. */
  get rowCount(): number {
    return this.#rowCount;
  }

  /** Records accepted so far, with those of the file that is updated. */
  get recordCount(): number {
    return this.#recordCount;
  }

  /** What readers see; null before the first checkpoint of a new file. */
  get lastCheckpoint(): Checkpoint | null {
    if (this.#committed === null) return null;
    const { rowCount, recordCount, byteLength } = this.#committed;
    return { rowCount, recordCount, byteLength };
  }

  get closed(): boolean {
    return this.#calls.closed;
  }

  /**
   * Adds one record: columns, packed records, row objects, an Arrow table or a table, of any number of rows. The first
   * one says names, order and dtypes, later ones must have the same columns, in any order; what has no column is no
   * record. Resolves when the values were copied or written, which waits while the disk is behind; until then the
   * arrays must not change. A record that is refused, or a table that fails half-way, leaves nothing.
   * @throws ArgumentError ERR_SCHEMA, ERR_VALUE; UnsupportedError ERR_DTYPE; IoError, after which the writer is closed;
   * ClosedError.
   */
  async write<C extends NamedColumns<C>, R extends NamedValues<R>>(data: WriteInput | C | readonly R[]): Promise<void> {
    this.#calls.requireOpen('write');
    if (isNothing(data)) return;
    if (hasPredicate(data) || this.#unlooked > 0) return this.#writeLater(data);
    const input = this.#take(data);
    await this.#calls.run(() => this.#add(input, isLazy(data)));
  }

  writeSync<C extends NamedColumns<C>, R extends NamedValues<R>>(data: WriteInput | C | readonly R[]): void {
    this.#calls.requireOpen('writeSync');
    this.#calls.requireIdle('writeSync');
    if (isNothing(data)) return;
    const input = this.#take(data);
    this.#calls.runSync('writeSync', () => this.#add(input, true));
  }

  /**
   * Commits all records so far: when it resolves, they are kept whatever happens (with durability 'full' after a power
   * failure too), and readers that open the file, or `reload()` it, see them. A new file gets its name with its first
   * checkpoint. Null while nothing was written.
   */
  async checkpoint(): Promise<Checkpoint | null> {
    this.#calls.requireOpen('checkpoint');
    await this.#calls.run(() => breaking(this.#commit()));
    return this.lastCheckpoint;
  }

  checkpointSync(): Checkpoint | null {
    this.#calls.requireOpen('checkpointSync');
    this.#calls.runSync('checkpointSync', () => breaking(this.#commit()));
    return this.lastCheckpoint;
  }

  /**
   * Commits what is left. Where nothing was written at all, everything stays as it was: no new file, and an old one as
   * it is. A second call does nothing. @returns what the file holds; null for no file.
   */
  async close(): Promise<Checkpoint | null> {
    await this.#calls.close(() => this.#finish());
    this.#calls.requireWorking();
    return this.lastCheckpoint;
  }

  closeSync(): Checkpoint | null {
    this.#calls.closeSync('closeSync', () => this.#finish());
    this.#calls.requireWorking();
    return this.lastCheckpoint;
  }

  /** Gives up what was written since the last checkpoint. Does nothing after `close` or a failure. */
  abort(): Promise<void> {
    return this.#calls.abort(() => this.#giveUp());
  }

  abortSync(): void {
    this.#calls.abortSync('abortSync', () => this.#giveUp());
  }

  [Symbol.dispose](): void {
    if (this.#calls.failure === null) this.closeSync();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#calls.failure === null) await this.close();
  }

  /** Data that a predicate decides, and what comes behind them: an earlier record says what the columns are. */
  async #writeLater(data: WriteInput): Promise<void> {
    this.#unlooked += 1;
    try {
      await this.#calls.run(() => this.#addLater(data));
    } finally {
      this.#unlooked -= 1;
    }
  }

  *#addLater(data: WriteInput): Work<void> {
    const settled = yield* perform(settledInput(data));
    yield* this.#add(this.#take(settled), true);
  }

  /** Checks a record; what it says of the columns holds from then on. */
  #take(data: WriteInput): InputColumns {
    const input = recordInput(data, this.#columns);
    const columns = this.#columns ?? storedColumns(input.fields);
    if (!Number.isSafeInteger(input.rowCount * rowBytes(columns)))
      throw new ArgumentError('ERR_ARGUMENT', 'columns', 'fewer than 2^53 bytes of data', `${input.rowCount} rows`);
    if (this.#columns === null) {
      this.#columns = columns;
      this.#footer = this.#parts.statistics?.(columns) ?? null;
    }
    this.#rowCount += input.rowCount;
    this.#recordCount += 1;
    return input;
  }

  *#add(input: InputColumns, mayWait: boolean): Work<void> {
    const columns = this.#columns ?? [];
    if (!this.#isStarted) yield* breaking(this.#start(columns));
    const start = this.#buffer.position;
    const bodyBytes = input.rowCount * rowBytes(columns);
    const header = formatRecordHeader(this.#written.recordCount, input.rowCount);
    const padding = recordPadding(bodyBytes);
    try {
      if (!mayWait && this.#buffer.hasRoom(header.length + bodyBytes + padding)) this.#putAll(input, header, padding);
      else yield* this.#stream(input, header, padding);
    } catch (error) {
      this.#rowCount -= input.rowCount;
      this.#recordCount -= 1;
      this.#footer?.dropRecord();
      if (!(error instanceof Broken)) yield* breaking(this.#buffer.cutTo(start));
      throw error;
    }
    this.#footer?.endRecord(this.#written.recordCount);
    this.#written.rowCount += input.rowCount;
    this.#written.recordCount += 1;
  }

  /** A small record whose values are at hand. */
  #putAll({ columns, rowCount }: InputColumns, header: Uint8Array, padding: number): void {
    this.#buffer.put(header);
    columns.forEach((column, number) => {
      const rows = { column, start: 0, end: rowCount };
      const items = itemsOf(rows, column.read(0, rowCount).runSync(AT_HAND));
      this.#footer?.add(number, items);
      this.#buffer.put(items);
    });
    if (padding > 0) this.#buffer.put(ZEROS.subarray(0, padding));
  }

  /** A record of any size, column after column, in pieces. */
  *#stream({ columns, rowCount }: InputColumns, header: Uint8Array, padding: number): Work<void> {
    yield* breaking(this.#buffer.add(header));
    for (const [number, column] of columns.entries()) yield* this.#streamColumn(column, number, rowCount);
    if (padding > 0) yield* breaking(this.#buffer.add(ZEROS.subarray(0, padding)));
  }

  *#streamColumn(column: InputColumn, number: number, rowCount: number): Work<void> {
    const atOnce = Math.max(1, Math.floor(PIECE_BYTES / column.info.itemBytes));
    for (let start = 0; start < rowCount; start += atOnce) {
      yield TURN;
      const rows = { column, start, end: Math.min(rowCount, start + atOnce) };
      const items = itemsOf(rows, yield* perform(readRows(rows)));
      this.#footer?.add(number, items);
      yield* breaking(this.#buffer.add(items));
    }
  }

  /** The header of a new file; of another one, the old footer goes. */
  *#start(columns: readonly StoredColumn[]): Work<void> {
    this.#isStarted = true;
    if (this.#committed === null)
      yield* this.#buffer.add(formatRecordsHeader(columns, { recordCount: 0, rowCount: 0, statisticsOffset: 0 }));
    else this.#parts.file.goTo(this.#committed.dataEnd);
  }

  *#commit(): Work<void> {
    const { rowCount, recordCount } = this.#written;
    if (recordCount === (this.#committed?.recordCount ?? 0)) return;
    const { file } = this.#parts;
    yield* this.#buffer.flush();
    const dataEnd = file.position;
    const footer = this.#footer?.format(recordCount) ?? null;
    if (footer !== null) yield* perform(file.append([footer]));
    // Records that take less room than the footer that stood there.
    if (file.position < (this.#committed?.byteLength ?? 0)) yield* perform(file.cut(file.position));
    // What nobody can open yet needs no order.
    if (this.#isPublished) yield* perform(file.barrier());
    this.#isInDoubt = true;
    const statisticsOffset = footer === null ? 0 : dataEnd;
    yield* perform(file.writeAt(COUNTERS_OFFSET, formatCounters({ recordCount, rowCount, statisticsOffset })));
    yield* perform(file.barrier());
    if (!this.#isPublished) yield* this.#parts.publish();
    this.#isPublished = true;
    this.#isInDoubt = false;
    this.#isStarted = footer === null;
    this.#committed = { rowCount, recordCount, byteLength: file.position, dataEnd, footer };
  }

  *#finish(): Work<void> {
    yield* breaking(this.#commit());
    yield* breaking(this.#parts.finish(this.#isPublished));
  }

  /** Back to the last checkpoint, its footer too. Where the counters are in doubt, everything stays where it is. */
  *#giveUp(): Work<void> {
    const { file, discard } = this.#parts;
    const kept = this.#committed;
    try {
      // A write that failed may have left bytes all the same.
      if (kept !== null && !this.#isInDoubt && this.#isStarted) {
        yield* perform(file.cut(kept.dataEnd));
        if (kept.footer !== null) yield* perform(file.append([kept.footer]));
      }
    } catch {
      // The next writer does it.
    }
    yield* discard(kept, this.#isPublished || this.#isInDoubt);
  }
}

const ZEROS = new Uint8Array(8);

function rowBytes(columns: readonly StoredColumn[]): number {
  return columns.reduce((sum, { dtype }) => sum + dtype.itemBytes, 0);
}
