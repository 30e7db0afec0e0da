// PATH.lock: the process that changes a file at this moment. Two writers that append to one file would each overwrite what the other wrote. A dead writer's lock is taken over.
import { IoError, isAbandoned, temporaryName } from '@colkit/io';
import { linkSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { codeOf, ioError } from './growing-file.ts';

const lockPath = (path: string): string => `${path}.lock`;

/** The process that holds a lock. */
interface Owner {
  readonly host: string;
  readonly pid: number;
  /** A name for a temporary file: it tells of the process, and is another for every lock of it. */
  readonly name: string;
}

export interface Lock {
  /** Idempotent. Never throws: a lock of a process that has ended is taken over anyway. */
  release(): void;
}

const ATTEMPTS = 5;

/** @throws IoError ERR_LOCKED where a living process has it (`force`: even then not); ERR_WRITE where no file can be made in the folder. */
export function takeLock(path: string, force = false): Lock {
  const lock = lockPath(path);
  const own: Owner = { host: hostname(), pid: process.pid, name: temporaryName(basename(lock)) };
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (placeLock(lock, JSON.stringify(own))) {
      removeLeftOvers(lock);
      return releasing(lock, own.name);
    }
    const before = readLock(lock);
    if (before === null) continue;
    const owner = ownerOf(before);
    if (!force && owner !== null && !isAbandoned(owner.name, basename(lock))) throw locked(path, owner);
    removeStale(lock, before);
  }
  throw locked(path, null);
}

/** A path beside the lock, for as long as a lock is placed or taken away. */
const asideOf = (lock: string): string => join(dirname(lock), temporaryName(basename(lock)));

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
    for (const other of readdirSync(dirname(lock))) if (isAbandoned(other, name)) rmSync(join(dirname(lock), other), { force: true });
  } catch {
    // Only tidying up.
  }
}

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

function releasing(lock: string, name: string): Lock {
  let held = true;
  return {
    release: () => {
      if (!held) return;
      held = false;
      try {
        if (ownerOf(readFileSync(lock, 'utf8'))?.name === name) rmSync(lock, { force: true });
      } catch {
        // Gone already, or not removable: a lock of a process that has ended is taken over.
      }
    },
  };
}

function ownerOf(text: string): Owner | null {
  try {
    const { host, pid, name } = JSON.parse(text) as Record<string, unknown>;
    return typeof host === 'string' && typeof pid === 'number' && Number.isInteger(pid) && typeof name === 'string' ? { host, pid, name } : null;
  } catch {
    return null;
  }
}

function locked(path: string, owner: Owner | null): IoError {
  const who = owner === null ? 'another process' : owner.pid === process.pid && owner.host === hostname() ? 'this process' : `process ${owner.pid} on ${owner.host}`;
  return new IoError('ERR_LOCKED', 'lock', path, `${who} is writing it; where that is not so, remove ${lockPath(path)}`);
}
