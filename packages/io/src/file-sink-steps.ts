// What an atomic file does to the file system, as procedures that run either way: find the target, clean up after dead writers, write all bytes, publish or discard.
import { basename, dirname, join, resolve } from 'node:path';
import { IoError } from './errors.ts';
import { perform } from './file-operations.ts';
import type { FileSteps } from './file-operations.ts';
import { messageOf, systemCode } from './source-checks.ts';
import { isAbandoned, temporaryName } from './temporary-name.ts';

export interface Target {
  /** Absolute, without a link at its end: a link's own target is replaced, not the link. */
  readonly path: string;
  readonly folder: string;
  readonly name: string;
  /** Permissions to keep, of the file that is replaced. */
  readonly mode: number | null;
}

/** Where a writer's bytes go until they are published. */
export interface Temporary {
  readonly path: string;
  readonly fd: number;
}

/** One system call writes less than 2 GiB, and a smaller piece holds up other writers less. */
const PIECE_BYTES = 64 * 1024 * 1024;
/** What file systems without hard links answer to link(). */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL', 'EMLINK', 'EXDEV', 'EACCES']);
/** What systems answer that do not sync folders, or not for us: Windows, some network and FUSE file systems. */
const NO_FOLDER_SYNC = new Set(['EPERM', 'EACCES', 'EINVAL', 'EISDIR', 'EBADF', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** @throws IoError ERR_EXISTS without `overwrite`; ERR_WRITE for what is not a file. */
export function* findTarget(path: string, overwrite: boolean): FileSteps<Target> {
  const given = resolve(path);
  const facts = yield* perform<'inspect'>({ kind: 'inspect', path: given });
  if (facts === null) return targetAt(given, null);
  if (!overwrite) throw exists(path);
  if (facts.type !== 'link') return targetAt(given, replaceable(path, facts.type, facts.mode));
  let final: string;
  try {
    final = yield* perform<'resolve'>({ kind: 'resolve', path: given });
  } catch {
    return targetAt(given, null); // a link to nothing is itself what is replaced
  }
  const behind = yield* perform<'inspect'>({ kind: 'inspect', path: final });
  return targetAt(final, behind === null ? null : replaceable(path, behind.type, behind.mode));
}

function replaceable(path: string, type: string, mode: number): number {
  if (type !== 'file') throw new IoError('ERR_WRITE', 'open', path, type === 'folder' ? 'it is a folder' : 'it is not a regular file');
  return mode;
}

function targetAt(path: string, mode: number | null): Target {
  return { path, folder: dirname(path), name: basename(path), mode };
}

/** Removes what dead writers of the same target left. Whatever cannot be listed or removed stays. */
export function* removeAbandoned(target: Target): FileSteps<void> {
  let names: readonly string[];
  try {
    names = yield* perform<'list'>({ kind: 'list', path: target.folder });
  } catch {
    return;
  }
  for (const name of names) if (isAbandoned(name, target.name)) yield* unlinkIfThere(join(target.folder, name));
}

export function* createTemporary(target: Target): FileSteps<Temporary> {
  const path = join(target.folder, temporaryName(target.name));
  const fd = yield* perform<'create'>({ kind: 'create', path, mode: 0o666 });
  if (target.mode !== null) {
    try {
      yield* perform<'setMode'>({ kind: 'setMode', fd, mode: target.mode });
    } catch {
      // Some file systems have no permissions.
    }
  }
  return { path, fd };
}

/** Writes all bytes, however few the system takes at a time. */
export function* writeAll(fd: number, bytes: Uint8Array, byteOffset: number): FileSteps<void> {
  for (let done = 0; done < bytes.byteLength; ) {
    const piece = bytes.subarray(done, done + PIECE_BYTES);
    const written = yield* perform<'write'>({ kind: 'write', fd, bytes: piece, byteOffset: byteOffset + done });
    if (!(written > 0)) throw new Error(`the system wrote none of ${String(piece.byteLength)} bytes`);
    done += written;
  }
}

/** Gives the closed temporary file the target's name. @throws IoError ERR_EXISTS; what the system says. */
export function* publish(temporary: string, target: Target, overwrite: boolean, durable: boolean): FileSteps<void> {
  if (overwrite) yield* perform<'rename'>({ kind: 'rename', from: temporary, to: target.path });
  else yield* publishNew(temporary, target);
  if (!durable) return;
  try {
    yield* syncFolder(target.folder);
  } catch (error) {
    // A new file can be taken back; an old one that was replaced cannot be brought back.
    if (!overwrite) yield* unlinkIfThere(target.path);
    throw overwrite ? new Error(`the new content is in place, but may not survive a power failure: ${messageOf(error)}`, { cause: error }) : error;
  }
}

/** Unlike rename, link refuses an existing name in the same step that makes the new one. */
function* publishNew(temporary: string, target: Target): FileSteps<void> {
  try {
    yield* perform<'link'>({ kind: 'link', from: temporary, to: target.path });
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EEXIST') throw exists(target.path);
    if (!NO_LINKS.has(code)) throw error;
    yield* publishByReservation(temporary, target);
    return;
  }
  yield* unlinkIfThere(temporary);
}

/** Without hard links: an empty file takes the name first, which only one writer can do, and is then replaced. */
function* publishByReservation(temporary: string, target: Target): FileSteps<void> {
  let fd: number;
  try {
    fd = yield* perform<'create'>({ kind: 'create', path: target.path, mode: 0o666 });
  } catch (error) {
    throw systemCode(error) === 'EEXIST' ? exists(target.path) : error;
  }
  try {
    yield* perform<'close'>({ kind: 'close', fd });
    yield* perform<'rename'>({ kind: 'rename', from: temporary, to: target.path });
  } catch (error) {
    yield* unlinkIfThere(target.path);
    throw error;
  }
}

function* syncFolder(folder: string): FileSteps<void> {
  let fd: number | null = null;
  try {
    fd = yield* perform<'openFolder'>({ kind: 'openFolder', path: folder });
    yield* perform<'sync'>({ kind: 'sync', fd });
  } catch (error) {
    if (!NO_FOLDER_SYNC.has(systemCode(error))) throw error;
  } finally {
    if (fd !== null) yield* closeQuietly(fd);
  }
}

/** Removes a temporary file. Never throws: there is an error already, or nothing that a caller could do. */
export function* discard(fd: number | null, temporary: string): FileSteps<void> {
  if (fd !== null) yield* closeQuietly(fd);
  yield* unlinkIfThere(temporary);
}

function* closeQuietly(fd: number): FileSteps<void> {
  try {
    yield* perform<'close'>({ kind: 'close', fd });
  } catch {
    // The descriptor is gone either way.
  }
}

function* unlinkIfThere(path: string): FileSteps<void> {
  try {
    yield* perform<'unlink'>({ kind: 'unlink', path });
  } catch {
    // Gone already, or a folder that has become read-only.
  }
}

function exists(path: string): IoError {
  return new IoError('ERR_EXISTS', 'write', path, 'it exists already; pass { overwrite: true } to replace it');
}

/** Any failure of a write as an error of the family. */
export function writeFailed(path: string, error: unknown): IoError {
  return error instanceof IoError ? error : new IoError('ERR_WRITE', 'write', path, messageOf(error), error);
}
