// What writes files by their path alone (streaming writers with checkpoints, appenders), into a store: the file is
// written to this machine, and sent when it is whole.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { FileSource } from '../source/file-source.ts';
import { checkOptions, option } from '../options/index.ts';
import type { OptionSet } from '../options/index.ts';
import { checkKey } from './check-key.ts';
import type { ObjectStore } from './object-store.ts';

export interface WriteThroughFileOptions {
  /** Where the file lies meanwhile, in a folder of its own. Default: the system's for temporary files. */
  readonly folder?: string;
  /** Gives the sending up. */
  readonly signal?: AbortSignal;
}

const OPTIONS: OptionSet<WriteThroughFileOptions> = { folder: option.text, signal: option.signal };
/** Read and sent at a time. */
const PIECE_BYTES = 4 << 20;

/**
 * Calls `write` with the path of a file that is not there yet, in a folder of its own, sends the file that is there
 * afterwards under `key`, and removes the folder. Needs as much disk as the file has bytes. Writers that take a sink
 * need none of it: `write(await store.create(key), …)`.
 * @returns what `write` gave. @throws what it throws; IoError ERR_EXISTS, ERR_WRITE.
 */
export async function writeThroughFile<T>(
  store: ObjectStore,
  key: string,
  write: (path: string) => T | Promise<T>,
  options: WriteThroughFileOptions = {},
): Promise<T> {
  checkOptions('writeThroughFile', OPTIONS, options);
  checkKey(key);
  const { folder = tmpdir(), signal } = options;
  const own = await mkdtemp(join(folder, 'colkit-spool-'));
  try {
    const path = join(own, basename(key));
    const result = await write(path);
    await send(path, store, key, signal);
    return result;
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

async function send(path: string, store: ObjectStore, key: string, signal: AbortSignal | undefined): Promise<void> {
  const source = await FileSource.open(path, 'it is sent');
  try {
    const sink = await store.create(key, signal === undefined ? {} : { signal });
    try {
      const piece = new Uint8Array(Math.min(PIECE_BYTES, source.byteLength));
      for (let at = 0; at < source.byteLength; at += piece.byteLength) {
        signal?.throwIfAborted();
        const bytes = piece.subarray(0, Math.min(piece.byteLength, source.byteLength - at));
        await source.read(at, bytes);
        await sink.write(bytes);
      }
      await sink.finish();
    } catch (error) {
      await sink.abort().catch(() => undefined);
      throw error;
    }
  } finally {
    source.close();
  }
}
