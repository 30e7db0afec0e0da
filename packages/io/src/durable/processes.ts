// What a machine tells of its processes: where their numbers count (this boot of this machine, this container), when
// one started, and whether it still lives. On Linux a thread has a number of the same kind, by which a worker's is told
// from its process: one that was stopped leaves locks behind in a process that lives on. Names of temporary files and
// locks hold what comes of it (`temporary-name.ts`).
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, networkInterfaces } from 'node:os';
import { isMainThread } from 'node:worker_threads';
import { systemCode } from '../errors/system-error.ts';

/** What is asked of the system. */
export interface Machine {
  readonly platform: string;
  readonly pid: number;
  readonly isMainThread: boolean;
  hostName(): string;
  /** Hardware addresses of its network. */
  addresses(): readonly string[];
  /** @throws where there is no such file. */
  readText(path: string): string;
  /** @throws where there is no such link. */
  readLink(path: string): string;
  /** @throws the system's error: ESRCH where there is no such process. */
  signal(pid: number): void;
}

export const THIS_MACHINE: Machine = Object.freeze({
  platform: process.platform,
  pid: process.pid,
  isMainThread,
  hostName: hostname,
  addresses: () => Object.values(networkInterfaces()).flatMap((group) => (group ?? []).map(({ mac }) => mac)),
  readText: (path: string) => readFileSync(path, 'latin1'),
  readLink: (path: string) => readlinkSync(path),
  signal: (pid: number) => {
    process.kill(pid, 0);
  },
});

/** What a process that cannot be asked for its start has in place of it. */
const UNKNOWN = 'x';

/**
 * What a machine said of this process and cannot say otherwise while it lives. One small write asks for it a dozen
 * times, which took longer than the write.
 */
const SCOPES = new WeakMap<Machine, string>();
const RUNNERS = new WeakMap<Machine, Runner>();

/** Where the numbers of processes count, as 16 hexadecimal digits. */
export function processScope(machine: Machine = THIS_MACHINE): string {
  const known = SCOPES.get(machine);
  if (known !== undefined) return known;
  // Elsewhere the machine, by its name and its network as it is now: one that comes later must look the same to all
  // processes.
  if (machine.platform !== 'linux')
    return scopeOf([machine.platform, machine.hostName(), ...[...new Set(machine.addresses())].sort()].join(' '));
  try {
    // On Linux the boot and the pid namespace, which tell containers apart.
    const scope = scopeOf(
      `${machine.readText('/proc/sys/kernel/random/boot_id').trim()} ${machine.readLink('/proc/self/ns/pid')}`,
    );
    SCOPES.set(machine, scope);
    return scope;
  } catch {
    // Without /proc nothing tells containers apart: a scope that nobody else has, so that nobody judges these files.
    return scopeOf(randomBytes(16).toString('hex'));
  }
}

function scopeOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** A process, or a thread of it. */
export interface Runner {
  readonly number: number;
  /** In clock ticks since boot; 'x' where the system does not tell. */
  readonly started: string;
}

/** Who runs this: the process, or the worker's thread where the system tells of it. */
export function thisRunner(machine: Machine = THIS_MACHINE): Runner {
  const known = RUNNERS.get(machine);
  if (known !== undefined) return known;
  const own = stateOf('self', machine);
  // In a container without a /proc of its own the numbers there are others.
  if (own?.number !== machine.pid) return { number: machine.pid, started: UNKNOWN };
  const runner = (machine.isMainThread ? null : threadOf(machine)) ?? own;
  RUNNERS.set(machine, runner);
  return runner;
}

/** The thread that asks, where others find it by its number. */
function threadOf(machine: Machine): Runner | null {
  const own = stateOf('thread-self', machine);
  return own !== null && stateOf(String(own.number), machine)?.started === own.started ? own : null;
}

/** Whether the process, or thread, of that number, which started then, may still run. */
export function isAlive(number: number, started: string, machine: Machine = THIS_MACHINE): boolean {
  const now = stateOf(String(number), machine);
  if (now !== null && started !== UNKNOWN) return now.started === started && !now.ended;
  // No answer, or a name that does not tell: it may be the one.
  try {
    machine.signal(number);
  } catch (error) {
    if (systemCode(error) === 'ESRCH') return false;
  }
  return true;
}

interface ProcessState extends Runner {
  /** Dead, and only not yet waited for by its parent. */
  readonly ended: boolean;
}

/**
 * From /proc/<pid>/stat: the number, the name in parentheses (which may hold anything), then the state and, 19 fields
 * on, the start time.
 */
function stateOf(pid: string, machine: Machine): ProcessState | null {
  let stat: string;
  try {
    stat = machine.readText(`/proc/${pid}/stat`);
  } catch {
    return null;
  }
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, started] = [fields[0], fields[19]];
  // The start stands behind the state.
  return started === undefined
    ? null
    : { number: Number.parseInt(stat, 10), started, ended: state === 'Z' || state === 'X' };
}
