// The same name as temporary-file.ts for browsers: a file of the origin's private ones, or, where the browser has none
// to give (private windows) or does not write to it, a Blob, which it may keep on disk.
import { BlobSource } from '@colkit/io';
import type { FileHandle } from '@colkit/io';
import { openOutput } from '@colkit/io/durable';
import type { Output } from '@colkit/io/durable';
import { perform, run } from '@colkit/io/effects';
import type { Spooled } from './spooled.ts';

interface PrivateHandle extends FileHandle {
  getFile(): Promise<Blob>;
}

interface PrivateFolder {
  getFileHandle(name: string, options: { readonly create: boolean }): Promise<PrivateHandle>;
  removeEntry(name: string): Promise<void>;
}

interface WithStorage {
  readonly navigator: { readonly storage: { getDirectory(): Promise<PrivateFolder> } };
}

/** A file of the origin's, and how it is written and goes away. */
interface PrivateFile {
  readonly handle: PrivateHandle;
  readonly output: Output;
  readonly remove: () => Promise<void>;
}

/** Blobs that a Blob is put together from. */
const PIECE_BYTES = 1 << 24;

export class TemporaryFile {
  /** Null where there is none: then the bytes are in Blobs. */
  readonly #file: PrivateFile | null;
  #pieces: Blob[] = [];
  #parts: Uint8Array<ArrayBuffer>[] = [];
  #partBytes = 0;

  private constructor(file: PrivateFile | null) {
    this.#file = file;
  }

  static async create(): Promise<TemporaryFile> {
    return new TemporaryFile(await privateFile().catch(() => null));
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#file !== null) {
      await run(perform(this.#file.output.write(bytes)));
      return;
    }
    this.#parts.push(bytes.slice());
    this.#partBytes += bytes.byteLength;
    if (this.#partBytes >= PIECE_BYTES) this.#putTogether();
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
    if (this.#file !== null) await run(perform(this.#file.output.abort()));
    await this.#drop();
  }

  async #blob(): Promise<Blob> {
    if (this.#file !== null) {
      await run(perform(this.#file.output.finish()));
      return this.#file.handle.getFile();
    }
    this.#putTogether();
    return new Blob(this.#pieces);
  }

  #putTogether(): void {
    this.#pieces.push(new Blob(this.#parts));
    this.#parts = [];
    this.#partBytes = 0;
  }

  async #drop(): Promise<void> {
    this.#pieces = [];
    this.#parts = [];
    await this.#file?.remove();
  }
}

/** @throws where the browser has none, or does not write to it: then none is left. */
async function privateFile(): Promise<PrivateFile> {
  const name = `colkit-text-${crypto.randomUUID()}`;
  const folder = await (globalThis as unknown as WithStorage).navigator.storage.getDirectory();
  const remove = (): Promise<void> => folder.removeEntry(name).catch(() => undefined);
  const handle = await folder.getFileHandle(name, { create: true });
  try {
    return { handle, output: await run(perform(openOutput(handle, {}))), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
