// A folder of this machine, or a mounted one, as a store: an object is a file, written beside, and named when it is
// whole and on the disk.
import type { Stats } from 'node:fs';
import { readFile, readdir, stat, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { GrowingFolder, isTemporary } from '../durable/folder.ts';
import { openFileSink } from '../durable/file-sink.ts';
import { ArgumentError, IoError, isColkitError } from '../errors/errors.ts';
import { messageOf, systemCode } from '../errors/system-error.ts';
import type { Sink } from '../memory/sink.ts';
import { openSource } from '../source/open-source.ts';
import type { RandomAccessSource } from '../source/source.ts';
import { checkKey } from './check-key.ts';
import type { ListOptions, ObjectStore, StoreCallOptions, StoredObject } from './object-store.ts';
import { checkOptions, option } from '../options/index.ts';
import type { OptionSet } from '../options/index.ts';
import { run } from '../effects/run.ts';
import { perform } from '../effects/effect.ts';

export interface FolderStoreOptions {
  /** 'full', the default: what was written survives a loss of power. 'none' does not wait for the disk. */
  readonly durability?: 'full' | 'none';
}

const FOLDER_STORE_OPTIONS: OptionSet<FolderStoreOptions> = { durability: option.word('full', 'none') };
const CALL_OPTIONS: OptionSet<StoreCallOptions> = { signal: option.signal };
const LIST_OPTIONS: OptionSet<ListOptions> = { ...CALL_OPTIONS, after: option.text };
/** Files that the system is asked about at the same time. */
const LOOKED_AT_TOGETHER = 32;
const GONE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);

/**
 * The folder need not be there: writing makes it, and folders in it. Files whose names start with a dot are no objects.
 * `putIfAbsent` and `create` give a file its name by a hard link, which refuses a name that is taken; where the file
 * system has no hard links an empty file takes the name first, and a writer that dies in that moment leaves it.
 */
export class FolderStore implements ObjectStore {
  readonly name: string;
  readonly #durability: 'full' | 'none';

  constructor(folder: string, options: FolderStoreOptions = {}) {
    checkOptions('FolderStore', FOLDER_STORE_OPTIONS, options);
    const { durability = 'full' } = options;
    if (typeof folder !== 'string' || folder === '' || folder.includes('\0'))
      throw new ArgumentError('ERR_ARGUMENT', 'folder', 'the path of a folder', JSON.stringify(folder));
    this.name = resolve(folder);
    this.#durability = durability;
  }

  /** Where an object lies. @throws ArgumentError for what is no key. */
  pathOf(key: string): string {
    checkKey(key);
    return join(this.name, key);
  }

  async *list(prefix: string, options: ListOptions = {}): AsyncGenerator<StoredObject, void, undefined> {
    checkOptions('list', LIST_OPTIONS, options);
    const { signal, after = '' } = options;
    const at = prefix.lastIndexOf('/');
    const folder = prefix.slice(0, at + 1);
    if (folder !== '') checkKey(folder.slice(0, -1));
    const keys: string[] = [];
    await this.#collect(folder, prefix, keys, isObject, signal);
    const behind = keys.filter((key) => key > after).sort();
    for (let start = 0; start < behind.length; start += LOOKED_AT_TOGETHER) {
      signal?.throwIfAborted();
      const some = behind.slice(start, start + LOOKED_AT_TOGETHER);
      for (const found of await Promise.all(some.map((key) => this.#stored(key)))) if (found !== null) yield found;
    }
  }

  /** Temporary files, which have their place beside the files that they are to become. */
  async *listUnfinished(): AsyncGenerator<StoredObject, void, undefined> {
    const keys: string[] = [];
    await this.#collect('', '', keys, isTemporary);
    for (const key of keys) {
      const found = await this.#stored(key);
      if (found !== null) yield found;
    }
  }

  async read(key: string, options: StoreCallOptions = {}): Promise<Uint8Array> {
    checkOptions('read', CALL_OPTIONS, options);
    const { signal } = options;
    const path = this.pathOf(key);
    try {
      return await readFile(path, signal === undefined ? {} : { signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw readFailed(path, error);
    }
  }

  open(key: string): Promise<RandomAccessSource> {
    return openSource(this.pathOf(key));
  }

  async create(key: string): Promise<Sink> {
    const path = this.pathOf(key);
    await run(perform(new GrowingFolder(dirname(path)).make(this.#durability === 'full')));
    return openFileSink(path, { durability: this.#durability });
  }

  async putIfAbsent(key: string, bytes: Uint8Array, options: StoreCallOptions = {}): Promise<boolean> {
    checkOptions('putIfAbsent', CALL_OPTIONS, options);
    const { signal } = options;
    signal?.throwIfAborted();
    let sink: Sink | null = null;
    try {
      sink = await this.create(key);
      await sink.write(bytes);
      await sink.finish();
      return true;
    } catch (error) {
      await sink?.abort();
      if (isColkitError(error) && error.code === 'ERR_EXISTS') return false;
      throw error;
    }
  }

  async delete(key: string): Promise<void> {
    const path = this.pathOf(key);
    try {
      await unlink(path);
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') throw new IoError('ERR_WRITE', 'delete', path, messageOf(error), error);
    }
  }

  async #stored(key: string): Promise<StoredObject | null> {
    const facts = await factsOf(this.pathOf(key));
    if (facts?.isFile() !== true) return null;
    const etag = `${String(facts.ino)}-${String(facts.size)}-${String(facts.mtimeMs)}`;
    return { key, byteLength: facts.size, modified: facts.mtimeMs, etag };
  }

  /** The keys below a folder ('' or with a `/` at its end). */
  async #collect(
    folder: string,
    prefix: string,
    keys: string[],
    accepts: (name: string) => boolean,
    signal?: AbortSignal,
  ): Promise<void> {
    signal?.throwIfAborted();
    const path = join(this.name, folder);
    let entries;
    try {
      entries = await readdir(path, { withFileTypes: true });
    } catch (error) {
      // A store of which nothing was written yet is empty.
      if (systemCode(error) === 'ENOENT') return;
      throw readFailed(path, error);
    }
    for (const entry of entries) {
      const key = `${folder}${entry.name}`;
      if (entry.isDirectory()) {
        if (isObject(entry.name) && (`${key}/`.startsWith(prefix) || prefix.startsWith(`${key}/`)))
          await this.#collect(`${key}/`, prefix, keys, accepts, signal);
      } else if (accepts(entry.name) && key.startsWith(prefix)) keys.push(key);
    }
  }
}

const isObject = (name: string): boolean => !name.startsWith('.');

/** It may have gone meanwhile, and links lead where they lead: null. @throws IoError where that cannot be told. */
async function factsOf(path: string): Promise<Stats | null> {
  try {
    return await stat(path);
  } catch (error) {
    if (GONE.has(systemCode(error))) return null;
    throw readFailed(path, error);
  }
}

function readFailed(path: string, error: unknown): IoError {
  const code = systemCode(error) === 'ENOENT' ? 'ERR_NOT_FOUND' : 'ERR_READ';
  return new IoError(code, 'read', path, messageOf(error), error);
}
