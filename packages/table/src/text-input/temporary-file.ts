// A file of the system for the time of a call.
import { IoError, openSource } from '@colkit/io';
import type { Spooled } from './spooled.ts';

interface FileHandle {
  write(bytes: Uint8Array): Promise<{ readonly bytesWritten: number }>;
  close(): Promise<void>;
}

export class TemporaryFile {
  readonly #path: string;
  readonly #handle: FileHandle;
  readonly #removeFolder: () => Promise<void>;

  private constructor(path: string, handle: FileHandle, removeFolder: () => Promise<void>) {
    this.#path = path;
    this.#handle = handle;
    this.#removeFolder = removeFolder;
  }

  static async create(): Promise<TemporaryFile> {
    try {
      const [fs, os, path] = await Promise.all([import('node:fs/promises'), import('node:os'), import('node:path')]);
      const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'colkit-text-'));
      const file = path.join(folder, 'input');
      return new TemporaryFile(file, await fs.open(file, 'wx'), () => fs.rm(folder, { recursive: true, force: true }));
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
      close: async () => {
        source.close();
        await this.#removeFolder();
      },
    };
  }

  async remove(): Promise<void> {
    await this.#handle.close().catch(() => undefined);
    await this.#removeFolder();
  }
}
