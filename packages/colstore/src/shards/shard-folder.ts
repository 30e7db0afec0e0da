// A folder that is appended to: made where it is missing, locked for one writer (also against Python's, which looks for
// the same lock), and what its files say that the next one must have.
import * as fs from 'node:fs';
import { basename, join } from 'node:path';
import { IoError, UnsupportedError } from '@colkit/io';
import type { RandomAccessSource } from '@colkit/io';
import { filesOf, isAbandoned, reserve, writeFile } from '@colkit/io/durable';
import type { Reservation } from '@colkit/io/durable';
import { openedSource, perform, withSource } from '@colkit/io/effects';
import type { Operation, Work } from '@colkit/io/effects';
import { filesOfFolder } from '@colkit/io/listing';
import { FILE_EXTENSION } from '../layout/constants.ts';
import type { StoredColumn } from '../layout/manifest.ts';
import { readLayout } from '../layout/read-layout.ts';

/** What writers lock in a folder; Python's package has the same. */
export const LOCK_NAME = '.colstore.lock';

export class ShardFolder {
  readonly path: string;
  readonly #lock: Reservation;

  constructor(path: string, lock: Reservation) {
    this.path = path;
    this.#lock = lock;
  }

  /** The files of the table, in their order. */
  files(): Work<readonly string[]> {
    return filesOfFolder(this.path, FILE_EXTENSION);
  }

  /** The columns that every file has; null: there is none yet. @throws what reading the first file throws. */
  *columns(): Work<readonly StoredColumn[] | null> {
    const [first] = yield* this.files();
    if (first === undefined) return null;
    return yield* withSource(first, openedSource(first, { io: 'pread' }), 'close', columnsOf);
  }

  /**
   * What dead writers left of files that have their names already; what they left of the next one goes with it. Nobody
   * else writes here now. What cannot be removed stays.
   */
  *removeAbandoned(): Work<void> {
    const left = (yield* perform(new HiddenNames(this.path))).filter((name) => name.endsWith('.tmp'));
    if (left.length === 0) return;
    const targets = (yield* this.files()).map((path) => basename(path));
    for (const name of left) {
      if (targets.some((target) => isAbandoned(name, target))) yield* perform(new Removal(join(this.path, name)));
    }
  }

  /** May be called again. Never throws. */
  *release(): Work<void> {
    yield* perform(this.#lock.release());
  }
}

class HiddenNames implements Operation<readonly string[]> {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async run(): Promise<readonly string[]> {
    return hidden(await fs.promises.readdir(this.#folder));
  }

  runSync(): readonly string[] {
    return hidden(fs.readdirSync(this.#folder));
  }
}

function hidden(names: readonly string[]): readonly string[] {
  return names.filter((name) => name.startsWith('.'));
}

class Removal implements Operation<void> {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  run(): Promise<void> {
    return fs.promises.rm(this.#path, { force: true }).catch(() => undefined);
  }

  runSync(): void {
    try {
      fs.rmSync(this.#path, { force: true });
    } catch {
      // The next writer tries again.
    }
  }
}

function* columnsOf(source: RandomAccessSource): Work<readonly StoredColumn[]> {
  return (yield* readLayout(source)).columns;
}

/**
 * Makes the folder, where it is missing, and locks it.
 * @throws IoError ERR_LOCKED where another writer, of any program, has it; ERR_WRITE.
 */
export function* lockFolder(path: string, options: object): Work<ShardFolder> {
  yield* makeFolder(path);
  const lockPath = join(path, LOCK_NAME);
  try {
    yield* writeFile(lockPath, { ...options, overwrite: false, durability: 'none' }, nothing);
  } catch (error) {
    if (!(error instanceof IoError) || error.code !== 'ERR_EXISTS') throw error;
  }
  try {
    const settings = { to: 'grow', durable: false, operations: filesOf(options), flock: true } as const;
    const folder = new ShardFolder(path, yield* perform(reserve(lockPath, settings)));
    yield* folder.removeAbandoned();
    return folder;
  } catch (error) {
    if (!(error instanceof IoError) || error.code !== 'ERR_LOCKED') throw error;
    throw new IoError('ERR_LOCKED', 'append', path, 'another writer appends to this folder; close it first', error);
  }
}

function* nothing(): Work<void> {
  // A lock has no content.
}

function* makeFolder(path: string): Work<void> {
  try {
    yield* perform({
      run: () => fs.promises.mkdir(path, { recursive: true }),
      runSync: () => fs.mkdirSync(path, { recursive: true }),
    });
  } catch (error) {
    throw new IoError('ERR_WRITE', 'append', path, error instanceof Error ? error.message : String(error), error);
  }
}

/** Files of a foreign byte order have types that are written the other way round. */
export function requireWritable(columns: readonly StoredColumn[], path: string): void {
  const foreign = columns.find(({ bigEndian }) => bigEndian);
  if (foreign === undefined) return;
  throw new UnsupportedError(
    'ERR_FEATURE',
    'big-endian files',
    `${path}: column ${JSON.stringify(foreign.name)} of its first file is stored big-endian; upgrade that file first`,
  );
}
