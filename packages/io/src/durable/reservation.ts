// A path that this process alone may change, for as long as it takes: to start a file beside it (PATH.partial, which a
// dead or failed writer leaves to `recover`), to go on with the file that is there, or to make a whole one of what was
// left. One-shot writers, which leave nothing, are in file-sink.ts.
import { basename } from 'node:path';
import { IoError } from '../errors/errors.ts';
import { systemCode } from '../errors/system-error.ts';
import { filePath } from '../source/paths/file-path.ts';
import { checkOptions, option } from '../options/index.ts';
import type { OptionSet } from '../options/index.ts';
import type { Work } from '../effects/effect.ts';
import type { BoundOperation } from '../effects/run.ts';
import { fileCall } from './file-call.ts';
import { lockFile, pathLock } from './file-lock.ts';
import type { FileLock } from './file-lock.ts';
import { GrowingFile, familyAction } from './growing-file.ts';
import type { FileFacts, FileOperations, FileSystemOptions } from '../effects/file-operations.ts';
import { closeQuietly, createBeside, publish, removeAbandoned, setMode, syncFolder } from './publish.ts';
import { SYSTEM_FILES } from './system-files.ts';
import { exists, findTarget, isSameFile, modeOf, requireFile, requireNothing } from './target.ts';
import type { Target } from './target.ts';
import { unfinished } from './unfinished.ts';

/**
 * Which of the files at and beside a path: the one that it names, the unfinished one, or another with an ending of its
 * own.
 */
export type Ending = '' | '.partial' | `.${string}`;

export interface ReserveOptions extends FileSystemOptions {
  /** 'new': nothing may be there. 'replace': nothing or a file. 'grow': a file. 'recover': what a dead writer left. */
  readonly to: 'new' | 'replace' | 'grow' | 'recover';
  /** Whether barriers and new names wait for the disk. */
  readonly durable: boolean;
  /** Take it from a living process too. */
  readonly force?: boolean | undefined;
  /** Also take the file's own lock (flock), which writers of other programs look for. */
  readonly flock?: boolean | undefined;
}

const FILE_SYSTEM_OPTIONS: OptionSet<FileSystemOptions> = { operations: option.object('file operations') };

const RESERVE_OPTIONS: OptionSet<ReserveOptions> = {
  ...FILE_SYSTEM_OPTIONS,
  to: option.word('new', 'replace', 'grow', 'recover'),
  durable: option.flag,
  force: option.flag,
  flock: option.flag,
};

/**
 * Reserves a path: finds the file behind links, refuses what is not a file, and locks it.
 * @throws IoError ERR_EXISTS, ERR_NOT_FOUND, ERR_LOCKED, ERR_WRITE (no such folder, not a regular file, read-only); at
 * once ArgumentError.
 */
export function reserve(path: string | URL, options: ReserveOptions): BoundOperation<Reservation> {
  checkOptions('reserve', RESERVE_OPTIONS, options);
  const { operations = SYSTEM_FILES } = options;
  const given = filePath(path);
  return familyAction(operations, given, 'open', () => reserving(given, options, operations));
}

function* reserving(
  given: string,
  { to, durable, force, flock }: ReserveOptions,
  operations: FileOperations,
): Work<Reservation> {
  const target = yield* findTarget(given, to === 'grow' || to === 'recover' ? 'ERR_NOT_FOUND' : 'ERR_WRITE');
  check(target, to);
  const lock = yield* lockFile(target, 'write', { force, flock });
  try {
    const locked: Target = { ...target, facts: lock.facts };
    check(locked, to);
    yield* removeAbandoned(target.folder, [basename(pathLock(target))]);
    if (operations === SYSTEM_FILES) unfinished.locks.add(lock);
    return new Reservation({ target: locked, lock, operations, durable, overwrites: to === 'replace' });
  } catch (error) {
    yield* lock.release();
    throw error;
  }
}

function check(target: Target, to: ReserveOptions['to']): void {
  if (to === 'new') requireNothing(target);
  else if (to === 'grow' && (target.facts === null || target.facts.type === 'link'))
    throw new IoError('ERR_NOT_FOUND', 'open', target.given, 'no such file');
  else requireFile(target);
}

interface Parts {
  readonly target: Target;
  readonly lock: FileLock;
  readonly operations: FileOperations;
  readonly durable: boolean;
  readonly overwrites: boolean;
}

export class Reservation {
  /** The real path of the file. */
  readonly path: string;
  readonly #parts: Parts;
  /** Of the file at the path, as it was found there, or put there. */
  #facts: FileFacts | null;

  constructor(parts: Parts) {
    this.path = parts.target.path;
    this.#parts = parts;
    this.#facts = parts.target.facts;
  }

  /** Whether the file itself is there. */
  get exists(): boolean {
    return this.#facts !== null;
  }

  beside(ending: Ending): string {
    return `${this.path}${ending}`;
  }

  /** What stands at or beside the path; null where nothing does. */
  inspect(ending: Ending): BoundOperation<FileFacts | null> {
    return this.#action('open', () => ifThere(fileCall<'inspect'>({ kind: 'inspect', path: this.beside(ending) })));
  }

  /** The bytes of a small file; null where there is none. */
  read(ending: Ending): BoundOperation<Uint8Array | null> {
    return this.#action('read', () => ifThere(fileCall<'read'>({ kind: 'read', path: this.beside(ending) })));
  }

  /**
   * A new file beside the path, with the permissions of the one that it is to replace.
   * @param lifetime 'kept': what a dead writer leaves is of use. 'temporary': `removeUnfinished` takes it away.
   * @throws IoError ERR_EXISTS where a dead writer left one.
   */
  create(ending: Ending, lifetime: 'kept' | 'temporary' = 'kept'): BoundOperation<GrowingFile> {
    return this.#action('create', () => this.#create(ending, lifetime));
  }

  /** @throws IoError ERR_EXISTS where a dead writer left that file. */
  requireNone(ending: Ending): BoundOperation<void> {
    return this.#action('create', () => this.#requireNone(ending));
  }

  /**
   * The file at or beside the path, to be written on; the name of the file itself outlives a power failure then.
   * @throws IoError ERR_WRITE, ERR_FILE_CHANGED.
   */
  open(ending: Ending): BoundOperation<GrowingFile> {
    return this.#action('open', () => this.#open(ending));
  }

  remove(ending: Ending): BoundOperation<void> {
    return this.#action('unlink', () => this.#remove(ending));
  }

  /**
   * Gives a closed file beside the path, PATH.partial, the path. Where that fails, it stays as it is.
   * @throws IoError ERR_EXISTS.
   */
  publish(overwrite = this.#parts.overwrites, from = this.beside('.partial')): BoundOperation<void> {
    return this.#action('publish', () => this.#publish(from, overwrite));
  }

  /**
   * Whether PATH.partial is another name of the file: its writer died between giving it the one and taking the other
   * away.
   */
  isPublished(): BoundOperation<boolean> {
    return this.#action('open', () => this.#isPublished());
  }

  /** @throws IoError ERR_FILE_CHANGED where the path leads to another file than the one that was written. */
  requireInPlace(): BoundOperation<void> {
    return this.#action('close', () => this.#requireInPlace());
  }

  /** May be called again. Never throws: a lock of a process that has ended is taken over. */
  release(): BoundOperation<void> {
    return this.#action('release', () => this.#release());
  }

  *#release(): Work<void> {
    const { lock } = this.#parts;
    yield* lock.release();
    unfinished.locks.delete(lock);
  }

  *#create(ending: Ending, lifetime: 'kept' | 'temporary'): Work<GrowingFile> {
    const { target, durable, operations } = this.#parts;
    const path = this.beside(ending);
    let fd: number;
    // Before it is there: a signal may come between its making and the next step here. The path is locked.
    if (lifetime === 'temporary' && operations === SYSTEM_FILES) unfinished.files.add(path);
    try {
      fd = yield* createBeside(path, target);
    } catch (error) {
      unfinished.files.delete(path);
      throw systemCode(error) === 'EEXIST' ? leftBehind(path, error) : error;
    }
    if (lifetime === 'kept') this.#keepLock();
    const file = yield* this.#growing(path, fd, 0);
    // What is acknowledged outlives a power failure only in a file whose name does.
    if (durable && ending === '.partial') yield* this.#closing(fd, syncFolder(target.folder));
    return file;
  }

  *#requireNone(ending: Ending): Work<void> {
    const path = this.beside(ending);
    if ((yield* ifThere(fileCall<'inspect'>({ kind: 'inspect', path }))) !== null) throw leftBehind(path);
  }

  *#open(ending: Ending): Work<GrowingFile> {
    const { target, durable } = this.#parts;
    const path = this.beside(ending);
    const before = yield* fileCall<'inspect'>({ kind: 'inspect', path });
    if (before !== null)
      requireFile({
        ...target,
        given: ending === '' ? target.given : path,
        facts: before.type === 'link' ? { ...before, type: 'other' } : before,
      });
    const fd = yield* fileCall<'open'>({ kind: 'open', path });
    this.#keepLock();
    const file = yield* this.#growing(path, fd, null);
    const isOurs = ending === '' ? isSameFile(file.facts, this.#facts) : isSameFile(file.facts, before);
    if (!isOurs && file.facts.inode !== 0n) {
      yield* closeQuietly(fd);
      throw changed(target);
    }
    // A file that is to be published is open to nobody whom the one that it replaces was not open to.
    const mode = ending === '' ? null : modeOf(target);
    if (mode !== null && mode !== file.facts.mode) yield* setMode(fd, mode);
    // PATH.partial is published before anything is promised of it, and its name goes.
    if (durable && ending === '') yield* this.#closing(fd, syncFolder(target.folder));
    return file;
  }

  /** A write that is under way may end after the lock is given back: it stays until the process is dead. */
  #keepLock(): void {
    unfinished.locks.delete(this.#parts.lock);
  }

  /** @param position null: at the end. */
  *#growing(path: string, fd: number, position: number | null): Work<GrowingFile> {
    const { operations, durable, target } = this.#parts;
    const facts = yield* this.#closing(fd, fileCall<'stat'>({ kind: 'stat', fd }));
    return new GrowingFile(
      { path: path === this.path ? target.given : path, fd, facts, operations, durable },
      position ?? facts.byteLength,
    );
  }

  /** What follows the opening of a file: where it fails, the file is closed. */
  *#closing<T>(fd: number, steps: Work<T>): Work<T> {
    try {
      return yield* steps;
    } catch (error) {
      yield* closeQuietly(fd);
      throw error;
    }
  }

  *#remove(ending: Ending): Work<void> {
    const path = this.beside(ending);
    try {
      yield* ifThere(fileCall<'unlink'>({ kind: 'unlink', path }));
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') throw error;
    }
    unfinished.files.delete(path);
  }

  *#publish(from: string, overwrite: boolean): Work<void> {
    const { target, durable, lock } = this.#parts;
    const facts = yield* fileCall<'inspect'>({ kind: 'inspect', path: this.path });
    const now: Target = { ...target, facts };
    if (overwrite) {
      requireFile(now);
      yield* this.#matchMode(from, now);
      yield* lock.allowReplacement();
    } else if (facts !== null) throw exists(now);
    yield* publish(from, now, { overwrite, durable, keep: true });
    unfinished.files.delete(from);
    // Not as its descriptor tells: file systems of FUSE (sshfs) take a new name for another file.
    this.#facts = yield* fileCall<'inspect'>({ kind: 'inspect', path: this.path });
  }

  /** Somebody may have changed the permissions of the file that is about to be replaced. */
  *#matchMode(path: string, now: Target): Work<void> {
    const mode = modeOf(now);
    const partial = yield* fileCall<'inspect'>({ kind: 'inspect', path });
    if (mode === null || partial === null || partial.mode === mode) return;
    const fd = yield* fileCall<'open'>({ kind: 'open', path });
    yield* setMode(fd, mode);
    yield* closeQuietly(fd);
  }

  *#isPublished(): Work<boolean> {
    const partial = yield* ifThere(fileCall<'inspect'>({ kind: 'inspect', path: this.beside('.partial') }));
    return isSameFile(partial, this.#facts);
  }

  *#requireInPlace(): Work<void> {
    const now = yield* fileCall<'inspect'>({ kind: 'inspect', path: this.path });
    if (!isSameFile(now, this.#facts) && this.#facts?.inode !== 0n) throw changed(this.#parts.target);
  }

  #action<T>(operation: string, begin: () => Work<T>): BoundOperation<T> {
    return familyAction(this.#parts.operations, this.#parts.target.given, operation, begin);
  }
}

/** What is found beside a path. A name of nearly 255 bytes leaves no room for one with an ending: nothing is there. */
function* ifThere<T>(look: Work<T>): Work<T | null> {
  try {
    return yield* look;
  } catch (error) {
    if (systemCode(error) !== 'ENAMETOOLONG') throw error;
    return null;
  }
}

function changed({ given }: Target): IoError {
  return new IoError(
    'ERR_FILE_CHANGED',
    'write',
    given,
    'another program put another file in its place while it was written',
  );
}

/** What stands in the way of a new writer: a dead one's work. */
function leftBehind(path: string, cause?: unknown): IoError {
  return new IoError(
    'ERR_EXISTS',
    'create',
    path,
    'a writer that died left this file: recover(path) makes a whole file of it, { overwrite: true } throws it away',
    cause,
  );
}
