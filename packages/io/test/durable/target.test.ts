// Which file a path means, and what is said where it means none: on a file system in memory that answers as it is told.
import { onFiles } from '@colkit/io/durable';
import { expect, test } from 'vitest';
import { openFileSinkSync } from '@colkit/io';
import type { FileFacts, FileOperation } from '@colkit/io/durable';
import { runOn } from '../support/works-on-files.ts';
import { exists, findTarget, isSameFile, requireFile, requireNothing, writeFailed } from '../../src/durable/target.ts';
import type { Target } from '../../src/durable/target.ts';
import { FakeFiles } from '../support/fake-files.ts';
import type { Fault } from '../support/fake-files.ts';
import { thrownBy } from '../support/thrown.ts';

const PATH = '/data/table.bin';
const FACTS: FileFacts = { type: 'file', mode: 0o644, byteLength: 3, device: 1n, inode: 7n, links: 1, owner: 0 };
const failing =
  (kind: FileOperation['kind'], code: string): Fault =>
  (operation) =>
    operation.kind === kind ? code : undefined;
const target = (facts: FileFacts | null): Target => ({
  given: 'table.bin',
  path: PATH,
  folder: '/data',
  name: 'table.bin',
  facts,
});

function found(fault: Fault, missing?: 'ERR_WRITE' | 'ERR_NOT_FOUND'): unknown {
  const files = new FakeFiles();
  files.fault = fault;
  return thrownBy(() => runOn(findTarget(PATH, missing), files));
}

test.each(['ENOENT', 'ENOTDIR'])('a folder that is not there (%s) is named', (code) => {
  const text = expect.stringContaining('there is no folder /data') as string;
  expect(found(failing('resolve', code))).toMatchObject({
    name: 'IoError',
    code: 'ERR_WRITE',
    operation: 'open',
    path: PATH,
    cause: { code },
    message: text,
  });
  expect(found(failing('resolve', code), 'ERR_NOT_FOUND')).toMatchObject({
    code: 'ERR_NOT_FOUND',
    operation: 'open',
    message: text,
  });
});

test('a path that ends in a separator is that of a folder', () => {
  const files = new FakeFiles();
  const text = 'a path that ends in a separator is that of a folder';
  expect(() => runOn(findTarget('/data/new.bin/'), files)).toThrow(text);
  expect(thrownBy(() => runOn(findTarget('/data/new.bin/', 'ERR_NOT_FOUND'), files))).toMatchObject({
    code: 'ERR_NOT_FOUND',
    path: '/data/new.bin/',
  });
});

test('a folder that is a file is said to be none', () => {
  expect(found(failing('inspect', 'ENOTDIR'))).toMatchObject({
    name: 'IoError',
    code: 'ERR_WRITE',
    operation: 'open',
    path: PATH,
    cause: { code: 'ENOTDIR' },
  });
});

test.each(['EACCES', 'EIO', 'ELOOP'])('what else the system says of a path (%s) is passed on', (code) => {
  for (const kind of ['resolve', 'inspect'] as const) {
    expect(found(failing(kind, code))).toMatchObject({ code });
    const files = new FakeFiles();
    files.fault = failing(kind, code);
    expect(thrownBy(() => openFileSinkSync(PATH, onFiles(files, {})))).toMatchObject({
      name: 'IoError',
      code: 'ERR_WRITE',
      operation: 'write',
      cause: { code },
    });
  }
});

test('a file is told by its path, its folder and its name', () => {
  const files = new FakeFiles();
  files.put(PATH, 'old');
  expect(runOn(findTarget(PATH), files)).toMatchObject({
    given: PATH,
    path: PATH,
    folder: '/data',
    name: 'table.bin',
    facts: { byteLength: 3 },
  });
});

test('only files and links to nothing are replaced', () => {
  for (const type of ['file', 'link'] as const) requireFile(target({ ...FACTS, type }));
  requireFile(target(null));
  requireNothing(target(null));
  for (const type of ['folder', 'other'] as const) {
    expect(
      thrownBy(() => {
        requireFile(target({ ...FACTS, type }));
      }),
    ).toMatchObject({ code: 'ERR_WRITE', operation: 'open', path: 'table.bin' });
  }
  for (const type of ['file', 'link', 'folder', 'other'] as const) {
    expect(
      thrownBy(() => {
        requireNothing(target({ ...FACTS, type }));
      }),
    ).toMatchObject({ code: 'ERR_EXISTS', operation: 'write', path: 'table.bin' });
    expect(exists(target({ ...FACTS, type })).message.includes('overwrite')).toBe(type === 'file' || type === 'link');
  }
});

test('a file is the same where device and number are, and there are numbers', () => {
  const same = (a: Partial<FileFacts> | null, b: Partial<FileFacts> | null): boolean =>
    isSameFile(a && { ...FACTS, ...a }, b && { ...FACTS, ...b });
  expect([
    same({}, { byteLength: 9, mode: 0 }),
    same({}, { inode: 8n }),
    same({}, { device: 2n }),
    same({ inode: 0n }, { inode: 0n }),
  ]).toEqual([true, false, false, false]);
  expect([same(null, {}), same({}, null), same(null, null)]).toEqual([false, false, false]);
});

test('what a writer fails with is of the family, once', () => {
  const error = Object.assign(new Error('no space'), { code: 'ENOSPC' });
  const failed = writeFailed('table.bin', error);
  expect(failed).toMatchObject({
    name: 'IoError',
    code: 'ERR_WRITE',
    operation: 'write',
    path: 'table.bin',
    cause: error,
  });
  expect(writeFailed('table.bin', failed, 'sync')).toBe(failed);
  expect(writeFailed('table.bin', error, 'sync')).toMatchObject({ operation: 'sync' });
  const forbidden = new Error('fsync API is disabled when Permission Model is enabled.');
  expect(writeFailed('table.bin', forbidden).message).toMatch(/durability: 'none'/u);
  const busy = (call: string): Error => new Error(`EBUSY: resource busy or locked, ${call}`);
  const isMounted = 'a file that is mounted by itself cannot be replaced: mount its folder';
  expect(writeFailed('table.bin', busy("rename '/a.tmp' -> '/a'")).message).toContain(isMounted);
  expect(writeFailed('table.bin', busy("unlink '/a'")).message).not.toContain(isMounted);
});
