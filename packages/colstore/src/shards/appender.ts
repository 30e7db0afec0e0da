// appender: batch after batch into a folder. Batches are kept until a file is worth writing; each file is one record of
// whole batches, and appears whole or not at all.
import { join } from 'node:path';
import { ArgumentError, checkOptions, filePath, option, optionsNow } from '@colkit/io';
import type { OptionSet } from '@colkit/io';
import { WriterCalls } from '@colkit/io/durable';
import { TURN, perform, run, runSync } from '@colkit/io/effects';
import type { Operation, Work } from '@colkit/io/effects';
import { readAtOnce, settledInput } from '@colkit/table';
import type { Chunk, InputColumn, InputColumns, NamedColumns, NamedValues } from '@colkit/table';
import type { StoredColumn } from '../layout/manifest.ts';
import { isNothing, recordInput } from '../streams/record-input.ts';
import { storedColumns } from '../write/plan-file.ts';
import { itemsOf, readRows } from '../write/stream-file.ts';
import type { WriteInput } from '../write/write.ts';
import { lockFolder, requireWritable } from './shard-folder.ts';
import type { ShardFolder } from './shard-folder.ts';
import { DEFAULT_NAME, ShardName } from './shard-names.ts';
import { recordShard, writeShard } from './write-shard.ts';

export interface AppenderOptions {
  /** As of `append`; a name without `{index}` is for one file, and goes with none of the two sizes. */
  readonly name?: string;
  /** A file is written once so many rows wait; of whole batches, so that it may have more. */
  readonly shardRows?: number;
  /** The same in bytes of values. Default: no size; files are written by `flush()` and `close()`. */
  readonly shardBytes?: number;
  /** Whether each file has a statistics footer; default false. */
  readonly statistics?: boolean;
  /** 'full', the default: a file survives a power failure once it is written. 'none' does not wait for the disk. */
  readonly durability?: 'full' | 'none';
}

export const APPENDER_OPTIONS: OptionSet<AppenderOptions> = {
  name: option.text,
  shardRows: option.count('rows', 1),
  shardBytes: option.count('bytes', 1),
  statistics: option.flag,
  durability: option.word('full', 'none'),
};

/**
 * Locks a folder, which is made where it is missing, and adds files to it batch by batch. Memory: the batches that
 * wait.
 * @throws IoError ERR_LOCKED (another writer, Python's too, appends to it), ERR_WRITE; ArgumentError; UnsupportedError
 * for a folder that is committed to; what reading its first file throws.
 */
export async function appender(folder: string | URL, options: AppenderOptions = {}): Promise<ColStoreAppender> {
  checkOptions('appender', APPENDER_OPTIONS, options);
  return run(starting(folder, optionsNow(options)));
}

/** The Sync twin of `appender`. The calls of what it gives have both forms either way. */
export function appenderSync(folder: string | URL, options: AppenderOptions = {}): ColStoreAppender {
  checkOptions('appenderSync', APPENDER_OPTIONS, options);
  return runSync(starting(folder, options));
}

function* starting(folder: string | URL, options: AppenderOptions): Work<ColStoreAppender> {
  const name = new ShardName(options.name ?? DEFAULT_NAME);
  if (name.isLiteral && (options.shardRows ?? options.shardBytes) !== undefined)
    throw new ArgumentError(
      'ERR_ARGUMENT',
      'name',
      'a name with {index}, for files of a size',
      `${JSON.stringify(name.template)}, which is one file`,
    );
  const locked = yield* lockFolder(filePath(folder), options);
  try {
    const columns = yield* locked.columns(yield* locked.names());
    if (columns !== null) requireWritable(columns, locked.path);
    return new ColStoreAppender({ locked, name, columns, settings: options });
  } catch (error) {
    yield* locked.release();
    throw error;
  }
}

/** Rows that wait, column by column. */
interface Batch {
  readonly rowCount: number;
  readonly items: readonly Uint8Array[];
}

interface AppenderParts {
  readonly locked: ShardFolder;
  readonly name: ShardName;
  /** Of the files that are there. */
  readonly columns: readonly StoredColumn[] | null;
  readonly settings: AppenderOptions;
}

export class ColStoreAppender {
  readonly folder: string;
  readonly #locked: ShardFolder;
  readonly #name: ShardName;
  readonly #settings: AppenderOptions;
  readonly #calls: WriterCalls;
  #columns: readonly StoredColumn[] | null;
  #batches: Batch[] = [];
  #pendingRows = 0;
  #paths: string[] = [];

  /** Made by `appender`. */
  constructor({ locked, name, columns, settings }: AppenderParts) {
    this.folder = locked.path;
    this.#locked = locked;
    this.#name = name;
    this.#columns = columns;
    this.#settings = settings;
    this.#calls = new WriterCalls(this, {
      path: locked.path,
      leak: {
        message: `${locked.path} lacks the rows since its last file: its appender was never closed`,
        type: 'ColStoreAppenderLeak',
        detail: 'call close(), or declare the appender with "await using"',
      },
      giveUp: () => locked.release(),
    });
  }

  /** The files that it has written, in their order. */
  get paths(): readonly string[] {
    return [...this.#paths];
  }

  /** Rows that wait for a file. */
  get pendingRows(): number {
    return this.#pendingRows;
  }

  get closed(): boolean {
    return this.#calls.closed;
  }

  /**
   * Adds a batch: columns, packed records, row objects, an Arrow table or a table. Copies. It must have the columns of
   * the folder, or of the first batch, in any order; what has no column is no batch. Writes a file where enough rows
   * wait; where that fails, the rows wait on. @throws ArgumentError ERR_SCHEMA, ERR_VALUE; UnsupportedError ERR_DTYPE;
   * IoError; ClosedError.
   */
  async write<C extends NamedColumns<C>, R extends NamedValues<R>>(data: WriteInput | C | readonly R[]): Promise<void> {
    this.#calls.requireOpen('write');
    if (isNothing(data)) return;
    await this.#calls.run(() => this.#write(data));
  }

  writeSync<C extends NamedColumns<C>, R extends NamedValues<R>>(data: WriteInput | C | readonly R[]): void {
    this.#calls.requireOpen('writeSync');
    if (!isNothing(data)) this.#calls.runSync('writeSync', () => this.#write(data));
  }

  /** Writes what waits as one file. @returns its path; null where nothing waits. @throws as `write`; ERR_EXISTS. */
  async flush(): Promise<string | null> {
    this.#calls.requireOpen('flush');
    const before = this.#paths.length;
    await this.#calls.run(() => this.#flush());
    return this.#paths[before] ?? null;
  }

  flushSync(): string | null {
    this.#calls.requireOpen('flushSync');
    const before = this.#paths.length;
    this.#calls.runSync('flushSync', () => this.#flush());
    return this.#paths[before] ?? null;
  }

  /** Writes what waits, and unlocks the folder, also where that fails. A second call does nothing. */
  async close(): Promise<void> {
    await this.#calls.close(() => this.#finish());
  }

  closeSync(): void {
    this.#calls.closeSync('closeSync', () => this.#finish());
  }

  /** Gives up the rows that wait; files that were written stay. */
  abort(): Promise<void> {
    return this.#calls.abort(() => this.#locked.release());
  }

  abortSync(): void {
    this.#calls.abortSync('abortSync', () => this.#locked.release());
  }

  [Symbol.dispose](): void {
    this.closeSync();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  *#write(data: WriteInput): Work<void> {
    const input = recordInput(yield* perform(settledInput(data)), this.#columns);
    const columns = this.#columns ?? storedColumns(input.fields);
    const items: Uint8Array[] = [];
    for (const column of input.columns) {
      const rows = { column, start: 0, end: input.rowCount };
      // The caller's memory may change.
      items.push(itemsOf(rows, yield* perform(readRows(rows))).slice());
      yield TURN;
    }
    this.#columns = columns;
    this.#batches.push({ rowCount: input.rowCount, items });
    this.#pendingRows += input.rowCount;
    if (this.#pendingRows >= this.#rowsOfShard(columns)) yield* this.#flush();
  }

  #rowsOfShard(columns: readonly StoredColumn[]): number {
    const { shardRows = Infinity, shardBytes = Infinity } = this.#settings;
    const rowBytes = columns.reduce((sum, { dtype }) => sum + dtype.itemBytes, 0);
    return Math.min(shardRows, Math.max(1, Math.floor(shardBytes / rowBytes)));
  }

  *#flush(): Work<void> {
    const columns = this.#columns;
    if (this.#batches.length === 0 || columns === null) return;
    if (this.#name.isLiteral && this.#paths.length > 0)
      throw new ArgumentError(
        'ERR_ARGUMENT',
        'name',
        'a name with {index}, for a second file',
        `${JSON.stringify(this.#name.template)}, which is written`,
      );
    const path = join(this.folder, this.#name.next(yield* this.#locked.names()));
    const fill = recordShard(waiting(columns, this.#batches, this.#pendingRows), this.#settings);
    yield* writeShard({ path, fill }, this.#settings);
    this.#batches = [];
    this.#pendingRows = 0;
    this.#paths.push(path);
  }

  *#finish(): Work<void> {
    try {
      yield* this.#flush();
    } finally {
      yield* this.#locked.release();
    }
  }
}

function waiting(columns: readonly StoredColumn[], batches: readonly Batch[], rowCount: number): InputColumns {
  const fields = columns.map(({ name, dtype }) => ({ name, dtype: dtype.name, nullable: false }));
  return {
    fields,
    rowCount,
    columns: columns.map(({ dtype }, number) => {
      const parts = batches.map(({ items }) => items[number] as Uint8Array);
      return new WaitingColumn(fields[number] as InputColumn['field'], dtype, rowCount, parts);
    }),
  };
}

/** A column of batches one after another; read from front to back. */
class WaitingColumn implements InputColumn {
  readonly field: InputColumn['field'];
  readonly info: InputColumn['info'];
  readonly rowCount: number;
  readonly #parts: readonly Uint8Array[];
  /** The part that was read last, and its first byte. */
  #part = 0;
  #start = 0;

  constructor(field: InputColumn['field'], info: InputColumn['info'], rowCount: number, parts: readonly Uint8Array[]) {
    this.field = field;
    this.info = info;
    this.rowCount = rowCount;
    this.#parts = parts;
  }

  read(start: number, end: number): Operation<Chunk> {
    return readAtOnce(() => this.#joined(start, end));
  }

  #joined(start: number, end: number): Chunk {
    const { itemBytes } = this.info;
    const bytes = new Uint8Array((end - start) * itemBytes);
    if (start * itemBytes < this.#start) [this.#part, this.#start] = [0, 0];
    for (let done = 0; done < bytes.length; ) {
      const part = this.#parts[this.#part] as Uint8Array;
      const from = start * itemBytes + done - this.#start;
      if (from >= part.length) {
        this.#start += part.length;
        this.#part += 1;
        continue;
      }
      const piece = part.subarray(from, from + bytes.length - done);
      bytes.set(piece, done);
      done += piece.length;
    }
    return { kind: 'fixed', rowCount: end - start, bytes, validity: null };
  }
}
