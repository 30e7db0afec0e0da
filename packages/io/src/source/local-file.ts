// A regular file opened for reading, and positional reads of it: what the mapped and the positional source have in
// common. The descriptor is closed when the last read that uses it has ended, so that its number is never another
// file's; and, for sources that nobody closed, when they are collected.
import { close, closeSync, constants, fstatSync, open, openSync, read, readSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { promisify } from 'node:util';
import { ArgumentError, ClosedError, IoError } from '../errors/errors.ts';
import { fileChanged, readFailed } from './source-checks.ts';

/** One system call takes less than 2 GiB; smaller pieces also let an abort through. */
const PIECE_BYTES = 64 * 1024 * 1024;
/**
 * Without waiting: opening a pipe that nobody writes to would block for ever. Regular files do not care; Windows has no
 * such flag.
 */
const READ_FLAGS = constants.O_RDONLY | ((constants.O_NONBLOCK as number | undefined) ?? 0);

const openAsync = promisify(open);
const readAsync = promisify(read) as (
  fd: number,
  buffer: Uint8Array,
  offset: number,
  length: number,
  position: number,
) => Promise<{ bytesRead: number }>;

const forgotten = new FinalizationRegistry<number>((fd) => {
  close(fd, () => undefined);
});

export class LocalFile {
  readonly path: string;
  /** Size when opened. */
  readonly byteLength: number;
  /** Tells the file that was opened from others that were at its path, and from itself once it was written to. */
  readonly version: string;
  /** The same also once it was written to. The time of birth is in it since systems give inodes out again. */
  readonly fileId: string;
  readonly #fd: number;
  /** So many bytes have to be there. */
  #reliedOn: number;
  #reads = 0;
  #closed = false;

  private constructor(path: string, fd: number, stats: Stats) {
    this.path = path;
    this.#fd = fd;
    this.byteLength = sizeOf(path, stats);
    this.#reliedOn = this.byteLength;
    this.version = `${String(stats.ino)}-${String(stats.size)}-${String(stats.mtimeMs)}`;
    this.fileId = `${String(stats.dev)}-${String(stats.ino)}-${String(stats.birthtimeMs)}`;
    forgotten.register(this, fd, this);
  }

  /** @throws IoError ERR_NOT_FOUND, ERR_READ (also for anything but a regular file). */
  static openSync(path: string): LocalFile {
    checkPath(path);
    let fd: number | null = null;
    try {
      fd = openSync(path, READ_FLAGS);
      return new LocalFile(path, fd, fstatSync(fd));
    } catch (error) {
      if (fd !== null) closeSync(fd);
      throw error instanceof IoError ? error : readFailed('open', path, error);
    }
  }

  static async open(path: string): Promise<LocalFile> {
    checkPath(path);
    let fd: number | null = null;
    try {
      fd = await openAsync(path, READ_FLAGS);
      return new LocalFile(path, fd, fstatSync(fd));
    } catch (error) {
      if (fd !== null) closeSync(fd);
      throw error instanceof IoError ? error : readFailed('open', path, error);
    }
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** The descriptor, for the system call that the caller makes at once. @throws ClosedError. */
  get fd(): number {
    if (this.#closed) throw new ClosedError('read', this.path);
    return this.#fd;
  }

  /** From now on what is behind the first `byteLength` bytes may be cut off. */
  relyOn(byteLength: number): void {
    this.#reliedOn = Math.min(this.#reliedOn, byteLength);
  }

  /**
   * Fills `out` from a range that the caller has checked.
   * @throws IoError ERR_FILE_CHANGED before anything is read, ERR_READ.
   */
  readSync(byteOffset: number, out: Uint8Array): void {
    const fd = this.fd;
    try {
      this.#checkSize(fstatSync(fd).size, byteOffset + out.byteLength);
      for (let done = 0; done < out.byteLength; ) {
        const bytesRead = readSync(fd, out, done, Math.min(PIECE_BYTES, out.byteLength - done), byteOffset + done);
        if (bytesRead === 0) throw fileChanged('read', this.path, this.byteLength, null);
        done += bytesRead;
      }
    } catch (error) {
      throw error instanceof IoError ? error : readFailed('read', this.path, error);
    }
  }

  async read(byteOffset: number, out: Uint8Array, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const fd = this.fd;
    this.#reads++;
    try {
      // Of an open file this waits for nothing, and a turn of the thread pool costs ten times as much.
      this.#checkSize(fstatSync(fd).size, byteOffset + out.byteLength);
      for (let done = 0; done < out.byteLength; ) {
        if (signal?.aborted === true) break;
        const { bytesRead } = await readAsync(
          fd,
          out,
          done,
          Math.min(PIECE_BYTES, out.byteLength - done),
          byteOffset + done,
        );
        if (bytesRead === 0) throw fileChanged('read', this.path, this.byteLength, null);
        done += bytesRead;
      }
    } catch (error) {
      throw error instanceof IoError ? error : readFailed('read', this.path, error);
    } finally {
      this.#reads--;
      if (this.#closed && this.#reads === 0) closeSync(fd);
    }
    signal?.throwIfAborted();
  }

  /** Idempotent. Reads that are under way end normally. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    forgotten.unregister(this);
    if (this.#reads === 0) closeSync(this.#fd);
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #checkSize(now: number, end: number): void {
    if (now < Math.max(this.#reliedOn, end)) throw fileChanged('read', this.path, this.byteLength, now);
  }
}

/** Each package has its own way to open many files as one. */
const FOLDER =
  'it is a folder: openDataset (columna), open (colstore) and openShards (syrah) open the files in it as one';

function sizeOf(path: string, stats: Stats): number {
  if (stats.isDirectory()) throw new IoError('ERR_READ', 'open', path, FOLDER);
  if (!stats.isFile()) throw new IoError('ERR_READ', 'open', path, 'it is not a regular file');
  return stats.size;
}

function checkPath(path: string): void {
  if (typeof path !== 'string' || path === '' || path.includes('\0'))
    throw new ArgumentError('ERR_ARGUMENT', 'path', 'the path of a file', JSON.stringify(path));
}
