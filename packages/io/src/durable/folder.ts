// A folder whose files come one after another, written by one program at a time: made so that it outlives a loss of
// power, listed, and cleared of what dead writers left in it.
import { dirname, join } from 'node:path';
import { systemCode } from '../errors/system-error.ts';
import type { Work } from '../effects/effect.ts';
import type { FileOperations } from '../effects/file-operations.ts';
import type { BoundOperation } from '../effects/run.ts';
import { fileCall } from './file-call.ts';
import { familyAction } from './growing-file.ts';
import { syncFolder, unlinkIfThere } from './publish.ts';
import { SYSTEM_FILES } from './system-files.ts';
import { SUFFIX, abandonedTarget, isAbandoned } from './temporary-name.ts';

/** What the user's mask leaves of it. */
const FOLDER_MODE = 0o777;

export class GrowingFolder {
  readonly path: string;
  readonly #files: FileOperations;

  constructor(path: string, files: FileOperations = SYSTEM_FILES) {
    this.path = path;
    this.#files = files;
  }

  /**
   * Makes it, and the folders above it that are missing. With `durable` their names are on the disk afterwards.
   * @throws IoError ERR_WRITE: not to be made, or something else has the name.
   */
  make(durable: boolean): BoundOperation<void> {
    return this.#action(() => making(this.path, durable));
  }

  /** The names in it, in no order. @throws IoError ERR_WRITE. */
  names(): BoundOperation<readonly string[]> {
    return this.#action(() => fileCall<'list'>({ kind: 'list', path: this.path }));
  }

  /**
   * Removes what dead writers left of files that have their names by now, and of those that never got one, where
   * `isUnwanted` says so of the name. What cannot be removed stays.
   */
  removeAbandoned(isUnwanted: (targetName: string) => boolean = () => false): BoundOperation<void> {
    return this.#action(() => removing(this.path, isUnwanted));
  }

  #action<T>(begin: () => Work<T>): BoundOperation<T> {
    return familyAction(this.#files, this.path, 'append', begin);
  }
}

function* making(path: string, durable: boolean): Work<void> {
  const there = yield* realFolder(path);
  if (there === null) {
    const error = yield* tryMaking(path);
    if (error !== null) {
      if (systemCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
      yield* making(dirname(path), durable);
      const second = yield* tryMaking(path);
      if (second !== null) throw second;
    }
  } else if (!(yield* isUnused(there))) return;
  if (durable) yield* syncFolder(dirname(there ?? path));
}

/** Null: it is there, by whomever. */
function* tryMaking(path: string): Work<Error | null> {
  try {
    yield* fileCall<'makeFolder'>({ kind: 'makeFolder', path, mode: FOLDER_MODE });
    return null;
  } catch (error) {
    return systemCode(error) === 'EEXIST' && (yield* realFolder(path)) !== null ? null : (error as Error);
  }
}

/** The path of a folder without links; null: there is none. */
function* realFolder(path: string): Work<string | null> {
  let real: string;
  try {
    real = yield* fileCall<'resolve'>({ kind: 'resolve', path });
  } catch {
    return null;
  }
  return (yield* fileCall<'inspect'>({ kind: 'inspect', path: real }))?.type === 'folder' ? real : null;
}

/** Whoever made a folder without files may have died before its name was on the disk. */
function* isUnused(path: string): Work<boolean> {
  const names = yield* fileCall<'list'>({ kind: 'list', path });
  return names.every((name) => name.startsWith('.'));
}

function* removing(path: string, isUnwanted: (targetName: string) => boolean): Work<void> {
  let names: readonly string[];
  try {
    names = yield* fileCall<'list'>({ kind: 'list', path });
  } catch {
    return;
  }
  const [left, targets] = [names.filter(isTemporary), names.filter((name) => !isTemporary(name))];
  for (const name of left) {
    const target = abandonedTarget(name);
    if ((target !== null && isUnwanted(target)) || targets.some((each) => isAbandoned(name, each)))
      yield* unlinkIfThere(join(path, name));
  }
}

export const isTemporary = (name: string): boolean => name.startsWith('.') && name.endsWith(SUFFIX);
