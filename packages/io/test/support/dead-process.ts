// Who has died: a process that was started and has ended, and what it would have left in a lock.
import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { writerTag } from '../../src/durable/temporary-name.ts';

/** The number of a process that has ended. */
export const ENDED = spawnSync(process.execPath, ['-e', '']).pid;

/** A tag of that process; another each time. */
export function deadTag(): string {
  const [scope, , started, random] = writerTag().split('-') as [string, string, string, string];
  return [scope, ENDED, started, random].join('-');
}

/** The content of its lock. */
export function deadLock(): string {
  return JSON.stringify({ host: hostname(), pid: ENDED, tag: deadTag(), purpose: 'write' });
}
