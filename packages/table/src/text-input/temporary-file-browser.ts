// The same name as temporary-file.ts for browsers: a file of the origin's private ones, or, where the browser has none
// to give (private windows), a Blob, which it may keep on disk.
import { BlobSource, IoError } from '@colkit/io';
import type { Spooled } from './spooled.ts';

interface PrivateFolder {
  getFileHandle(name: string, options: { readonly create: boolean }): Promise<PrivateFile>;
  removeEntry(name: string): Promise<void>;
}

interface PrivateFile {
  getFile(): Promise<Blob>;
  createWritable(): Promise<WritableFile>;
}

interface WithStorage {
  readonly navigator: { readonly storage: { getDirectory(): Promise<PrivateFolder> } };
}

interface WritableFile {
  write(data: Uint8Array): Promise<void>;
  close(): Promise<void>;
  abort(): Promise<void>;
}

/** Blobs that a Blob is put together from. */
const PIECE_BYTES = 1 << 24;

export class TemporaryFile {
  readonly #name: string;
  readonly #folder: PrivateFolder | null;
  readonly #file: PrivateFile | null;
  readonly #writable: WritableFile | null;
  #pieces: Blob[] = [];
  #parts: Uint8Array<ArrayBuffer>[] = [];
  #partBytes = 0;

  private constructor(
    name: string,
    folder: PrivateFolder | null,
    file: PrivateFile | null,
    writable: WritableFile | null,
  ) {
    this.#name = name;
    this.#folder = folder;
    this.#file = file;
    this.#writable = writable;
  }

  static async create(): Promise<TemporaryFile> {
    const name = `colkit-text-${crypto.randomUUID()}`;
    try {
      const folder = await (globalThis as unknown as WithStorage).navigator.storage.getDirectory();
      const file = await folder.getFileHandle(name, { create: true });
      return new TemporaryFile(name, folder, file, await file.createWritable());
    } catch {
      return new TemporaryFile(name, null, null, null);
    }
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#writable === null) {
      this.#parts.push(bytes.slice());
      this.#partBytes += bytes.byteLength;
      if (this.#partBytes >= PIECE_BYTES) this.#putTogether();
      return;
    }
    try {
      await this.#writable.write(bytes);
    } catch (error) {
      throw new IoError('ERR_WRITE', 'write', 'a temporary file', String(error), error);
    }
  }

  async finish(): Promise<Spooled> {
    const source = new BlobSource(await this.#blob(), '<stream>');
    return {
      source,
      close: async () => {
        source.close();
        await this.#drop();
      },
    };
  }

  async remove(): Promise<void> {
    await this.#writable?.abort().catch(() => undefined);
    await this.#drop();
  }

  async #blob(): Promise<Blob> {
    if (this.#file === null || this.#writable === null) {
      this.#putTogether();
      return new Blob(this.#pieces);
    }
    try {
      await this.#writable.close();
      return await this.#file.getFile();
    } catch (error) {
      throw new IoError('ERR_WRITE', 'write', 'a temporary file', String(error), error);
    }
  }

  #putTogether(): void {
    this.#pieces.push(new Blob(this.#parts));
    this.#parts = [];
    this.#partBytes = 0;
  }

  async #drop(): Promise<void> {
    this.#pieces = [];
    this.#parts = [];
    await this.#folder?.removeEntry(this.#name).catch(() => undefined);
  }
}
