// The names of temporary files, and whether the writer that a name tells of still lives. A name holds the writer's
// process, or the worker's thread: its number, when it started (numbers are used again), and where the number counts
// (this boot of this machine, this container), because on a shared volume the same number means another process
// elsewhere. What cannot be judged from here is treated as alive: a live writer's file is never taken away.
import { randomUUID } from 'node:crypto';
import { crc32 } from '../values/crc32.ts';
import { THIS_MACHINE, isAlive, processScope, thisRunner } from './processes.ts';
import type { Machine } from './processes.ts';

/** File systems allow names of 255 bytes; a code point has at most 4. */
const SHOWN_CODE_POINTS = 32;
/** What they end in. */
export const SUFFIX = '.tmp';

/** What all temporary files of one target begin with. */
export function temporaryPrefix(targetName: string): string {
  const shown = Array.from(targetName).slice(0, SHOWN_CODE_POINTS).join('');
  return `.${shown}.${crc32(new TextEncoder().encode(targetName)).toString(16).padStart(8, '0')}.`;
}

/** A new name for this process, never given before. */
export function temporaryName(targetName: string): string {
  return `${temporaryPrefix(targetName)}${writerTag()}${SUFFIX}`;
}

/** Whether `name` is a temporary file of this target whose writer is known to be dead. */
export function isAbandoned(name: string, targetName: string): boolean {
  // Of the names in a folder few are temporary: all others have to cost nothing.
  if (!name.endsWith(SUFFIX)) return false;
  const prefix = temporaryPrefix(targetName);
  return name.startsWith(prefix) && isDeadWriter(name.slice(prefix.length, -SUFFIX.length));
}

/**
 * The name of the target of a temporary file whose writer is known to be dead. Null of others, and where the target's
 * name is too long to be in that of the temporary file.
 */
export function abandonedTarget(name: string): string | null {
  const shown = /^\.(.+)\.[0-9a-f]{8}\.[^.]+\.tmp$/u.exec(name)?.[1];
  return shown !== undefined && isAbandoned(name, shown) ? shown : null;
}

/**
 * What tells of this process, or thread, and is another at every call: the last twelve digits of such a UUID are
 * random, and come out of a store of them.
 */
export function writerTag(machine: Machine = THIS_MACHINE): string {
  const scope = processScope(machine);
  const { number, started } = thisRunner(machine);
  return `${scope}-${String(number)}-${started}-${randomUUID().slice(-12)}`;
}

const TAG = /^([0-9a-f]{16})-(\d{1,10})-(\d{1,20}|x)-[0-9a-f]{12}$/;

/** Whether it is the tag of a process that is known to have ended. */
export function isDeadWriter(tag: string, machine: Machine = THIS_MACHINE): boolean {
  const match = TAG.exec(tag);
  if (match === null) return false;
  const [, scope, number, started] = match;
  return scope === processScope(machine) && !isAlive(Number(number), String(started), machine);
}
