// A folder that is appended to: made where it is missing, locked for one writer (also against Python's, which looks for
// the same lock), and what its files say that the next one must have.
import { join } from 'node:path';
import { IoError, UnsupportedError } from '@colkit/io';
import type { RandomAccessSource } from '@colkit/io';
import { GrowingFolder, filesOf, reserve, writeFile } from '@colkit/io/durable';
import type { Reservation } from '@colkit/io/durable';
import { openedSource, perform, withSource } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { kindOfPath, sortedNaturally } from '@colkit/io/listing';
import { FILE_EXTENSION } from '../layout/constants.ts';
import type { StoredColumn } from '../layout/manifest.ts';
import { readLayout } from '../layout/read-layout.ts';
import { refuseCommitted } from '../many/committed-folder.ts';

/** What writers lock in a folder; Python's package has the same. */
const LOCK_NAME = '.colstore.lock';

export class ShardFolder {
  readonly path: string;
  readonly #folder: GrowingFolder;
  readonly #lock: Reservation;

  constructor(folder: GrowingFolder, lock: Reservation) {
    this.path = folder.path;
    this.#folder = folder;
    this.#lock = lock;
  }

  /** What has the name of a file of the table, in no order. */
  *names(): Work<readonly string[]> {
    const names = yield* perform(this.#folder.names());
    return names.filter((name) => name.endsWith(FILE_EXTENSION) && !name.startsWith('.'));
  }

  /**
   * The columns that every file has; null: there is none yet. @throws what reading the first file throws.
   * @param names of the files.
   */
  *columns(names: readonly string[]): Work<readonly StoredColumn[] | null> {
    for (const name of sortedNaturally(names)) {
      const path = join(this.path, name);
      if ((yield* kindOfPath(path)) === 'file')
        return yield* withSource(path, openedSource(path, { io: 'pread' }), 'close', columnsOf);
    }
    return null;
  }

  /** May be called again. Never throws. */
  *release(): Work<void> {
    yield* perform(this.#lock.release());
  }
}

function* columnsOf(source: RandomAccessSource): Work<readonly StoredColumn[]> {
  return (yield* readLayout(source)).columns;
}

/**
 * Makes the folder, where it is missing, and locks it.
 * @throws IoError ERR_LOCKED where another writer, of any program, has it; ERR_WRITE; UnsupportedError ERR_FEATURE for
 * a folder that is committed to.
 */
export function* lockFolder(path: string, options: AppendedOptions): Work<ShardFolder> {
  const operations = filesOf(options);
  const kind = yield* kindOfPath(path);
  if (kind === 'file' || kind === 'other')
    throw new IoError(
      'ERR_WRITE',
      'append',
      path,
      kind === 'file' ? 'it is a file, and new files go to a folder; update(path) adds rows' : 'it is not a folder',
    );
  yield* refuseCommitted(path, 'add rows by writePart and commit of columna');
  const folder = new GrowingFolder(path, operations);
  yield* perform(folder.make(options.durability !== 'none'));
  const lockPath = join(path, LOCK_NAME);
  try {
    yield* writeFile(lockPath, { ...options, overwrite: false, durability: 'none' }, nothing);
  } catch (error) {
    if (!(error instanceof IoError) || error.code !== 'ERR_EXISTS') throw error;
  }
  try {
    const settings = { to: 'grow', durable: false, operations, flock: true } as const;
    const locked = new ShardFolder(folder, yield* perform(reserve(lockPath, settings)));
    // Nobody else writes here now. What a dead writer left of the next file goes with that.
    yield* perform(folder.removeAbandoned());
    return locked;
  } catch (error) {
    if (!(error instanceof IoError) || error.code !== 'ERR_LOCKED') throw error;
    throw new IoError('ERR_LOCKED', 'append', path, 'another writer appends to this folder; close it first', error);
  }
}

interface AppendedOptions {
  readonly durability?: 'full' | 'none';
}

function* nothing(): Work<void> {
  // A lock has no content.
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
