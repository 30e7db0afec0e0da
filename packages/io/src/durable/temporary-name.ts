// The names of temporary files, and whether the writer that a name tells of still lives. A name holds the writer's process: its number, when it started (numbers are used
// again), and where the number counts (this boot of this machine, this container), because on a shared volume the same number means another process elsewhere.
// What cannot be judged from here is treated as alive: a live writer's file is never taken away.
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, networkInterfaces } from 'node:os';
import { crc32 } from '../crc32.ts';
import { systemCode } from '../source-checks.ts';

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
  const prefix = temporaryPrefix(targetName);
  return name.startsWith(prefix) && name.endsWith(SUFFIX) && isDeadWriter(name.slice(prefix.length, -SUFFIX.length));
}

/** What tells of this process, and is another at every call. */
export function writerTag(): string {
  const { scope, pid, started } = thisProcess();
  return `${scope}-${String(pid)}-${started}-${randomBytes(6).toString('hex')}`;
}

const TAG = /^([0-9a-f]{16})-(\d{1,10})-(\d{1,20}|x)-[0-9a-f]{12}$/;

/** Whether it is the tag of a process that is known to have ended. */
export function isDeadWriter(tag: string): boolean {
  const match = TAG.exec(tag);
  if (match === null) return false;
  const [, scope, pid, started] = match;
  return scope === processScope() && !isAlive(Number(pid), String(started));
}

interface ProcessIdentity {
  /** Where process numbers count: 16 hexadecimal digits. */
  readonly scope: string;
  readonly pid: number;
  /** In clock ticks since boot; 'x' where the system does not tell. */
  readonly started: string;
}

function thisProcess(): ProcessIdentity {
  return { scope: processScope(), pid: process.pid, started: processState('self')?.started ?? 'x' };
}

/** Where the numbers of processes count, as 16 hexadecimal digits. */
export function processScope(): string {
  return createHash('sha256').update(scopeText()).digest('hex').slice(0, 16);
}

/** On Linux the boot and the pid namespace, which tell containers apart. Elsewhere the machine, by its name and network addresses. */
function scopeText(): string {
  if (process.platform !== 'linux') {
    const addresses = Object.values(networkInterfaces()).flatMap((group) => (group ?? []).map((address) => address.mac));
    return [process.platform, hostname(), ...[...new Set(addresses)].sort()].join(' ');
  }
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    // Without /proc nothing tells containers apart: a scope that nobody else has, so that nobody judges these files.
    return randomBytes(16).toString('hex');
  }
}

function isAlive(pid: number, started: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (systemCode(error) === 'ESRCH') return false;
  }
  const now = processState(String(pid));
  // No answer, or a name that does not tell: it may be the one.
  if (now === null || started === 'x') return true;
  return now.started === started && !now.ended;
}

interface ProcessState {
  readonly started: string;
  /** Dead, and only not yet waited for by its parent. */
  readonly ended: boolean;
}

/** From /proc/<pid>/stat: the number, the name in parentheses (which may hold anything), then the state and, 19 fields on, the start time. */
function processState(pid: string): ProcessState | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // In a container without a /proc of its own the numbers there are others.
    if (pid === 'self' && !stat.startsWith(`${String(process.pid)} `)) return null;
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, started] = [fields[0], fields[19]];
    return state === undefined || started === undefined ? null : { started, ended: state === 'Z' || state === 'X' };
  } catch {
    return null;
  }
}
