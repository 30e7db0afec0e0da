// Folders and patterns -> the files that are meant, in natural order. Works, for both forms.
import * as fs from 'node:fs';
import { basename, join, sep } from 'node:path';
import { TURN, perform } from '../effects/effect.ts';
import type { Operation, Work } from '../effects/effect.ts';
import { IoError } from '../errors/errors.ts';
import { isError, messageOf, systemCode } from '../errors/system-error.ts';
import { sortedNaturally } from './natural-order.ts';
import { hasWildcards, nameMatcher } from './wildcards.ts';

/** Errors that say that nothing is there. Others say that it cannot be told: no permission, a network that fails. */
const NOTHING = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'EINVAL', 'ERR_INVALID_ARG_VALUE']);

/** What stands at a path, behind links; null: nothing. @throws IoError ERR_READ where that cannot be told. */
export function* kindOfPath(path: string): Work<'file' | 'folder' | 'other' | null> {
  const stats = yield* perform(new Status(path));
  if (stats === null) return null;
  return stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other';
}

/**
 * The files of a folder whose names end in `extension`, in natural order of their names; hidden ones are passed over.
 * @throws IoError ERR_NOT_FOUND, ERR_READ.
 */
export function* filesOfFolder(folder: string, extension: string): Work<readonly string[]> {
  const entries = yield* perform(new Listing(folder));
  if (isError(entries)) throw listFailed(folder, entries);
  const names: string[] = [];
  for (const entry of entries) {
    if (entry.name.startsWith('.') || !entry.name.endsWith(extension)) continue;
    const path = join(folder, entry.name);
    if (yield* isFile(entry, path)) names.push(path);
  }
  return sortedNaturally(names, basename);
}

/**
 * The files of a folder and of those in it, as paths relative to it with `/` between their parts, in natural order.
 * Names that start with a dot or an underscore are passed over, and so are links to folders.
 * @param accepts takes a path.
 * @throws IoError ERR_NOT_FOUND, ERR_READ.
 */
export function* filesBelow(folder: string, accepts: (path: string) => boolean): Work<readonly string[]> {
  const found: string[] = [];
  const left = [''];
  for (let below = left.pop(); below !== undefined; below = left.pop()) {
    const entries = yield* perform(new Listing(join(folder, below)));
    if (isError(entries)) throw listFailed(join(folder, below), entries);
    for (const entry of entries) {
      if (entry.name.startsWith('.') || entry.name.startsWith('_')) continue;
      const path = `${below}${entry.name}`;
      if (entry.isDirectory()) left.push(`${path}/`);
      else if (accepts(path) && (yield* isFile(entry, join(folder, path)))) found.push(path);
    }
    yield TURN;
  }
  return sortedNaturally(found);
}

/**
 * The last file of a folder, by the code units of the names, that has a byte; null: there is none.
 * @param accepts takes a name.
 * @throws IoError ERR_NOT_FOUND, ERR_READ.
 */
export function* lastFileOf(folder: string, accepts: (name: string) => boolean): Work<string | null> {
  const entries = yield* perform(new Listing(folder));
  if (isError(entries)) throw listFailed(folder, entries);
  const accepted = entries.filter(({ name }) => accepts(name)).sort((one, other) => (one.name < other.name ? 1 : -1));
  for (const entry of accepted) {
    const path = join(folder, entry.name);
    if ((yield* isFile(entry, path)) && ((yield* perform(new Status(path)))?.size ?? 0) > 0) return entry.name;
  }
  return null;
}

/**
 * The files that match a pattern (see wildcards.ts), in natural order of their paths, each once.
 * @throws IoError ERR_NOT_FOUND where none does; ERR_READ for a folder that cannot be looked into.
 */
export function* filesMatching(pattern: string): Work<readonly string[]> {
  const parts = pattern.split(sep === '\\' ? /[\\/]+/u : /\/+/u);
  const isAbsolute = parts[0] === '' || /^[A-Za-z]:$/u.test(parts[0] ?? '');
  const root = isAbsolute ? `${parts.shift() ?? ''}${sep}` : '';
  const found = new Set<string>();
  yield* search(root, parts, found);
  if (found.size === 0)
    throw new IoError(
      'ERR_NOT_FOUND',
      'open',
      pattern,
      'no file matches the pattern; a path without * ? [ is no pattern',
    );
  return sortedNaturally(found);
}

/** The files below `folder` ('' for the working folder) that the parts of a pattern lead to. */
function* search(folder: string, parts: readonly string[], found: Set<string>): Work<void> {
  const [part, ...rest] = parts;
  if (part === undefined) return;
  if (part === '' && rest.length > 0) return yield* search(folder, rest, found);
  if (!hasWildcards(part)) {
    const path = join(folder, part);
    if (rest.length > 0) yield* search(path, rest, found);
    else if ((yield* kindOfPath(path)) === 'file') found.add(path);
    return;
  }
  const isAny = part === '**';
  // `**` stands for no folder too; at the end for all files below.
  if (isAny && rest.length > 0) yield* search(folder, rest, found);
  const entries = yield* perform(new Listing(folder === '' ? '.' : folder));
  if (isError(entries)) {
    if (NOTHING.has(systemCode(entries))) return;
    throw listFailed(folder, entries);
  }
  const matches = nameMatcher(isAny ? '*' : part);
  for (const entry of entries) {
    if (!matches(entry.name)) continue;
    const path = join(folder, entry.name);
    const isFolder = entry.isDirectory();
    // Links to folders are followed by name only: they may lead in circles.
    if (isAny && isFolder) yield* search(path, parts, found);
    if (rest.length === 0) {
      if (yield* isFile(entry, path)) found.add(path);
    } else if (!isAny && (isFolder || (entry.isSymbolicLink() && (yield* kindOfPath(path)) === 'folder')))
      yield* search(path, rest, found);
  }
}

/**
 * Whether an entry is a file, or a link to one. @throws IoError ERR_NOT_FOUND for a link to nothing: the rows that it
 * stands for would be missing silently.
 */
function* isFile(entry: fs.Dirent, path: string): Work<boolean> {
  if (entry.isFile() || entry.isDirectory()) return entry.isFile();
  const kind = yield* kindOfPath(path);
  if (kind === null && entry.isSymbolicLink())
    throw new IoError('ERR_NOT_FOUND', 'open', path, 'the link leads to no file; mend or remove it');
  return kind === 'file';
}

class Status implements Operation<fs.Stats | null> {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  run(): Promise<fs.Stats | null> {
    return fs.promises.stat(this.#path).catch((error: unknown) => this.#nothing(error));
  }

  runSync(): fs.Stats | null {
    try {
      return fs.statSync(this.#path);
    } catch (error) {
      return this.#nothing(error);
    }
  }

  #nothing(error: unknown): null {
    if (NOTHING.has(systemCode(error))) return null;
    throw new IoError('ERR_READ', 'list', this.#path, messageOf(error), error);
  }
}

/** The entries of a folder, or why there are none. */
class Listing implements Operation<readonly fs.Dirent[] | Error> {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  run(): Promise<readonly fs.Dirent[] | Error> {
    return fs.promises.readdir(this.#folder, { withFileTypes: true }).catch((error: unknown) => error as Error);
  }

  runSync(): readonly fs.Dirent[] | Error {
    try {
      return fs.readdirSync(this.#folder, { withFileTypes: true });
    } catch (error) {
      return error as Error;
    }
  }
}

function listFailed(folder: string, error: Error): IoError {
  const code = systemCode(error) === 'ENOENT' ? 'ERR_NOT_FOUND' : 'ERR_READ';
  return new IoError(code, 'list', folder, messageOf(error), error);
}
