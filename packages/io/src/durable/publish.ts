// What all writers do to a file beside its target: make it, write all bytes, give it the target's name, sync the
// folder, or take it away. Written as procedures that run either way.
import { join } from 'node:path';
import { IoError } from '../errors/errors.ts';
import { messageOf, systemCode } from '../errors/system-error.ts';
import type { Work } from '../effects/effect.ts';
import { fileCall } from './file-call.ts';
import { exists, modeOf } from './target.ts';
import type { Target } from './target.ts';
import { isAbandoned } from './temporary-name.ts';

/** One system call writes less than 2 GiB, and a smaller piece holds up other writers less. */
const PIECE_BYTES = 64 * 1024 * 1024;
/** Of a new file: what the user's mask leaves of it. */
const NEW_MODE = 0o666;
/** What file systems without hard links answer to link(). */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL', 'EMLINK', 'EXDEV', 'EACCES']);
/** What systems answer that do not sync folders, or not for us: Windows, some network and FUSE file systems. */
const NO_FOLDER_SYNC = new Set(['EPERM', 'EACCES', 'EINVAL', 'EISDIR', 'EBADF', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** What Windows answers to a rename over a file that is open or mapped somewhere. */
const IN_USE = new Set(['EPERM', 'EACCES', 'EBUSY']);
/** Scanners and whoever reads a small file have it open for a moment. */
const WAITS = 50;
const WAIT_MS = 20;

/** Removes what dead writers of the same targets left. Whatever cannot be listed or removed stays. */
export function* removeAbandoned(folder: string, targetNames: readonly string[]): Work<void> {
  let names: readonly string[];
  try {
    names = yield* fileCall<'list'>({ kind: 'list', path: folder });
  } catch {
    return;
  }
  for (const name of names) {
    if (targetNames.some((targetName) => isAbandoned(name, targetName))) yield* unlinkIfThere(join(folder, name));
  }
}

/** A new file beside the target, at no moment open to more people than the target is. Gives its descriptor. */
export function* createBeside(path: string, target: Target): Work<number> {
  const mode = modeOf(target);
  const fd = yield* fileCall<'create'>({ kind: 'create', path, mode: mode ?? NEW_MODE });
  // The user's mask may have taken away what the target has.
  if (mode !== null) yield* setMode(fd, mode);
  return fd;
}

export function* setMode(fd: number, mode: number): Work<void> {
  try {
    yield* fileCall<'setMode'>({ kind: 'setMode', fd, mode });
  } catch {
    // Some file systems have no permissions.
  }
}

/** Writes all bytes, however few the system takes at a time. */
export function* writeAll(fd: number, bytes: Uint8Array, byteOffset: number): Work<void> {
  for (let done = 0; done < bytes.byteLength; ) {
    const piece = bytes.subarray(done, done + PIECE_BYTES);
    const written = yield* fileCall<'write'>({ kind: 'write', fd, bytes: piece, byteOffset: byteOffset + done });
    if (!(written > 0)) throw new Error(`the system wrote none of ${String(piece.byteLength)} bytes`);
    done += written;
  }
}

interface Publication {
  readonly overwrite: boolean;
  readonly durable: boolean;
  /** What is published holds what its writer acknowledged: where that fails, it keeps the name that it had. */
  readonly keep: boolean;
  /** Nobody else gives names in the folder: where there are no links, a rename takes none from anybody. */
  readonly ownsFolder?: boolean | undefined;
}

/** Gives a closed file the target's name. @throws IoError ERR_EXISTS; what the system says. */
export function* publish(from: string, target: Target, publication: Publication): Work<void> {
  const { overwrite, durable, keep, ownsFolder = false } = publication;
  if (overwrite) yield* replace(from, target, durable);
  else if (yield* tryLink(from, target)) yield* settleLink(from, target, durable, keep);
  else if (ownsFolder) yield* publishByRename(from, target, durable, keep);
  else yield* publishByReservation(from, target, durable, keep);
}

function* replace(from: string, target: Target, durable: boolean): Work<void> {
  yield* renameOver(from, target.path, target.given);
  if (!durable) return;
  try {
    yield* syncFolder(target.folder);
  } catch (error) {
    // The old file cannot be brought back.
    throw new Error(`the new content is in place, but may not survive a power failure: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/**
 * Windows does not replace a file that is open: a writer's own handles of it are closed before, and who opens it
 * meanwhile makes the rename fail, so that no rows go with the file that is replaced.
 */
export function keepsOpenFiles(): boolean {
  return process.platform === 'win32';
}

/**
 * A rename over a file that may be there; on Windows whoever has that open for a moment is waited for.
 * @param given as the caller named the file.
 */
export function* renameOver(from: string, to: string, given: string): Work<void> {
  for (let waited = 0; ; waited++) {
    try {
      yield* fileCall<'rename'>({ kind: 'rename', from, to });
      return;
    } catch (error) {
      if (!keepsOpenFiles() || !IN_USE.has(systemCode(error))) throw error;
      if (waited === WAITS) throw inUse(given, error);
    }
    yield* fileCall<'wait'>({ kind: 'wait', milliseconds: WAIT_MS });
  }
}

function inUse(given: string, error: unknown): IoError {
  const why = 'Windows does not replace a file that is open, in this program or another, or that is read-only';
  return new IoError('ERR_WRITE', 'rename', given, `${why}: close what reads it (${messageOf(error)})`, error);
}

/**
 * Unlike rename, link refuses an existing name in the same step that makes the new one. False: there are no links here.
 */
function* tryLink(from: string, target: Target): Work<boolean> {
  try {
    yield* fileCall<'link'>({ kind: 'link', from, to: target.path });
    return true;
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EEXIST') throw exists(target);
    if (!NO_LINKS.has(code)) throw error;
    return false;
  }
}

/** The old name goes; a power failure may not take both from a file with something in it that was acknowledged. */
function* settleLink(from: string, target: Target, durable: boolean, keep: boolean): Work<void> {
  if (!keep) yield* unlinkIfThere(from);
  try {
    if (durable) yield* syncFolder(target.folder);
  } catch (error) {
    yield* unlinkIfThere(target.path);
    throw error;
  }
  if (keep) yield* unlinkIfThere(from);
}

/** Without hard links: an empty file takes the name first, which only one writer can do, and is then replaced. */
function* publishByReservation(from: string, target: Target, durable: boolean, keep: boolean): Work<void> {
  let fd: number;
  try {
    fd = yield* fileCall<'create'>({ kind: 'create', path: target.path, mode: NEW_MODE });
  } catch (error) {
    throw systemCode(error) === 'EEXIST' ? exists(target) : error;
  }
  try {
    yield* fileCall<'close'>({ kind: 'close', fd });
    yield* fileCall<'rename'>({ kind: 'rename', from, to: target.path });
  } catch (error) {
    yield* unlinkIfThere(target.path);
    throw error;
  }
  yield* settleRename(from, target, durable, keep);
}

/** Without hard links, in a folder that is ours: nobody meets an empty file, also where its writer dies. */
function* publishByRename(from: string, target: Target, durable: boolean, keep: boolean): Work<void> {
  if ((yield* fileCall<'inspect'>({ kind: 'inspect', path: target.path })) !== null) throw exists(target);
  yield* fileCall<'rename'>({ kind: 'rename', from, to: target.path });
  yield* settleRename(from, target, durable, keep);
}

/** A new name that may not outlive a power failure is taken back. */
function* settleRename(from: string, target: Target, durable: boolean, keep: boolean): Work<void> {
  if (!durable) return;
  try {
    yield* syncFolder(target.folder);
  } catch (error) {
    if (keep) yield* fileCall<'rename'>({ kind: 'rename', from: target.path, to: from });
    else yield* unlinkIfThere(target.path);
    throw error;
  }
}

/**
 * Makes the names in a folder outlive a power failure. One rule for all writers: where the system does not sync
 * folders, that is as good as it gets; any other failure is one of the write.
 */
export function* syncFolder(folder: string): Work<void> {
  let fd: number | null = null;
  try {
    fd = yield* fileCall<'openFolder'>({ kind: 'openFolder', path: folder });
    yield* fileCall<'sync'>({ kind: 'sync', fd });
  } catch (error) {
    if (!NO_FOLDER_SYNC.has(systemCode(error))) throw error;
  } finally {
    if (fd !== null) yield* closeQuietly(fd);
  }
}

/** Removes an unfinished file. Never throws: there is an error already, or nothing that a caller could do. */
export function* discard(fd: number | null, path: string): Work<void> {
  if (fd !== null) yield* closeQuietly(fd);
  yield* unlinkIfThere(path);
}

export function* closeQuietly(fd: number): Work<void> {
  try {
    yield* fileCall<'close'>({ kind: 'close', fd });
  } catch {
    // The descriptor is gone either way.
  }
}

export function* unlinkIfThere(path: string): Work<void> {
  try {
    yield* fileCall<'unlink'>({ kind: 'unlink', path });
  } catch {
    // Gone already, or a folder that has become read-only.
  }
}
