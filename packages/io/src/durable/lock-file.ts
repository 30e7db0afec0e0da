// A file that says which process holds something: at most one living process at a time, and a dead one's is taken
// over without a moment at which two could have it or nobody has.
//   place: the whole content under a temporary name, then link(), which one process alone can do
//   take over: a guard, itself such a lock, named after the very content of the dead lock; under it the dead lock is
//   looked at again and replaced by rename(). Nobody else may replace that content, and its owner cannot come back.
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { crc32 } from '../values/crc32.ts';
import { systemCode } from '../errors/system-error.ts';
import type { Work } from '../effects/effect.ts';
import { fileCall } from './file-call.ts';
import { discard, renameOver, unlinkIfThere, writeAll } from './publish.ts';
import { SUFFIX, isDeadWriter, temporaryPrefix, writerTag } from './temporary-name.ts';

/** The process that holds a lock. */
export interface Owner {
  readonly host: string;
  readonly pid: number;
  /** It tells of the process, and is another for every lock of it. */
  readonly tag: string;
  /** 'replace': for the moment in which a file is replaced by one that is whole. Others wait for it. */
  readonly purpose: 'write' | 'replace';
  /** Of the lock of an inode: the real path by which its holder came. */
  readonly path?: string;
}

/** Those whose content nobody understands are looked at so often: it may be about to be written. */
const LOOKS = 10;
const LOOK_MS = 20;
const ATTEMPTS = 5;
/** Guards of guards: so many takers died in a row while they took over. */
const DEEPEST = 4;
const MODE = 0o644;
const GUARD = '.guard';

export function newOwner(purpose: Owner['purpose']): Owner {
  return { host: hostname(), pid: process.pid, tag: writerTag(), purpose };
}

/**
 * Null where the lock is had now; else who has it: 'somebody' where it went from one to the next all the time.
 * @param force takes it from the living too.
 */
export function* takeLockFile(lock: string, own: Owner, force: boolean): Work<Owner | 'somebody' | null> {
  return yield* take(
    { lock, beside: temporaryPrefix(basename(lock)) },
    new TextEncoder().encode(JSON.stringify(own)),
    force,
    0,
  );
}

interface LockPaths {
  readonly lock: string;
  /** What the names of all temporary files and guards of the lock begin with, and those of its guards. */
  readonly beside: string;
}

function* take(paths: LockPaths, text: Uint8Array, force: boolean, depth: number): Work<Owner | 'somebody' | null> {
  const { lock, beside } = paths;
  for (let attempt = 0; attempt < ATTEMPTS && depth < DEEPEST; attempt++) {
    if (yield* put(paths, text)) return null;
    const found = yield* settled(lock);
    if (found === null) continue;
    if (found.owner !== null && !force && !isDeadWriter(found.owner.tag)) return found.owner;
    const guard = join(dirname(lock), `${beside}${crc32(found.bytes).toString(16).padStart(8, '0')}${GUARD}`);
    const other = yield* take({ lock: guard, beside }, text, false, depth + 1);
    if (other !== null) return other;
    try {
      if (!(yield* replaceIfSame(paths, found.bytes, text))) continue;
    } finally {
      yield* unlinkIfThere(guard);
    }
    // Guards of contents that are gone, of takers that died. Only with the lock itself: they all guard earlier contents
    // of it.
    if (depth === 0) yield* removeGuards(paths);
    return null;
  }
  return 'somebody';
}

function* removeGuards({ lock, beside }: LockPaths): Work<void> {
  let names: readonly string[] = [];
  try {
    names = yield* fileCall<'list'>({ kind: 'list', path: dirname(lock) });
  } catch {
    // Only tidying up.
  }
  for (const name of names)
    if (name.startsWith(beside) && name.endsWith(GUARD)) yield* unlinkIfThere(join(dirname(lock), name));
}

/** Never throws: a lock of a process that has ended is taken over. */
export function* releaseLockFile(lock: string, own: Owner): Work<void> {
  try {
    if (ownerOf(yield* fileCall<'read'>({ kind: 'read', path: lock }))?.tag !== own.tag) return;
  } catch {
    // Then it is most likely still ours.
  }
  yield* unlinkIfThere(lock);
}

/** The living process, or one that cannot be judged, that holds a lock; null where there is none. */
export function* holderOf(lock: string): Work<Owner | null> {
  const owner = ownerOf(yield* fileCall<'read'>({ kind: 'read', path: lock }));
  return owner === null || isDeadWriter(owner.tag) ? null : owner;
}

/** The lock with its whole content in one step; false where there is one. */
function* put(paths: LockPaths, text: Uint8Array): Work<boolean> {
  const temporary = yield* writeTemporary(paths, text);
  try {
    yield* fileCall<'link'>({ kind: 'link', from: temporary, to: paths.lock });
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
  } finally {
    yield* unlinkIfThere(temporary);
  }
  // A file system without links. Others wait where they see the lock without its content.
  try {
    yield* writeNew(paths.lock, text);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}

function* writeTemporary({ lock, beside }: LockPaths, text: Uint8Array): Work<string> {
  const path = join(dirname(lock), `${beside}${writerTag()}${SUFFIX}`);
  yield* writeNew(path, text);
  return path;
}

function* writeNew(path: string, bytes: Uint8Array): Work<void> {
  const fd = yield* fileCall<'create'>({ kind: 'create', path, mode: MODE });
  let isOpen = true;
  try {
    yield* writeAll(fd, bytes, 0);
    isOpen = false;
    yield* fileCall<'close'>({ kind: 'close', fd });
  } catch (error) {
    yield* discard(isOpen ? fd : null, path);
    throw error;
  }
}

interface Found {
  readonly bytes: Uint8Array;
  /** Null where it is no lock of ours, or its writer died before it had written it. */
  readonly owner: Owner | null;
}

/** What a lock says; null where it is gone. */
function* settled(lock: string): Work<Found | null> {
  for (let look = 1; ; look++) {
    const bytes = yield* fileCall<'read'>({ kind: 'read', path: lock });
    if (bytes === null) return null;
    const owner = ownerOf(bytes);
    if (owner !== null || look === LOOKS) return { bytes, owner };
    yield* fileCall<'wait'>({ kind: 'wait', milliseconds: LOOK_MS });
  }
}

/** Under the guard of exactly that content. */
function* replaceIfSame(paths: LockPaths, expected: Uint8Array, text: Uint8Array): Work<boolean> {
  const bytes = yield* fileCall<'read'>({ kind: 'read', path: paths.lock });
  if (bytes === null || bytes.length !== expected.length || bytes.some((byte, at) => byte !== expected[at]))
    return false;
  const temporary = yield* writeTemporary(paths, text);
  try {
    yield* renameOver(temporary, paths.lock, paths.lock);
  } catch (error) {
    yield* unlinkIfThere(temporary);
    throw error;
  }
  return true;
}

/** Null: no lock of ours, or none at all. */
function ownerOf(bytes: Uint8Array | null): Owner | null {
  try {
    const { host, pid, tag, purpose, path } = JSON.parse(
      new TextDecoder('utf-8', { ignoreBOM: false }).decode(bytes ?? undefined),
    ) as Record<string, unknown>;
    if (typeof host !== 'string' || typeof pid !== 'number' || !Number.isInteger(pid) || typeof tag !== 'string')
      return null;
    return {
      host,
      pid,
      tag,
      purpose: purpose === 'replace' ? 'replace' : 'write',
      ...(typeof path === 'string' ? { path } : {}),
    };
  } catch {
    return null;
  }
}
