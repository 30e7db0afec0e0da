// A source that a user wrote -> one with everything that readers ask for. Its answers are checked as those of files
// are: a range outside of it is refused before it is asked, and what it leaves out gets a default.
import { describeValue } from '../errors/describe-value.ts';
import { ArgumentError, ClosedError } from '../errors/errors.ts';
import { isCount } from '../values/integers.ts';
import type { ReadQueue } from './read-queue.ts';
import type { RandomAccessSource, Reopening, SourceCapabilities } from './source.ts';
import { checkRead, noSyncForm, notMapped } from './source-checks.ts';
import type { Stretch } from '../windows/shared-windows.ts';
import { LOCAL_GAP_BYTES, LOCAL_READS, REMOTE_GAP_BYTES, REMOTE_READS } from './read-costs.ts';

/** A source of your own: two members, and what else it can do. */
export interface OwnSource extends Partial<SourceCapabilities> {
  /** Size in bytes; it does not change. */
  readonly byteLength: number;
  /**
   * Fills `out` completely with the bytes from `byteOffset` on, or throws (rejects). The range is within the source.
   * It has to end when `signal` aborts: whoever asked is told only then, since `out` is theirs again.
   */
  read(byteOffset: number, out: Uint8Array, signal?: AbortSignal): Promise<void> | void;
  /** The same on the calling thread: without it, Sync forms throw. */
  readSync?(byteOffset: number, out: Uint8Array): void;
  /** A range without a copy; writing into it must change no later read. Without it, views throw. */
  view?(byteOffset: number, byteLength: number): Uint8Array;
  /** How a worker opens the same bytes; without it, a loader takes no workers. */
  reopen?(): Reopening | null;
  /** For messages. Default '<source>'. */
  readonly path?: string;
  /** A text that another version of the bytes does not have. */
  readonly version?: string | null;
  readonly closed?: boolean;
  close?(): void;
}

/** Whether it is a source, of ours or of a user's. */
export function isSource(value: unknown): value is RandomAccessSource | OwnSource {
  const { read, byteLength } = (value ?? {}) as Partial<OwnSource>;
  return typeof read === 'function' && typeof byteLength === 'number';
}

/** @throws ArgumentError where a member is not what it has to be. */
export function completeSource(source: RandomAccessSource | OwnSource): RandomAccessSource {
  return isComplete(source) ? source : new CompletedSource(source);
}

const MEMBERS = [
  'isSync',
  'canView',
  'concurrency',
  'gapBytes',
  'closed',
  'path',
  'readSync',
  'view',
  'reopen',
  'close',
] as const;

function isComplete(source: RandomAccessSource | OwnSource): source is RandomAccessSource {
  return MEMBERS.every((name) => source[name] !== undefined);
}

class CompletedSource implements RandomAccessSource {
  readonly path: string;
  readonly byteLength: number;
  readonly isSync: boolean;
  readonly canView: boolean;
  readonly concurrency: number;
  readonly gapBytes: number;
  /** Asynchronous reads are taken for requests, which few are better than many of. */
  readonly coalesces: boolean;
  readonly #own: OwnSource;
  /** Loaded with the first read that needs it. */
  #queue: Promise<ReadQueue> | null = null;
  #closed = false;

  constructor(own: OwnSource) {
    this.#own = own;
    this.path = own.path ?? '<source>';
    this.byteLength = checkCount('byteLength', own.byteLength, 0);
    this.isSync = own.isSync ?? own.readSync !== undefined;
    this.canView = own.canView ?? own.view !== undefined;
    this.concurrency = checkCount('concurrency', own.concurrency ?? (this.isSync ? LOCAL_READS : REMOTE_READS), 1);
    this.gapBytes = checkCount('gapBytes', own.gapBytes ?? (this.isSync ? LOCAL_GAP_BYTES : REMOTE_GAP_BYTES), 0);
    this.coalesces = own.coalesces ?? !this.isSync;
    if (this.isSync && own.readSync === undefined) throw missing('readSync', 'isSync');
    if (this.canView && own.view === undefined) throw missing('view', 'canView');
  }

  get version(): string | null {
    return this.#own.version ?? null;
  }

  get closed(): boolean {
    return this.#closed || this.#own.closed === true;
  }

  async read(byteOffset: number, out: Uint8Array, signal?: AbortSignal): Promise<void> {
    checkRead(this, 'read', byteOffset, out.byteLength);
    signal?.throwIfAborted();
    if (!this.coalesces) {
      await this.#own.read(byteOffset, out, signal);
      return;
    }
    const queue = await (this.#queue ??= this.#newQueue());
    signal?.throwIfAborted();
    await queue.read(byteOffset, out, signal);
  }

  readSync(byteOffset: number, out: Uint8Array): void {
    checkRead(this, 'read', byteOffset, out.byteLength);
    if (!this.isSync) throw noSyncForm(this.path);
    this.#own.readSync?.(byteOffset, out);
  }

  view(byteOffset: number, byteLength: number, stretch?: Stretch): Uint8Array {
    checkRead(this, 'view', byteOffset, byteLength);
    if (stretch !== undefined) checkRead(this, 'view', stretch.byteOffset, stretch.byteLength);
    const bytes = this.canView ? this.#own.view?.(byteOffset, byteLength) : undefined;
    if (bytes === undefined) throw notMapped(`${this.path} gives no views`, 'use a method that copies');
    if (bytes instanceof Uint8Array && bytes.byteLength === byteLength) return bytes;
    throw new ArgumentError(
      'ERR_ARGUMENT',
      'view',
      `a Uint8Array of ${String(byteLength)} bytes`,
      describeValue(bytes),
    );
  }

  reopen(): Reopening | null {
    return this.#own.reopen?.() ?? null;
  }

  async #newQueue(): Promise<ReadQueue> {
    const { ReadQueue } = await import('./read-queue.ts');
    return new ReadQueue(this, (byteOffset, out, signal) => this.#own.read(byteOffset, out, signal));
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    void this.#queue?.then((queue) => queue.close(new ClosedError('read', this.path)));
    this.#own.close?.();
  }
}

function missing(method: string, capability: string): ArgumentError {
  return new ArgumentError('ERR_ARGUMENT', method, `a function, because the source says ${capability}`, 'undefined');
}

function checkCount(name: string, value: unknown, least: number): number {
  if (isCount(value) && value >= least) return value;
  throw new ArgumentError('ERR_ARGUMENT', name, `an integer from ${String(least)} on`, describeValue(value));
}
