// The lock of an open file: one descriptor has it at a time, for as long as it is open, and other programs see it.
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { as, errorOf, hasNative, native, temporaryPath } from './support.ts';

const hasFlock = spawnSync('flock', ['--version']).status === 0;

describe.skipIf(!hasNative)('lockFile', () => {
  test('one open file has it, until it is closed', () => {
    const path = temporaryPath('locked');
    writeFileSync(path, 'x');
    const [first, second] = [openSync(path, 'r+'), openSync(path, 'r+')];
    expect([native().lockFile(first), native().lockFile(first), native().lockFile(second)]).toEqual([
      'locked',
      'locked',
      'held',
    ]);
    closeSync(first);
    expect(native().lockFile(second)).toBe('locked');
    closeSync(second);
  });

  test.skipIf(!hasFlock)('other programs see it', () => {
    const path = temporaryPath('seen');
    writeFileSync(path, 'x');
    const fd = openSync(path, 'r+');
    const taken = (): boolean => spawnSync('flock', ['--nonblock', path, 'true']).status === 0;
    expect(taken()).toBe(true);
    native().lockFile(fd);
    expect(taken()).toBe(false);
    closeSync(fd);
    expect(taken()).toBe(true);
  });

  test('what is no descriptor is refused', () => {
    for (const wrong of [undefined, null, -1, 1.5, 'x', {}, 2 ** 32])
      expect(errorOf(() => native().lockFile(as(wrong))).code).toBe('ERR_ARGUMENT');
    expect(errorOf(() => native().lockFile(1e6))).toMatchObject({
      code: 'ERR_WRITE',
      message: expect.stringMatching(/flock|LockFileEx/) as string,
    });
  });
});
