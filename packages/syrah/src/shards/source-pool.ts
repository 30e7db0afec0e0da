// Local files of which few are open at a time: a descriptor is taken when a file is read and given back when others
// were read later. What was read of a file at opening stays known, so that opening it again is one call of the system.
// A file that is another one by then is refused.
import { ClosedError, IoError, omitOptions } from '@colkit/io';
import type { OpenSourceOptions, Openable, RandomAccessSource, Reopening } from '@colkit/io';
import { openedSource, run, runSync } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';

/** Files that stay open where nobody reads them. */
export const MOST_OPEN = 64;

export class SourcePool {
  readonly #most: number;
  /** Those that are open; the one that was used last at the end. */
  readonly #open = new Set<PooledSource>();
  /** Files that works hold, and works that wait to hold one. */
  #held = 0;
  /** Files that are being opened again. */
  #openings = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(most = MOST_OPEN) {
    this.#most = most;
  }

  /** Opens what has a descriptor through the pool, all else as it is. @throws as `openedSource`. */
  *opened(what: Openable | Reopening, options: OpenSourceOptions): Work<RandomAccessSource> {
    const source = yield* openedSource(what, options);
    return source.isSync && isPath(what)
      ? new PooledSource(this, source, () => openedSource(what, omitOptions(options, 'signal')))
      : source;
  }

  /** A source of it is open and about to be read. */
  use(source: PooledSource): void {
    this.#open.delete(source);
    this.#open.add(source);
    this.closeOthers(source);
  }

  /** Those that were used longest ago, while there are too many. */
  closeOthers(source: PooledSource | null = null): void {
    const most = this.#most - this.#openings;
    if (this.#open.size <= most) return;
    for (const other of this.#open) {
      if (this.#open.size <= most) return;
      if (other !== source && other.rest()) this.#open.delete(other);
    }
  }

  /** Opens a file that was open before, for which there is room then. */
  *openAgain(open: () => Work<RandomAccessSource>): Work<RandomAccessSource> {
    this.#openings += 1;
    try {
      this.closeOthers();
      return yield* open();
    } finally {
      this.#openings -= 1;
    }
  }

  /** Once no more files are held than may be open: this one stays open until it is released. */
  async hold(source: PooledSource): Promise<void> {
    while (!source.isHeld && this.#held >= this.#most) await new Promise<void>((go) => this.#waiting.push(go));
    if (!source.isHeld) this.#held += 1;
    source.holds += 1;
  }

  release(source: PooledSource): void {
    source.holds -= 1;
    if (source.isHeld) return;
    this.#held -= 1;
    this.#waiting.shift()?.();
    this.closeOthers();
  }

  leave(source: PooledSource): void {
    this.#open.delete(source);
  }
}

function isPath(what: Openable | Reopening): boolean {
  if (typeof what === 'string' || what instanceof URL) return true;
  return 'what' in what && typeof what.what === 'string';
}

/** A source that is open while it is read, and for as long as the pool has room for it. */
export class PooledSource implements RandomAccessSource {
  readonly path: string;
  readonly byteLength: number;
  readonly version: string | null;
  readonly isSync: boolean;
  readonly canView: boolean;
  readonly concurrency: number;
  readonly gapBytes: number;
  readonly #pool: SourcePool;
  readonly #open: () => Work<RandomAccessSource>;
  readonly #reopening: Reopening | null;
  #source: RandomAccessSource | null;
  #opening: Promise<RandomAccessSource> | null = null;
  /** Works that hold it. */
  holds = 0;
  /** Reads that are under way. */
  #reads = 0;
  #closed = false;

  constructor(pool: SourcePool, source: RandomAccessSource, open: () => Work<RandomAccessSource>) {
    this.path = source.path;
    this.byteLength = source.byteLength;
    this.version = source.version ?? null;
    this.isSync = source.isSync;
    this.canView = source.canView;
    this.concurrency = source.concurrency;
    this.gapBytes = source.gapBytes;
    this.#reopening = source.reopen();
    this.#pool = pool;
    this.#source = source;
    this.#open = open;
    pool.use(this);
  }

  get closed(): boolean {
    return this.#closed;
  }

  get isHeld(): boolean {
    return this.holds > 0;
  }

  async read(byteOffset: number, out: Uint8Array, signal?: AbortSignal): Promise<void> {
    this.#reads += 1;
    try {
      const source = this.#source ?? (await this.#openedLater());
      this.#pool.use(this);
      await source.read(byteOffset, out, signal);
    } finally {
      this.#reads -= 1;
      if (this.#reads === 0) this.#pool.closeOthers();
    }
  }

  readSync(byteOffset: number, out: Uint8Array): void {
    this.#now().readSync(byteOffset, out);
  }

  view(...range: Parameters<RandomAccessSource['view']>): Uint8Array {
    return this.#now().view(...range);
  }

  /** A gather that works on it keeps the file open: who begins one holds this source. */
  mapping(): ReturnType<NonNullable<RandomAccessSource['mapping']>> {
    return this.#now().mapping?.() ?? null;
  }

  reopen(): Reopening | null {
    return this.#reopening;
  }

  close(): void {
    this.#closed = true;
    this.#pool.leave(this);
    this.#source?.close();
    this.#source = null;
  }

  /** Lets go of the file unless it is needed. */
  rest(): boolean {
    if (this.#reads > 0 || this.isHeld) return false;
    this.#source?.close();
    this.#source = null;
    return true;
  }

  #now(): RandomAccessSource {
    const source = this.#source ?? this.#keep(runSync(this.#opened()));
    this.#pool.use(this);
    return source;
  }

  /** Two reads that need it open it once. */
  async #openedLater(): Promise<RandomAccessSource> {
    this.#opening ??= run(this.#opened());
    try {
      return this.#keep(await this.#opening);
    } finally {
      this.#opening = null;
    }
  }

  #keep(opened: RandomAccessSource): RandomAccessSource {
    if (this.#closed) {
      opened.close();
      throw new ClosedError('read', this.path);
    }
    // A synchronous read may have been faster.
    if (this.#source !== null && this.#source !== opened) opened.close();
    this.#source ??= opened;
    return this.#source;
  }

  *#opened(): Work<RandomAccessSource> {
    if (this.#closed) throw new ClosedError('read', this.path);
    const source = yield* this.#pool.openAgain(this.#open);
    const isSame = source.byteLength === this.byteLength && (source.version ?? null) === this.version;
    if (isSame) return source;
    source.close();
    const message = 'another file stands at its place, or it was written to, since it was opened';
    throw new IoError('ERR_FILE_CHANGED', 'read', this.path, message);
  }
}
