// The path that a user gave -> the file that is meant: its real path, and what stands there.
import { basename, dirname, join, resolve, sep } from 'node:path';
import { IoError } from '../errors/errors.ts';
import { messageOf, systemCode } from '../errors/system-error.ts';
import type { Work } from '../effects/effect.ts';
import { fileCall } from './file-call.ts';
import type { FileFacts } from '../effects/file-operations.ts';

/** No system takes it for the path of a file, but `resolve` leaves it out. */
const ENDS_AS_A_FOLDER = sep === '/' ? /\/$/u : /[\\/]$/u;

export interface Target {
  /** As the caller named it: errors speak of it. */
  readonly given: string;
  /**
   * Absolute and without links: a link's own target is written, not the link. A link to nothing is itself the target.
   */
  readonly path: string;
  readonly folder: string;
  readonly name: string;
  /** What stands there; null where nothing does. */
  readonly facts: FileFacts | null;
}

/**
 * @param missing what it is where there is no such folder.
 * @throws IoError ERR_WRITE where the path cannot be looked at.
 */
export function* findTarget(given: string, missing: 'ERR_WRITE' | 'ERR_NOT_FOUND' = 'ERR_WRITE'): Work<Target> {
  const absolute = resolve(given);
  const path = join(yield* realFolder(given, dirname(absolute), missing), basename(absolute));
  const facts = yield* inspectIn(given, path);
  const target = yield* finalTarget(given, path, facts);
  if (ENDS_AS_A_FOLDER.test(given) && target.facts?.type !== 'folder')
    throw new IoError(missing, 'open', given, 'a path that ends in a separator is that of a folder');
  return target;
}

/** Behind a link. */
function* finalTarget(given: string, path: string, facts: FileFacts | null): Work<Target> {
  if (facts?.type !== 'link') return targetAt(given, path, facts);
  let final: string;
  try {
    final = yield* fileCall<'resolve'>({ kind: 'resolve', path });
  } catch {
    return targetAt(given, path, facts);
  }
  return targetAt(given, final, yield* fileCall<'inspect'>({ kind: 'inspect', path: final }));
}

function targetAt(given: string, path: string, facts: FileFacts | null): Target {
  return { given, path, folder: dirname(path), name: basename(path), facts };
}

function* realFolder(given: string, folder: string, missing: 'ERR_WRITE' | 'ERR_NOT_FOUND'): Work<string> {
  try {
    return yield* fileCall<'resolve'>({ kind: 'resolve', path: folder });
  } catch (error) {
    const code = systemCode(error);
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
    throw new IoError(missing, 'open', given, `there is no folder ${dirname(given)}`, error);
  }
}

function* inspectIn(given: string, path: string): Work<FileFacts | null> {
  try {
    return yield* fileCall<'inspect'>({ kind: 'inspect', path });
  } catch (error) {
    if (systemCode(error) !== 'ENOTDIR') throw error;
    throw new IoError('ERR_WRITE', 'open', given, `${dirname(given)} is not a folder`, error);
  }
}

/** Refuses to replace or change what is not a file. @throws IoError ERR_WRITE. */
export function requireFile({ given, facts }: Target): void {
  if (facts === null || facts.type === 'file' || facts.type === 'link') return;
  throw new IoError(
    'ERR_WRITE',
    'open',
    given,
    facts.type === 'folder' ? 'it is a folder' : 'it is not a regular file',
  );
}

/** Refuses what is there already. @throws IoError ERR_EXISTS. */
export function requireNothing(target: Target): void {
  if (target.facts !== null) throw exists(target);
}

export function exists({ given, facts }: Target): IoError {
  const what =
    facts?.type === 'folder'
      ? ', and is a folder'
      : facts?.type === 'other'
        ? ', and is not a regular file'
        : '; pass { overwrite: true } to replace it';
  return new IoError('ERR_EXISTS', 'write', given, `it exists already${what}`);
}

/** Permissions to keep, of the file that is replaced; null for a new one. */
export function modeOf({ facts }: Target): number | null {
  return facts?.type === 'file' ? facts.mode : null;
}

export function isSameFile(a: FileFacts | null, b: FileFacts | null): boolean {
  return a !== null && b !== null && a.inode !== 0n && a.inode === b.inode && a.device === b.device;
}

/** Any failure of a writer as an error of the family, about the path that its user named. */
export function writeFailed(given: string, error: unknown, operation = 'write'): Error {
  if (error instanceof IoError) return error;
  const message = messageOf(error);
  // What the system said has a code; anything else is somebody else's error.
  return new IoError('ERR_WRITE', operation, given, message + remedyOf(message), error);
}

function remedyOf(message: string): string {
  // Node's permission model forbids every fsync.
  if (/^fsync API is disabled/u.test(message))
    return "; writers, openFileSink and FolderStore with { durability: 'none' } need none";
  // A mount point keeps its name: a single file that was mounted, as containers are given one.
  return /^EBUSY.* rename /u.test(message) && process.platform !== 'win32'
    ? '; a file that is mounted by itself cannot be replaced: mount its folder'
    : '';
}
