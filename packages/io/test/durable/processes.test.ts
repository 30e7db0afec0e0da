// Processes of machines that tell what a test says: who lives, who is dead, and who cannot be judged.
import { expect, test } from 'vitest';
import { THIS_MACHINE, isAlive, processScope, thisRunner } from '../../src/durable/processes.ts';
import type { Machine } from '../../src/durable/processes.ts';
import { isDeadWriter, writerTag } from '../../src/durable/temporary-name.ts';

const missing = (): never => {
  throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' });
};
/** As in /proc/<pid>/stat: a name may hold spaces and parentheses; the start is the 20th field behind it. */
const statOf = (pid: number, state: string, started: string, name = 'a) Z (b'): string =>
  `${String(pid)} (${name}) ${state} ${'7 '.repeat(18)}${started} 8 9`;

interface Told {
  readonly platform?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly signal?: string;
  readonly host?: string;
  readonly addresses?: readonly string[];
  readonly namespace?: string;
  readonly isMainThread?: boolean;
}

function machine({
  platform = 'linux',
  files = {},
  signal,
  host = 'host',
  addresses = [],
  namespace,
  isMainThread = true,
}: Told): Machine {
  return {
    platform,
    pid: 40,
    isMainThread,
    hostName: () => host,
    addresses: () => addresses,
    readText: (path) => files[path] ?? missing(),
    readLink: (path) => (path === '/proc/self/ns/pid' && namespace !== undefined ? namespace : missing()),
    signal: () => {
      if (signal !== undefined) throw Object.assign(new Error(signal), { code: signal });
    },
  };
}

const BOOT = { '/proc/sys/kernel/random/boot_id': 'boot-1\n' };
const alive = (state: string | null, told: Told = {}, started = '500'): boolean =>
  isAlive(41, started, machine({ ...told, files: state === null ? {} : { '/proc/41/stat': state } }));

test('a process lives where the system has it, started when it should', () => {
  expect([alive(statOf(41, 'S', '500')), alive(statOf(41, 'R', '500', 'node'))]).toEqual([true, true]);
  expect(alive(statOf(41, 'S', '501'))).toBe(false);
  // Dead, and not yet waited for.
  expect([alive(statOf(41, 'Z', '500')), alive(statOf(41, 'X', '500'))]).toEqual([false, false]);
});

test('one that the system does not know is dead; one that it does not let us signal may live', () => {
  expect([alive(null, { signal: 'ESRCH' }), alive(statOf(41, 'S', '500'), { signal: 'ESRCH' }, 'x')]).toEqual([
    false,
    false,
  ]);
  expect([
    alive(statOf(41, 'S', '500'), { signal: 'EPERM' }),
    alive(statOf(41, 'S', '501'), { signal: 'EPERM' }),
  ]).toEqual([true, false]);
});

test('where the system does not tell, it may be the one', () => {
  expect([
    alive(null),
    alive(''),
    alive('41 (node) S 7 7'),
    alive(statOf(41, 'Z', '500'), {}, 'x'),
    alive(null, {}, 'x'),
  ]).toEqual([true, true, true, true, true]);
});

test('the start of this process is read, and is unknown where /proc is that of others', () => {
  const startOf = (stat?: string): string =>
    thisRunner(machine({ files: stat === undefined ? {} : { '/proc/self/stat': stat } })).started;
  expect([
    startOf(statOf(40, 'R', '600')),
    startOf(statOf(400, 'R', '600')),
    startOf(statOf(4, 'R', '600')),
    startOf('40 (x) R'),
    startOf(),
  ]).toEqual(['600', 'x', 'x', 'x', 'x']);
  expect(thisRunner().started).toMatch(process.platform === 'linux' ? /^\d+$/u : /^x$/u);
});

test("a worker's thread has a number of its own, where others find it by it", () => {
  const [own, thread] = [statOf(40, 'S', '600'), statOf(43, 'R', '700')];
  const runner = (files: Readonly<Record<string, string>>, isMainThread = false): unknown => {
    const { number, started } = thisRunner(machine({ files, isMainThread }));
    return [number, started];
  };
  const told = { '/proc/self/stat': own, '/proc/thread-self/stat': thread };
  expect([
    runner({ ...told, '/proc/43/stat': thread }),
    runner({ ...told, '/proc/43/stat': thread }, true),
    runner({ ...told, '/proc/43/stat': statOf(43, 'R', '701') }),
    runner(told),
    runner({ '/proc/self/stat': own }),
    runner({ ...told, '/proc/43/stat': thread, '/proc/self/stat': statOf(4, 'S', '600') }),
  ]).toEqual([
    [43, '700'],
    [40, '600'],
    [40, '600'],
    [40, '600'],
    [40, '600'],
    [40, 'x'],
  ]);
});

test('numbers count within a boot and a pid namespace of Linux', () => {
  const linux = (boot: string, namespace: string): string =>
    processScope(machine({ files: { '/proc/sys/kernel/random/boot_id': boot }, namespace, host: boot }));
  const scope = linux('boot-1\n', 'pid:[1]');
  expect(scope).toMatch(/^[0-9a-f]{16}$/u);
  expect(linux('boot-1', 'pid:[1]')).toBe(scope);
  expect(new Set([scope, linux('boot-2', 'pid:[1]'), linux('boot-1', 'pid:[2]')]).size).toBe(3);
  // Another host name, or address, is the same boot.
  expect(processScope(machine({ files: BOOT, namespace: 'pid:[1]', host: 'other', addresses: ['aa'] }))).toBe(scope);
});

test("where Linux does not tell its boot, a process is nobody else's to judge, and judges nobody", () => {
  for (const told of [{ namespace: 'pid:[1]' }, { files: BOOT }]) {
    const blind = machine(told);
    expect(processScope(blind)).not.toBe(processScope(blind));
    expect(isDeadWriter(writerTag(blind), machine({ ...told, signal: 'ESRCH' }))).toBe(false);
  }
});

test('elsewhere numbers count on a machine, known by its name and addresses in whatever order', () => {
  const scope = (told: Told): string => processScope(machine({ platform: 'darwin', ...told }));
  const one = scope({ addresses: ['aa', 'bb', 'aa'] });
  expect(scope({ addresses: ['bb', 'aa'] })).toBe(one);
  expect(scope({ addresses: ['bb', 'aa'], files: BOOT, namespace: 'pid:[1]' })).toBe(one);
  expect(
    new Set([
      one,
      scope({ addresses: ['aa'] }),
      scope({ host: 'other', addresses: ['aa', 'bb'] }),
      scope({ platform: 'win32', addresses: ['aa', 'bb'] }),
    ]).size,
  ).toBe(4);
});

test('a tag is of a process that has ended where its machine says so', () => {
  const files = { ...BOOT, '/proc/self/stat': statOf(40, 'R', '600') };
  const tag = writerTag(machine({ files, namespace: 'pid:[1]' }));
  expect(tag).toMatch(/^[0-9a-f]{16}-40-600-[0-9a-f]{12}$/u);
  const isDead = (text: string, told: Told = {}): boolean =>
    isDeadWriter(text, machine({ files, namespace: 'pid:[1]', ...told }));
  expect([
    isDead(tag),
    isDead(tag, { signal: 'ESRCH' }),
    isDead(tag, { signal: 'ESRCH', namespace: 'pid:[2]' }),
  ]).toEqual([false, true, false]);
  // Nothing before it, and nothing behind.
  for (const other of [
    `0${tag}`,
    `${tag}0`,
    `${tag} `,
    `-${tag}`,
    tag.slice(1),
    tag.slice(0, -1),
    tag.replace('-40-', '--'),
    tag.replace('-600-', '-y-'),
    '',
  ]) {
    expect(isDead(other, { signal: 'ESRCH' }), other).toBe(false);
  }
});

test('this machine tells of itself', () => {
  expect(processScope()).toBe(processScope(THIS_MACHINE));
  expect([THIS_MACHINE.platform, THIS_MACHINE.pid]).toEqual([process.platform, process.pid]);
  for (const address of THIS_MACHINE.addresses()) expect(address).toMatch(/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/u);
  const { number, started } = thisRunner();
  expect(isAlive(number, started)).toBe(true);
});

test('what cannot change while a process lives is asked once; what was not told, and others, each time', () => {
  const asked: string[] = [];
  const stat = { '/proc/self/stat': statOf(40, 'R', '600'), '/proc/41/stat': statOf(41, 'S', '500') };
  const watched = (told: Told): Machine => {
    const plain = machine(told);
    const note =
      <A extends string>(read: (path: A) => string) =>
      (path: A): string => (asked.push(path), read(path));
    return { ...plain, readText: note(plain.readText), readLink: note(plain.readLink) };
  };
  const known = watched({ files: { ...BOOT, ...stat }, namespace: 'pid:[1]' });
  const tag = writerTag(known);
  expect(asked).toEqual(['/proc/sys/kernel/random/boot_id', '/proc/self/ns/pid', '/proc/self/stat']);
  asked.length = 0;
  expect(writerTag(known).slice(0, -12)).toBe(tag.slice(0, -12));
  expect(asked).toEqual([]);
  expect([isAlive(41, '500', known), isAlive(41, '500', known)]).toEqual([true, true]);
  expect(asked).toEqual(['/proc/41/stat', '/proc/41/stat']);
  asked.length = 0;
  const silent = watched({});
  expect(processScope(silent)).not.toBe(processScope(silent));
  expect(asked).toEqual(['/proc/sys/kernel/random/boot_id', '/proc/sys/kernel/random/boot_id']);
  // Elsewhere a network that comes later counts at once.
  const addresses = ['aa'];
  const mac = machine({ platform: 'darwin', addresses });
  const before = processScope(mac);
  addresses.push('bb');
  expect(processScope(mac)).not.toBe(before);
});
