// The handle of a file, as browsers give it (the origin's private files, or one that a user picked), as a sink: what is
// written shows when it is finished, and not at all after a failure.
import { ClosedError, IoError, UnsupportedError } from '../errors/errors.ts';
import { isError } from '../errors/system-error.ts';
import { checkPatch } from '../memory/sink.ts';
import type { Sink } from '../memory/sink.ts';

/** What is needed of a `FileSystemFileHandle`. */
export interface FileHandle {
  readonly name: string;
  getFile(): Promise<{ readonly size: number }>;
  /**
   * Given `{ mode: 'exclusive' }`, where the browser knows it: nobody else writes until this one is done or gone.
   * Safari has it since version 26.
   */
  createWritable(options?: object): Promise<WritableFile>;
}

/** What is needed of a `FileSystemWritableFileStream`. */
interface WritableFile {
  write(chunk: {
    readonly type: 'write';
    readonly position: number;
    readonly data: Uint8Array<ArrayBuffer>;
  }): Promise<void>;
  close(): Promise<void>;
  abort(): Promise<void>;
}

export class HandleSink implements Sink {
  readonly #name: string;
  readonly #file: WritableFile;
  #position = 0;
  #isOpen = true;

  private constructor(name: string, file: WritableFile) {
    this.#name = name;
    this.#file = file;
  }

  /**
   * @throws IoError ERR_EXISTS where the file has bytes and is not to be overwritten, ERR_NOT_FOUND where it was
   * removed, ERR_LOCKED where somebody else is writing it, in this page or another, ERR_WRITE.
   */
  static async open(handle: FileHandle, overwrite: boolean): Promise<HandleSink> {
    const { name } = handle;
    const sink = new HandleSink(name, await told(name, () => handle.createWritable({ mode: 'exclusive' })));
    try {
      // Looked at when nobody else can write it any more.
      const { size } = await told(name, () => handle.getFile());
      if (size > 0 && !overwrite)
        throw new IoError('ERR_EXISTS', 'write', name, 'the file has bytes already; { overwrite: true } replaces them');
      return sink;
    } catch (error) {
      await sink.abort();
      throw error;
    }
  }

  get position(): number {
    return this.#position;
  }

  async write(bytes: Uint8Array): Promise<void> {
    await this.#put(this.#position, bytes);
    this.#position += bytes.byteLength;
  }

  async writeAt(byteOffset: number, bytes: Uint8Array): Promise<void> {
    checkPatch(byteOffset, bytes.byteLength, this.#position);
    await this.#put(byteOffset, bytes);
  }

  async finish(): Promise<void> {
    this.#requireOpen('finish');
    this.#isOpen = false;
    await told(this.#name, () => this.#file.close());
  }

  async abort(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#file.abort().catch(() => undefined);
  }

  writeSync(): void {
    throw noSync();
  }

  writeAtSync(): void {
    throw noSync();
  }

  finishSync(): void {
    throw noSync();
  }

  abortSync(): void {
    throw noSync();
  }

  async #put(position: number, data: Uint8Array): Promise<void> {
    this.#requireOpen('write');
    if (data.byteLength === 0) return;
    // A copy: of a view WebKit writes the whole buffer (Safari 26).
    await told(this.#name, () => this.#file.write({ type: 'write', position, data: new Uint8Array(data) }));
  }

  #requireOpen(operation: string): void {
    if (!this.#isOpen) throw new ClosedError(operation, this.#name);
  }
}

/** By the browser's name of a failure; others have no code of their own. */
const CODES = new Map([
  ['NotFoundError', 'ERR_NOT_FOUND'],
  ['NoModificationAllowedError', 'ERR_LOCKED'],
  // WebKit's, of a file that somebody holds.
  ['InvalidStateError', 'ERR_LOCKED'],
] as const);

/** A failure of the browser's as one of the family: no file, no room, no permission. */
async function told<T>(name: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    const code = isError(error) ? CODES.get(error.name as 'NotFoundError') : undefined;
    throw new IoError(code ?? 'ERR_WRITE', 'write', name, String(error), error);
  }
}

export const noSync = (): UnsupportedError =>
  new UnsupportedError('ERR_FEATURE', 'writeSync', 'the handle of a file is written to by the form that is awaited');
