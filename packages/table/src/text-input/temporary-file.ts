// A file of the system for the time of a call.
import { IoError, openSource } from '@colkit/io';
import { temporaryFolder } from '@colkit/io/durable';
import type { TemporaryFolder } from '@colkit/io/durable';
import type { Spooled } from './spooled.ts';

interface FileHandle {
  write(bytes: Uint8Array): Promise<{ readonly bytesWritten: number }>;
  close(): Promise<void>;
}

export class TemporaryFile {
  readonly #path: string;
  readonly #handle: FileHandle;
  readonly #folder: TemporaryFolder;

  private constructor(path: string, handle: FileHandle, folder: TemporaryFolder) {
    this.#path = path;
    this.#handle = handle;
    this.#folder = folder;
  }

  static async create(): Promise<TemporaryFile> {
    try {
      const [fs, path] = await Promise.all([import('node:fs/promises'), import('node:path')]);
      const folder = temporaryFolder('colkit-text-');
      const file = path.join(folder.path, 'input');
      return new TemporaryFile(file, await fs.open(file, 'wx'), folder);
    } catch (error) {
      throw new IoError(
        'ERR_WRITE',
        'create',
        'a temporary file',
        error instanceof Error ? error.message : String(error),
        error,
      );
    }
  }

  async write(bytes: Uint8Array): Promise<void> {
    try {
      for (let offset = 0; offset < bytes.length; )
        offset += (await this.#handle.write(offset === 0 ? bytes : bytes.subarray(offset))).bytesWritten;
    } catch (error) {
      throw new IoError(
        'ERR_WRITE',
        'write',
        this.#path,
        error instanceof Error ? error.message : String(error),
        error,
      );
    }
  }

  async finish(): Promise<Spooled> {
    await this.#handle.close();
    const source = await openSource(this.#path);
    return {
      source,
      close: () => {
        source.close();
        this.#folder[Symbol.dispose]();
        return Promise.resolve();
      },
    };
  }

  async remove(): Promise<void> {
    await this.#handle.close().catch(() => undefined);
    this.#folder[Symbol.dispose]();
  }
}
