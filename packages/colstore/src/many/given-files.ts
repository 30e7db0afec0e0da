// What a user names as one table -> the files that are meant: a folder, a pattern, or a list of these and of files.
import { ArgumentError, describeValue, isSource, visibleUrl } from '@colkit/io';
import type { Openable } from '@colkit/io';
import type { Work } from '@colkit/io/effects';
import { filesMatching, filesOfFolder, hasWildcards, kindOfPath, localPath } from '@colkit/io/listing';
import { FILE_EXTENSION } from '../layout/constants.ts';
import { refuseCommitted } from './committed-folder.ts';

/** One file, or several as one table: a list, a folder, or a pattern such as `runs/run_*.cstore`. */
export type ManyOpenable = Openable | readonly Openable[];

export interface GivenFiles {
  /** What they are called together. */
  readonly name: string;
  /** Each of them one file. */
  readonly files: readonly Openable[];
}

/**
 * Null: it is one file, which is opened as it is.
 * @throws IoError ERR_NOT_FOUND for a pattern that no file matches; ArgumentError for a list of something else;
 * UnsupportedError for a folder that is committed to.
 */
export function* givenFiles(what: ManyOpenable): Work<GivenFiles | null> {
  if (!isList(what)) {
    const files = yield* filesOf(what);
    return files === null ? null : { name: localPath(what) ?? '', files };
  }
  const files: Openable[] = [];
  for (const [position, each] of what.entries()) {
    if (isList(each) || isSource(each))
      throw new ArgumentError(
        'ERR_ARGUMENT',
        'sources',
        'paths, URLs, bytes or Blobs, which can be opened again',
        `${isList(each) ? describeValue(each) : 'a source'} at position ${String(position)}`,
      );
    const found = yield* filesOf(each);
    if (found === null) files.push(each);
    else for (const path of found) files.push(path);
  }
  return { name: nameOf(files), files };
}

/** For messages: what one file is called. */
function nameOfFile(what: Openable): string {
  return localPath(what) ?? (what instanceof URL || typeof what === 'string' ? visibleUrl(what) : '<memory>');
}

function isList(what: unknown): what is readonly Openable[] {
  return Array.isArray(what);
}

/** Null: it is one file, or none. */
function* filesOf(what: Openable): Work<readonly string[] | null> {
  const path = localPath(what);
  if (path === null || path.includes('\0')) return null;
  const isPattern = typeof what === 'string' && path === what && hasWildcards(what);
  const kind = yield* kindOfPath(path);
  if (kind === 'folder') {
    yield* refuseCommitted(path, "read it by columna's openDataset(folder, { formats: [cstoreParts] })");
    return yield* filesOfFolder(path, FILE_EXTENSION);
  }
  // A file whose name has a bracket is that file.
  return isPattern && kind === null ? yield* filesMatching(what) : null;
}

function nameOf(files: readonly Openable[]): string {
  const [first] = files;
  if (first === undefined) return 'no files';
  const more = files.length - 1;
  return more === 0 ? nameOfFile(first) : `${nameOfFile(first)} and ${String(more)} more`;
}
