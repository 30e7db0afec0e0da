// A file that grows in place: bytes at its end, a barrier, a cut; and how a finished one gets its name.
//   pages -> sync -> footer -> sync: a footer is on the disk only if everything that it describes is, so whichever whole footer a power failure leaves, it tells the truth.
import { IoError } from '@colkit/io';
import { dirname } from 'node:path';
import { perform } from '@colkit/table';
import type { Actions } from '@colkit/table';
import { fileAction } from './stream-files.ts';
import type { StreamFiles, StreamOperation } from './stream-files.ts';

/** Small pieces are joined up to this: a call costs as much as writing some ten kilobytes. */
const JOINED_BYTES = 1 << 20;
/** One system call takes less than 2 GiB. */
const MOST_BYTES = 1 << 26;

/** The same bytes in pieces of about a megabyte: many small ones are copied together, large ones pass as they are. */
export function* joined(parts: readonly Uint8Array[]): Generator<Uint8Array> {
  let pending: Uint8Array[] = [];
  let byteLength = 0;
  const take = (): Uint8Array => {
    const whole = pending.length === 1 ? (pending[0] as Uint8Array) : new Uint8Array(byteLength);
    if (pending.length > 1) for (let i = 0, at = 0; i < pending.length; at += (pending[i] as Uint8Array).length, i++) whole.set(pending[i] as Uint8Array, at);
    pending = [];
    byteLength = 0;
    return whole;
  };
  for (const part of parts) {
    if (byteLength + part.length > JOINED_BYTES && byteLength > 0) yield take();
    pending.push(part);
    byteLength += part.length;
  }
  if (byteLength > 0) yield take();
}

export class GrowingFile {
  readonly path: string;
  readonly #files: StreamFiles;
  readonly #durable: boolean;
  readonly #fd: number;
  #position: number;
  #open = true;

  private constructor(path: string, files: StreamFiles, durable: boolean, fd: number, position: number) {
    this.path = path;
    this.#files = files;
    this.#durable = durable;
    this.#fd = fd;
    this.#position = position;
  }

  /** A new file, or an existing one at whose byte `position` writing goes on. @throws IoError ERR_EXISTS, ERR_WRITE. */
  static *open(path: string, kind: 'create' | 'open', options: { readonly files: StreamFiles; readonly durable: boolean; readonly position: number }): Actions<GrowingFile> {
    const fd = yield* attempt(options.files, path, { kind, path });
    return new GrowingFile(path, options.files, options.durable, fd, options.position);
  }

  get position(): number {
    return this.#position;
  }

  *append(parts: readonly Uint8Array[]): Actions {
    for (const bytes of joined(parts)) {
      for (let done = 0; done < bytes.length; ) {
        const written = yield* this.#run({ kind: 'write', fd: this.#fd, bytes: bytes.subarray(done, done + MOST_BYTES), byteOffset: this.#position });
        if (!(written > 0)) throw new IoError('ERR_WRITE', 'write', this.path, 'the system wrote nothing');
        done += written;
        this.#position += written;
      }
    }
  }

  /** Everything written so far is on the disk before anything written from now on; nothing with durability 'none'. */
  *barrier(): Actions {
    if (this.#durable) yield* this.#run({ kind: 'sync', fd: this.#fd });
  }

  *cut(byteLength: number): Actions {
    yield* this.#run({ kind: 'truncate', fd: this.#fd, byteLength });
    this.#position = byteLength;
  }

  /** Idempotent. */
  *close(): Actions {
    if (!this.#open) return;
    this.#open = false;
    yield* this.#run({ kind: 'close', fd: this.#fd });
  }

  #run(operation: StreamOperation): Actions<number> {
    return attempt(this.#files, this.path, operation);
  }
}

/** One operation; what the system says becomes an error of the family. */
export function* attempt(files: StreamFiles, path: string, operation: StreamOperation): Actions<number> {
  try {
    return yield* perform(fileAction(files, operation));
  } catch (error) {
    throw ioError(operation.kind, path, error);
  }
}

export function ioError(operation: string, path: string, error: unknown): IoError {
  if (error instanceof IoError) return error;
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  return new IoError(code === 'EEXIST' ? 'ERR_EXISTS' : code === 'ENOENT' ? 'ERR_NOT_FOUND' : 'ERR_WRITE', operation, path, message, error);
}

/** The system's code of an error, '' where it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? '') : '';
}

/** Removes a name; nothing where there is none. */
export function* remove(files: StreamFiles, path: string): Actions {
  try {
    yield* perform(fileAction(files, { kind: 'unlink', path }));
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw ioError('unlink', path, error);
  }
}

/** What file systems without hard links answer to link(). */
const NO_LINKS: readonly string[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL', 'EMLINK', 'EXDEV', 'EACCES'];

/** Gives a closed, synced file its name. @throws IoError ERR_EXISTS where something has it and may not be replaced. */
export function* publish(files: StreamFiles, from: string, to: string, overwrite: boolean, durable: boolean): Actions {
  if (overwrite) yield* attempt(files, to, { kind: 'rename', from, to });
  else yield* publishNew(files, from, to, durable);
  if (durable) yield* syncFolder(files, dirname(to));
}

/** Unlike rename, link refuses a name that is taken in the same step that gives it. */
function* publishNew(files: StreamFiles, from: string, to: string, durable: boolean): Actions {
  try {
    yield* perform(fileAction(files, { kind: 'link', from, to }));
  } catch (error) {
    if (!NO_LINKS.includes(codeOf(error))) throw ioError('link', to, error);
    // Whoever makes an empty file of that name first has it.
    const fd = yield* attempt(files, to, { kind: 'create', path: to });
    yield* attempt(files, to, { kind: 'close', fd });
    yield* attempt(files, to, { kind: 'rename', from, to });
    return;
  }
  // The old name goes once the new one is on the disk: a power failure may not take both.
  if (durable) yield* syncFolder(files, dirname(to));
  yield* remove(files, from);
}

/** Some systems open no folders, and some do not sync them. */
export function* syncFolder(files: StreamFiles, path: string): Actions {
  try {
    const fd = yield* perform(fileAction(files, { kind: 'openFolder', path }));
    try {
      yield* perform(fileAction(files, { kind: 'sync', fd }));
    } finally {
      yield* perform(fileAction(files, { kind: 'close', fd }));
    }
  } catch (error) {
    if (!NO_FOLDER_SYNC.includes(codeOf(error))) throw ioError('sync', path, error);
  }
}

const NO_FOLDER_SYNC: readonly string[] = ['EPERM', 'EACCES', 'EINVAL', 'EISDIR', 'EBADF', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];
