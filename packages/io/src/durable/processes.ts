// What a machine tells of its processes: where their numbers count (this boot of this machine, this container), when
// one started, and whether it still lives. Names of temporary files and locks hold what comes of it
// (`temporary-name.ts`).
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, networkInterfaces } from 'node:os';
import { systemCode } from '../errors/system-error.ts';

/** What is asked of the system. */
export interface Machine {
  readonly platform: string;
  readonly pid: number;
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
const STARTS = new WeakMap<Machine, string>();

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

/** When this process started, in clock ticks since boot; 'x' where the system does not tell. */
export function startOfThisProcess(machine: Machine = THIS_MACHINE): string {
  const known = STARTS.get(machine);
  if (known !== undefined) return known;
  // In a container without a /proc of its own the numbers there are others.
  const started = stateOf('self', machine, `${String(machine.pid)} `)?.started;
  if (started !== undefined) STARTS.set(machine, started);
  return started ?? UNKNOWN;
}

/** Whether the process of that number, which started then, may still run. */
export function isAlive(pid: number, started: string, machine: Machine = THIS_MACHINE): boolean {
  try {
    machine.signal(pid);
  } catch (error) {
    if (systemCode(error) === 'ESRCH') return false;
  }
  const now = stateOf(String(pid), machine);
  // No answer, or a name that does not tell: it may be the one.
  if (now === null || started === UNKNOWN) return true;
  return now.started === started && !now.ended;
}

interface ProcessState {
  readonly started: string;
  /** Dead, and only not yet waited for by its parent. */
  readonly ended: boolean;
}

/**
 * From /proc/<pid>/stat: the number, the name in parentheses (which may hold anything), then the state and, 19 fields
 * on, the start time.
 */
function stateOf(pid: string, machine: Machine, beginning = ''): ProcessState | null {
  let stat: string;
  try {
    stat = machine.readText(`/proc/${pid}/stat`);
  } catch {
    return null;
  }
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, started] = [fields[0], fields[19]];
  // The start stands behind the state.
  return !stat.startsWith(beginning) || started === undefined
    ? null
    : { started, ended: state === 'Z' || state === 'X' };
}
