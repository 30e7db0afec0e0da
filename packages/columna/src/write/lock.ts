// PATH.lock: the process that changes a file at this moment. Two writers that append to one file would each overwrite what the other wrote. A dead writer's lock is taken over.
import { IoError } from '@colkit/io';
import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { codeOf, ioError } from './growing-file.ts';

export const lockPath = (path: string): string => `${path}.lock`;

/** The process that holds a lock. */
interface Owner {
  readonly host: string;
  readonly pid: number;
  /** When it started, in the system's own ticks: tells it from a later process of the same number. '' where the system does not tell. */
  readonly started: string;
  /** Different for every lock of a process. */
  readonly token: string;
}

export interface Lock {
  /** Idempotent. Never throws: a lock of a process that has ended is taken over anyway. */
  release(): void;
}

const ATTEMPTS = 5;

/** @throws IoError ERR_LOCKED where a living process has it (`force`: even then not); ERR_WRITE where no file can be made in the folder. */
export function takeLock(path: string, force = false): Lock {
  const own: Owner = { host: hostname(), pid: process.pid, started: startOf('self') ?? '', token: randomBytes(8).toString('hex') };
  const lock = lockPath(path);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (placeLock(lock, JSON.stringify(own))) {
      removeLeftOvers(lock);
      return releasing(lock, own.token);
    }
    const before = readLock(lock);
    if (before === null) continue;
    const owner = ownerOf(before);
    if (!force && owner !== null && isAlive(owner)) throw locked(path, owner);
    removeStale(lock, before);
  }
  throw locked(path, null);
}

/** A name beside the lock, for as long as a lock is placed or taken away. */
const asideOf = (lock: string): string => `${lock}.${randomBytes(6).toString('hex')}`;
const ASIDE = /^\.[0-9a-f]{12}$/;

/** The lock with its whole content in one step; false where there is one. */
function placeLock(lock: string, text: string): boolean {
  const temporary = asideOf(lock);
  try {
    writeFileSync(temporary, text, { flag: 'wx' });
  } catch (error) {
    throw ioError('lock', lock, error);
  }
  try {
    linkSync(temporary, lock);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    // A file system without links.
    return writeDirectly(lock, text);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** What processes left that died while they placed a lock or took one away. Whatever cannot be judged or removed stays. */
function removeLeftOvers(lock: string): void {
  try {
    const name = basename(lock);
    for (const other of readdirSync(dirname(lock))) {
      if (!other.startsWith(name) || !ASIDE.test(other.slice(name.length))) continue;
      const path = join(dirname(lock), other);
      const owner = ownerOf(readFileSync(path, 'utf8'));
      // Without content yet: it may be being written at this moment.
      if (owner === null ? Date.now() - statSync(path).mtimeMs > A_MINUTE : !isAlive(owner)) rmSync(path, { force: true });
    }
  } catch {
    // Only tidying up.
  }
}

const A_MINUTE = 60_000;

function writeDirectly(lock: string, text: string): boolean {
  try {
    writeFileSync(lock, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw ioError('lock', lock, error);
  }
}

function readLock(lock: string): string | null {
  try {
    return readFileSync(lock, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw ioError('lock', lock, error);
  }
}

/** Takes a dead writer's lock away: under another name first, and back where it turns out to be another one's by now. */
function removeStale(lock: string, expected: string): void {
  const aside = asideOf(lock);
  try {
    renameSync(lock, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw ioError('lock', lock, error);
  }
  try {
    if (readFileSync(aside, 'utf8') !== expected) linkSync(aside, lock);
  } finally {
    rmSync(aside, { force: true });
  }
}

function releasing(lock: string, token: string): Lock {
  let held = true;
  return {
    release: () => {
      if (!held) return;
      held = false;
      try {
        if (ownerOf(readFileSync(lock, 'utf8'))?.token === token) rmSync(lock, { force: true });
      } catch {
        // Gone already, or not removable: a lock of a process that has ended is taken over.
      }
    },
  };
}

function ownerOf(text: string): Owner | null {
  try {
    const { host, pid, started, token } = JSON.parse(text) as Record<string, unknown>;
    if (typeof host !== 'string' || typeof pid !== 'number' || !Number.isInteger(pid) || typeof started !== 'string' || typeof token !== 'string') return null;
    return { host, pid, started, token };
  } catch {
    return null;
  }
}

/** A process elsewhere cannot be judged, and counts as alive: its file is not taken away. */
function isAlive({ host, pid, started }: Owner): boolean {
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return false;
  }
  const now = startOf(String(pid));
  return now === null || started === '' || now === started;
}

/** Field 22 of /proc/<pid>/stat, the state ahead of it not that of a process that only waits for its parent to notice; null where there is no such file. */
function startOf(pid: string): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? 'ended' : (fields[19] ?? null);
  } catch {
    return null;
  }
}

function locked(path: string, owner: Owner | null): IoError {
  const who = owner === null ? 'another process' : owner.pid === process.pid && owner.host === hostname() ? 'this process' : `process ${owner.pid} on ${owner.host}`;
  return new IoError('ERR_LOCKED', 'lock', path, `${who} is writing it; where that is not so, remove ${lockPath(path)}`);
}
