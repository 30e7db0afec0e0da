// One file of many: known by its number of items before it is opened, opened when its items are needed first. How few
// of the opened ones hold a descriptor is the pool's business.
import { ClosedError, IoError } from '@colkit/io';
import { run, runSync } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import type { SyrahFile } from '../items/file.ts';
import { checkDTypes, orderByKey, otherKeys } from './align-keys.ts';
import type { NamedFields } from './align-keys.ts';
import type { ShardHandle } from './shards-handle.ts';
import type { PooledSource, SourcePool } from './source-pool.ts';

/** What is known of a file that was not opened. */
export interface KnownShard {
  /** Path or URL, for messages. */
  readonly path: string;
  readonly itemCount: number;
  readonly isLocal: boolean;
  open(): Work<SyrahFile>;
  /** Of an opened local file: it has no descriptor while others have. */
  readonly pooled: Pooled | null;
  /** How another thread opens it. @throws ArgumentError where it cannot. */
  handle(): ShardHandle;
  /** What tells its version: null where only the file does. */
  readonly mark: string | null;
}

export interface Pooled {
  readonly pool: SourcePool;
  /** Null before it was opened. */
  source: PooledSource | null;
}

export class Shard {
  readonly path: string;
  readonly itemCount: number;
  readonly isLocal: boolean;
  readonly #known: KnownShard;
  /** What the items of all files are like; null where no file has any. */
  readonly #schema: NamedFields | null;
  #file: SyrahFile | null;
  #opening: Promise<SyrahFile> | null = null;
  #isClosed = false;

  /** @param file where it is open already, and was compared with the schema. */
  constructor(known: KnownShard, schema: NamedFields | null, file: SyrahFile | null = null) {
    this.#file = file;
    this.path = known.path;
    this.itemCount = known.itemCount;
    this.isLocal = known.isLocal;
    this.#known = known;
    this.#schema = schema;
  }

  /** Null before it was needed. */
  get file(): SyrahFile | null {
    return this.#file;
  }

  get mark(): string | null {
    return this.#known.mark;
  }

  /**
   * Two that need it at the same time open it once; whoever gives up does not stop the other.
   * @throws ArgumentError ERR_SCHEMA, naming file and key; IoError ERR_FILE_CHANGED; ClosedError; as `open`.
   */
  async openedLater(): Promise<SyrahFile> {
    if (this.#file !== null) return this.#file;
    this.#opening ??= run(this.#known.open());
    try {
      return this.#keep(await this.#opening);
    } finally {
      this.#opening = null;
    }
  }

  /** Does something with the file that takes time: as many at a time as files may be open. */
  async used<T>(use: (file: SyrahFile) => Promise<T>): Promise<T> {
    const file = await this.openedLater();
    const { pool, source = null } = this.#known.pooled ?? {};
    if (pool === undefined || source === null) return use(file);
    await pool.hold(source);
    try {
      return await use(file);
    } finally {
      pool.release(source);
    }
  }

  openedNow(): SyrahFile {
    return this.#file ?? this.#keep(runSync(this.#known.open()));
  }

  handle(): ShardHandle {
    return this.#known.handle();
  }

  /** As `handle()`, with the metadata of a remote file in shared memory. */
  threadHandle(): ShardHandle {
    return this.#file === null ? this.handle() : { ...this.handle(), file: this.#file.threadHandle() };
  }

  close(): void {
    this.#isClosed = true;
    this.#file?.close();
  }

  #keep(file: SyrahFile): SyrahFile {
    if (this.#file !== null) {
      if (file !== this.#file) file.close();
      return this.#file;
    }
    try {
      if (this.#isClosed) throw new ClosedError('read', this.path);
      checkCount(this.#known, file);
      if (this.#schema !== null) checkKeys(this.#schema, file);
    } catch (error) {
      file.close();
      throw error;
    }
    this.#file = file;
    return file;
  }
}

/** A file without items knows no keys. */
export function fieldsOf({ path, schema, itemCount }: SyrahFile): NamedFields | null {
  if (itemCount === 0 && schema.length === 0) return null;
  return { path, fields: schema.map(({ name, dtype }) => ({ key: name, dtype })) };
}

export function checkKeys(schema: NamedFields, file: SyrahFile): void {
  const fields = fieldsOf(file);
  if (fields === null || fields.path === schema.path) return;
  const order = orderByKey(schema.fields, fields.fields);
  if (order === null) throw otherKeys(schema, fields, 'open only files with the same keys together');
  checkDTypes(schema, fields, order);
}

/** @throws IoError ERR_FILE_CHANGED where it has not the items that were told of it. */
export function checkCount({ path, itemCount }: { path: string; itemCount: number | null }, file: SyrahFile): void {
  if (itemCount === null || itemCount === file.itemCount) return;
  const message = `expected the ${String(itemCount)} items that were told of it but found ${String(file.itemCount)}`;
  throw new IoError('ERR_FILE_CHANGED', 'open', path, message);
}
