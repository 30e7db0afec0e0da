// Names of temporary files: what they tell of their writers, and whom they belong to.
import { describe, expect, test } from 'vitest';
import { abandonedTarget, isAbandoned, temporaryName, temporaryPrefix } from '../../src/durable/temporary-name.ts';

describe('the name of a temporary file', () => {
  const name = temporaryName('table.bin');
  const [scope, pid, started, unique] = name.slice(temporaryPrefix('table.bin').length, -'.tmp'.length).split('-') as [
    string,
    string,
    string,
    string,
  ];
  const named = (change: { scope?: string; pid?: string; started?: string }): string =>
    `${temporaryPrefix('table.bin')}${change.scope ?? scope}-${change.pid ?? pid}-${change.started ?? started}-` +
    `${unique}.tmp`;

  test('tells the process, when it started and where its number counts, and is never the same', () => {
    expect(name).toMatch(/^\.table\.bin\.[0-9a-f]{8}\.[0-9a-f]{16}-\d+-(\d+|x)-[0-9a-f]{12}\.tmp$/);
    expect(Number(pid)).toBe(process.pid);
    expect(new Set(Array.from({ length: 100 }, () => temporaryName('table.bin'))).size).toBe(100);
    expect(named({})).toBe(name);
    expect(isAbandoned(name, 'table.bin')).toBe(false);
  });

  test('costs next to nothing to be told from the names of a large folder', () => {
    const milliseconds = (ending: string): number => {
      const names = Array.from({ length: 100_000 }, (_, number) => `shard_${String(number)}${ending}`);
      const start = process.cpuUsage();
      expect(names.some((each) => isAbandoned(each, 'table.bin') || isAbandoned(each, 'table.lock'))).toBe(false);
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1000;
    };
    expect(milliseconds('.bin') * 4).toBeLessThan(milliseconds('.tmp'));
  });

  const noProcess = '4194399'; // above the largest number that Linux gives
  test.runIf(process.platform === 'linux')('is abandoned where the process is gone, or another has its number', () => {
    expect(isAbandoned(named({ pid: noProcess }), 'table.bin')).toBe(true);
    expect(isAbandoned(named({ started: '1' }), 'table.bin')).toBe(true);
    expect(isAbandoned(named({ pid: '1', started: '999999999999' }), 'table.bin')).toBe(true);
  });

  test('is not judged where it comes from another container, machine or boot, or tells too little', () => {
    expect(isAbandoned(named({ pid: noProcess, scope: 'f'.repeat(16) }), 'table.bin')).toBe(false);
    expect(isAbandoned(named({ started: 'x' }), 'table.bin')).toBe(false);
  });

  test.runIf(process.platform === 'linux').each(['table.bin', 'a.00001.syr', 'no ending', '.hidden.1'])(
    'tells the name of its target, %s, once the writer is dead',
    (target) => {
      expect(abandonedTarget(temporaryName(target).replace(/-\d+-/, `-${noProcess}-`))).toBe(target);
      expect(abandonedTarget(temporaryName(target))).toBeNull();
    },
  );

  test.each([
    'table.bin',
    '.table.bin.tmp',
    '.table.bin.',
    name.slice(1),
    `${name}x`,
    name.replace('.tmp', '.temp'),
    `${temporaryPrefix('table.bin')}a-1-1-1.tmp`,
  ])('is not mistaken for that of a user: %s', (other) => expect(isAbandoned(other, 'table.bin')).toBe(false));

  test('belongs to one target, also where long names begin alike', () => {
    const [long, longer] = [`${'n'.repeat(100)}1`, `${'n'.repeat(100)}2`];
    const dead = temporaryName(long).replace(/-\d+-/, `-${noProcess}-`);
    expect(isAbandoned(dead, longer)).toBe(false);
    if (process.platform === 'linux') expect(isAbandoned(dead, long)).toBe(true);
    // It is not all there.
    expect(abandonedTarget(dead)).toBeNull();
    expect(new TextEncoder().encode(temporaryName('😀'.repeat(63))).byteLength).toBeLessThanOrEqual(255);
  });
});
