// One writer at a time, of a file and not of a name: a lock beside the real path, which holds between machines that
// share the volume, and one of the device and inode in a folder of the user's own, which holds between all names that
// the file has on this machine (hard links). Whoever has both looks again whether the path still leads to that file.
// Two processes of different users, or containers, that come through different hard links do not see each other.
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { IoError } from '../errors/errors.ts';
import { messageOf, systemCode } from '../errors/system-error.ts';
import type { Work } from '../effects/effect.ts';
import { fileCall } from './file-call.ts';
import { holderOf, newOwner, releaseLockFile, takeLockFile } from './lock-file.ts';
import type { Owner } from './lock-file.ts';
import type { FileFacts, SystemLock } from '../effects/file-operations.ts';
import { processScope } from './processes.ts';
import { closeQuietly, keepsOpenFiles } from './publish.ts';
import { findTarget, isSameFile } from './target.ts';
import type { Target } from './target.ts';
import { temporaryPrefix } from './temporary-name.ts';

export interface FileLock {
  /** What stands at the path, now that nobody else of us changes it. */
  readonly facts: FileFacts | null;
  /**
   * Before a rename over the file: where a file that is open cannot be replaced, its own lock is given back. Never
   * throws.
   */
  allowReplacement(): Work<void>;
  /** Never throws, and may be called again. */
  release(): Work<void>;
}

/** A whole file takes the place of another in a moment; whoever does it longer is waited for no longer. */
const WAITS = 400;
const WAIT_MS = 10;
/** The path may lead to another file each time that it is looked at. */
const ATTEMPTS = 5;
/** Longer names leave no room for an ending. */
const LONGEST_NAME = 200;
const FOLDER_MODE = 0o700;

interface LockOptions {
  /** Take it from the living too. */
  readonly force?: boolean | undefined;
  /** Also the lock of the file itself (flock), which writers of other programs take. */
  readonly flock?: boolean | undefined;
}

/** @throws IoError ERR_LOCKED where a living process has it; ERR_WRITE where no lock can be made; ERR_FILE_CHANGED. */
export function* lockFile(target: Target, purpose: Owner['purpose'], options: LockOptions = {}): Work<FileLock> {
  for (let waited = 0; ; waited++) {
    const result = yield* tryLock(target, newOwner(purpose), options);
    if ('release' in result) return result;
    const { holder } = result;
    // Whoever holds only the file's own lock has not said for how long.
    const isMoment =
      holder === 'somebody' || (holder === 'another program' ? purpose === 'replace' : holder.purpose === 'replace');
    if (!isMoment || waited === WAITS) throw locked(target, holder);
    yield* fileCall<'wait'>({ kind: 'wait', milliseconds: WAIT_MS });
  }
}

/** Refuses a file that somebody is writing, before anything is done for it. @throws IoError ERR_LOCKED. */
export function* refuseLocked(target: Target, flock = false): Work<void> {
  const holder = yield* holderOfTarget(target);
  if (holder?.purpose === 'write') throw locked(target, holder);
  if (!flock || holder !== null) return;
  const found = yield* lockItself(target, target.facts);
  if (found === 'held') throw locked(target, 'another program');
  if (found !== null) yield* closeQuietly(found);
}

/** Whether a living writer adds to the file that a path leads to. Never throws: what is no file has none. */
export function* isBeingWritten(path: string): Work<boolean> {
  try {
    return (yield* holderOfTarget(yield* findTarget(path)))?.purpose === 'write';
  } catch {
    return false;
  }
}

/** Who lives and has a lock of it, by its path or its inode. */
function* holderOfTarget(target: Target): Work<Owner | null> {
  return (yield* holderOf(pathLock(target))) ?? (yield* inodeHolder(target, lockFolder()));
}

function* inodeHolder({ facts }: Target, locks: string): Work<Owner | null> {
  try {
    if (facts?.type !== 'file' || (yield* folderState(locks)) !== 'ours') return null;
    const holder = yield* holderOf(inodeLock(locks, facts));
    return holder !== null && (yield* isOf(holder, facts)) ? holder : null;
  } catch {
    // Where it matters, taking the lock will tell.
    return null;
  }
}

interface Refusal {
  readonly holder: Owner | 'somebody' | 'another program';
}

function* tryLock(target: Target, own: Owner, options: LockOptions): Work<FileLock | Refusal> {
  const { force = false, flock = false } = options;
  const path = pathLock(target);
  const holder = yield* takeLockFile(path, own, force);
  if (holder !== null) return { holder };
  const held = [path];
  try {
    const result = yield* withInode(target, own, force, held);
    if ('facts' in result) {
      const fd = flock ? yield* lockItself(target, result.facts) : null;
      if (fd !== 'held') {
        const open = fd === null ? [] : [fd];
        return {
          facts: result.facts,
          allowReplacement: () => closeAll(keepsOpenFiles() ? open : []),
          release: () => releaseBoth(own, held, open),
        };
      }
    }
    yield* releaseAll(held, own);
    return 'facts' in result ? { holder: 'another program' } : result;
  } catch (error) {
    yield* releaseAll(held, own);
    throw error;
  }
}

/** The lock of the inode that the path leads to, which is put into `held`. */
function* withInode(
  target: Target,
  own: Owner,
  force: boolean,
  held: string[],
): Work<{ readonly facts: FileFacts | null } | Refusal> {
  const locks = lockFolder();
  let facts = yield* fileCall<'inspect'>({ kind: 'inspect', path: target.path });
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (facts?.type !== 'file' || facts.inode === 0n) return { facts };
    const holder = yield* lockInode(target, facts, locks, own, force);
    if (holder !== null && holder !== 'unusable') return { holder };
    if (holder === null) held.push(inodeLock(locks, facts));
    const again: FileFacts | null = yield* fileCall<'inspect'>({ kind: 'inspect', path: target.path });
    if (isSameFile(facts, again)) return { facts: again };
    if (holder === null) yield* releaseLockFile(held.pop() as string, own);
    facts = again;
  }
  throw new IoError('ERR_FILE_CHANGED', 'lock', target.given, 'another program replaces it again and again');
}

/** Where the folder of locks cannot be used, a file with one name does without: the lock beside it is enough. */
function* lockInode(
  target: Target,
  facts: FileFacts,
  locks: string,
  own: Owner,
  force: boolean,
): Work<Owner | 'somebody' | 'unusable' | null> {
  let why: string;
  try {
    const state = yield* readyFolder(locks);
    if (state === 'ours')
      return yield* takeInodeLock(inodeLock(locks, facts), facts, { ...own, path: target.path }, force);
    why = state === 'foreign' ? 'it is not a folder of this user alone' : 'it cannot be made';
  } catch (error) {
    why = messageOf(error);
  }
  if (facts.links <= 1) return 'unusable';
  throw new IoError(
    'ERR_WRITE',
    'lock',
    target.given,
    `the file has ${String(facts.links)} names, and the locks of its other names are in ${locks}: ${why}`,
  );
}

function* takeInodeLock(lock: string, facts: FileFacts, own: Owner, force: boolean): Work<Owner | 'somebody' | null> {
  const holder = yield* takeLockFile(lock, own, force);
  return holder === null || holder === 'somebody' || (yield* isOf(holder, facts))
    ? holder
    : yield* takeLockFile(lock, own, true);
}

/**
 * Whether the holder's path still leads to that file: the number of a file that was replaced or removed is given to
 * another.
 */
function* isOf({ path }: Owner, facts: FileFacts): Work<boolean> {
  return path === undefined || isSameFile(yield* fileCall<'inspect'>({ kind: 'inspect', path }), facts);
}

function* readyFolder(locks: string): Work<'ours' | 'foreign' | 'missing'> {
  const state = yield* folderState(locks);
  if (state !== 'missing') return state;
  try {
    yield* fileCall<'makeFolder'>({ kind: 'makeFolder', path: locks, mode: FOLDER_MODE });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
  return yield* folderState(locks);
}

/** In a folder that others can write to, only one that belongs to this user, and to nobody else, is to be trusted. */
function* folderState(locks: string): Work<'ours' | 'foreign' | 'missing'> {
  const facts = yield* fileCall<'inspect'>({ kind: 'inspect', path: locks });
  if (facts === null) return 'missing';
  const user = process.getuid?.();
  return facts.type === 'folder' && (user === undefined || (facts.owner === user && (facts.mode & 0o077) === 0))
    ? 'ours'
    : 'foreign';
}

/**
 * The lock of the file itself: a descriptor that has it for as long as it is open; null where there is no file, no such
 * lock, or none for us: who may not write to a file only puts another in its place.
 */
function* lockItself(target: Target, facts: FileFacts | null): Work<number | 'held' | null> {
  if (facts?.type !== 'file') return null;
  let fd: number;
  try {
    fd = yield* fileCall<'open'>({ kind: 'open', path: target.path });
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS', 'ENOENT'].includes(systemCode(error))) return null;
    throw error;
  }
  let result: SystemLock;
  try {
    result = yield* fileCall<'lock'>({ kind: 'lock', fd });
  } catch (error) {
    yield* closeQuietly(fd);
    throw error;
  }
  if (result === 'locked') return fd;
  yield* closeQuietly(fd);
  return result === 'held' ? 'held' : null;
}

function* releaseBoth(own: Owner, held: string[], open: number[]): Work<void> {
  yield* closeAll(open);
  yield* releaseAll(held, own);
}

function* closeAll(open: number[]): Work<void> {
  for (const fd of open.splice(0)) yield* closeQuietly(fd);
}

function* releaseAll(held: string[], own: Owner): Work<void> {
  for (const lock of held.splice(0).reverse()) yield* releaseLockFile(lock, own);
}

/** PATH.lock, beside the real file. */
export function pathLock({ folder, name }: Target): string {
  const isLong = new TextEncoder().encode(name).length > LONGEST_NAME;
  return join(folder, isLong ? `${temporaryPrefix(name)}lock` : `${name}.lock`);
}

/** Asked once for each look: every variable of the environment that it reads costs several system calls. */
function lockFolder(): string {
  return join(tmpdir(), `colkit-locks-${String(process.getuid?.() ?? 'user')}`);
}

/** The numbers of files count on this machine while it runs: what an earlier run left behind means nothing. */
function inodeLock(locks: string, { device, inode }: FileFacts): string {
  return join(locks, `${processScope()}-${device.toString(16)}-${inode.toString(16)}.lock`);
}

function locked(target: Target, holder: Refusal['holder']): IoError {
  if (holder === 'another program')
    return new IoError(
      'ERR_LOCKED',
      'lock',
      target.given,
      'another program holds the lock of the file (flock): let it close the file first',
    );
  const who = holder === 'somebody' ? 'another process' : nameOf(holder);
  const remedy = `where that is not so, recover(path, { force: true }) goes on, or remove ${pathLock(target)}`;
  return new IoError('ERR_LOCKED', 'lock', target.given, `${who} is writing it; ${remedy}`);
}

function nameOf({ host, pid, tag }: Owner): string {
  if (host !== hostname()) return `process ${String(pid)} on ${host}`;
  // There the same number is another process: in a container most are number 1.
  if (!tag.startsWith(processScope())) return `process ${String(pid)} of another container, or from before a reboot,`;
  return pid === process.pid ? 'this process' : `process ${String(pid)}`;
}
