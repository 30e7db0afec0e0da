// A stream -> something that can be read twice: memory while it is small, then a temporary file, which goes away when
// it is closed.
import { IoError, MemorySource, openSource } from '@colkit/io';
import type { RandomAccessSource } from '@colkit/io';

const MEMORY_BYTES = 64 * 2 ** 20;

interface Spooled {
  readonly source: RandomAccessSource;
  readonly close: () => Promise<void>;
}

export async function spool(chunks: AsyncIterable<Uint8Array>, signal: AbortSignal | undefined): Promise<Spooled> {
  const held: Uint8Array[] = [];
  let bytes = 0;
  let file: TemporaryFile | null = null;
  try {
    for await (const chunk of chunks) {
      signal?.throwIfAborted();
      bytes += chunk.length;
      if (file === null && bytes > MEMORY_BYTES) {
        file = await TemporaryFile.create();
        for (const each of held.splice(0)) await file.write(each);
      }
      // The stream may use its memory again.
      if (file === null) held.push(chunk.slice());
      else await file.write(chunk);
    }
    if (file !== null) return await file.finish();
  } catch (error) {
    await file?.remove();
    throw error;
  }
  const all = new Uint8Array(bytes);
  let used = 0;
  for (const chunk of held) {
    all.set(chunk, used);
    used += chunk.length;
  }
  const source = new MemorySource(all, '<stream>');
  return {
    source,
    close: () => {
      source.close();
      return Promise.resolve();
    },
  };
}

interface FileHandle {
  write(bytes: Uint8Array): Promise<{ readonly bytesWritten: number }>;
  close(): Promise<void>;
}

class TemporaryFile {
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
