// A sink whose unfinished file has a known name (PATH.partial) and is kept when its writer dies or fails: what a journal needs. Without a journal, io's atomic file is used.
import { ClosedError, IoError } from '@colkit/io';
import type { Sink } from '@colkit/io';
import { closeSync, existsSync, fsync, fsyncSync, linkSync, openSync, renameSync, rmSync, unlinkSync, write, writeSync } from 'node:fs';
import { dirname } from 'node:path';

export const partialPath = (path: string): string => `${path}.partial`;

export interface PartialFileOptions {
  readonly overwrite: boolean;
  readonly durable: boolean;
}

export class PartialFile implements Sink {
  readonly #path: string;
  readonly #options: PartialFileOptions;
  readonly #fd: number;
  #position = 0;
  #open = true;

  /** @throws IoError ERR_EXISTS, ERR_WRITE. */
  constructor(path: string, options: PartialFileOptions) {
    this.#path = path;
    this.#options = options;
    if (!options.overwrite && existsSync(path)) throw exists(path);
    this.#fd = attempt('create', partialPath(path), () => openSync(partialPath(path), 'wx'));
  }

  get position(): number {
    return this.#position;
  }

  async write(bytes: Uint8Array): Promise<void> {
    await this.writeAt(this.#position, bytes);
    this.#position += bytes.length;
  }

  writeSync(bytes: Uint8Array): void {
    this.writeAtSync(this.#position, bytes);
    this.#position += bytes.length;
  }

  async writeAt(byteOffset: number, bytes: Uint8Array): Promise<void> {
    this.#check('write');
    await writeFully(this.#fd, partialPath(this.#path), bytes, byteOffset);
  }

  writeAtSync(byteOffset: number, bytes: Uint8Array): void {
    this.#check('write');
    writeFullySync(this.#fd, partialPath(this.#path), bytes, byteOffset);
  }

  async finish(): Promise<void> {
    this.#check('finish');
    if (this.#options.durable) {
      await new Promise<void>((resolve, reject) => fsync(this.#fd, (error) => (error === null ? resolve() : reject(failed('fsync', this.#path, error)))));
    }
    this.close();
    publishPartial(this.#path, this.#options);
  }

  finishSync(): void {
    this.#check('finish');
    if (this.#options.durable) attempt('fsync', this.#path, () => fsyncSync(this.#fd));
    this.close();
    publishPartial(this.#path, this.#options);
  }

  /** Stops writing and keeps what there is. Idempotent. */
  close(): void {
    if (!this.#open) return;
    this.#open = false;
    closeSync(this.#fd);
  }

  abort(): Promise<void> {
    this.abortSync();
    return Promise.resolve();
  }

  abortSync(): void {
    this.close();
    rmSync(partialPath(this.#path), { force: true });
  }

  #check(operation: string): void {
    if (!this.#open) throw new ClosedError(operation, this.#path);
  }
}

/** Gives a complete PATH.partial its name; an existing file is replaced only if asked for. @throws IoError ERR_EXISTS, ERR_WRITE. */
export function publishPartial(path: string, { overwrite, durable }: PartialFileOptions): void {
  const partial = partialPath(path);
  attempt('rename', path, () => {
    if (overwrite) renameSync(partial, path);
    else linkNew(partial, path);
  });
  if (durable) syncFolder(dirname(path));
}

/** A link fails where the name is taken, a rename does not. */
function linkNew(partial: string, path: string): void {
  try {
    linkSync(partial, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' || existsSync(path)) throw exists(path);
    renameSync(partial, path); // a file system without links
    return;
  }
  unlinkSync(partial);
}

/** Best effort: some systems open no folders, and some cannot sync them. */
function syncFolder(folder: string): void {
  try {
    const fd = openSync(folder, 'r');
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch {
    // the file itself was synced
  }
}

export async function writeFully(fd: number, path: string, bytes: Uint8Array, byteOffset: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const from = done;
    done += await new Promise<number>((resolve, reject) => {
      write(fd, bytes, from, bytes.length - from, byteOffset + from, (error, count) => (error === null ? resolve(count) : reject(failed('write', path, error))));
    });
  }
}

export function writeFullySync(fd: number, path: string, bytes: Uint8Array, byteOffset: number): void {
  for (let done = 0; done < bytes.length; ) {
    const from = done;
    done += attempt('write', path, () => writeSync(fd, bytes, from, bytes.length - from, byteOffset + from));
  }
}

export function attempt<T>(operation: string, path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw error instanceof IoError ? error : failed(operation, path, error as NodeJS.ErrnoException);
  }
}

function failed(operation: string, path: string, error: NodeJS.ErrnoException): IoError {
  if (error.code === 'EEXIST') return leftBehind(path, error);
  return new IoError('ERR_WRITE', operation, path, error.message, error);
}

/** What stands in the way of a new writer: a dead one's work, or a live one. */
export function leftBehind(path: string, cause?: unknown): IoError {
  return new IoError('ERR_EXISTS', 'create', path, 'a writer left this file, or is still at work: recover(path) makes a whole file of it, { overwrite: true } throws it away', cause);
}

function exists(path: string): IoError {
  return new IoError('ERR_EXISTS', 'create', path, 'the file exists; pass { overwrite: true } to replace it');
}
