// A file read by position (pread), never mapped: safe against files that others truncate, and the way without the
// addon.
import { resolve } from 'node:path';
import { LocalFile } from './local-file.ts';
import type { RandomAccessSource, Reopening } from './source.ts';
import { LOCAL_GAP_BYTES, LOCAL_READS } from './read-costs.ts';
import { checkRead, notMapped } from './source-checks.ts';

/** Every read is a system call or a few; a file that shrank is an error before anything is read. */
export class FileSource implements RandomAccessSource {
  readonly isSync = true;
  readonly canView = false;
  readonly concurrency = LOCAL_READS;
  readonly gapBytes = LOCAL_GAP_BYTES;
  readonly path: string;
  readonly byteLength: number;
  readonly version: string;
  readonly fileId: string;
  readonly #file: LocalFile;
  readonly #whyNotMapped: string;

  private constructor(file: LocalFile, whyNotMapped: string) {
    this.#file = file;
    this.path = file.path;
    this.byteLength = file.byteLength;
    this.version = file.version;
    this.fileId = file.fileId;
    this.#whyNotMapped = whyNotMapped;
  }

  /**
   * Opens a regular file.
   * @param whyNotMapped a sentence for those who ask for a view.
   * @throws IoError ERR_NOT_FOUND, ERR_READ.
   */
  static async open(path: string, whyNotMapped = ASKED): Promise<FileSource> {
    return new FileSource(await LocalFile.open(path), whyNotMapped);
  }

  static openSync(path: string, whyNotMapped = ASKED): FileSource {
    return new FileSource(LocalFile.openSync(path), whyNotMapped);
  }

  get closed(): boolean {
    return this.#file.closed;
  }

  readSync(byteOffset: number, out: Uint8Array): void {
    checkRead(this, 'read', byteOffset, out.byteLength);
    this.#file.readSync(byteOffset, out);
  }

  async read(byteOffset: number, out: Uint8Array, signal?: AbortSignal): Promise<void> {
    checkRead(this, 'read', byteOffset, out.byteLength);
    await this.#file.read(byteOffset, out, signal);
  }

  /** Always throws CannotViewError ERR_NOT_MAPPED, with the reason. */
  view(byteOffset: number, byteLength: number): Uint8Array {
    checkRead(this, 'view', byteOffset, byteLength);
    throw notMapped(
      `${this.path} is read by position: ${this.#whyNotMapped}`,
      "use a method that copies, or open it with { io: 'mmap' } where the addon is available",
    );
  }

  relyOn(byteLength: number): void {
    this.#file.relyOn(byteLength);
  }

  reopen(): Reopening {
    return { what: resolve(this.path), options: { io: 'pread' } };
  }

  close(): void {
    this.#file.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

const ASKED = 'it was opened that way';
