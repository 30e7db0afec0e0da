// The system's files, operation by operation, in both forms: what each does to the disk, what it tells, and which of
// the system's errors are told.
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, readlinkSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SYSTEM_FILES } from '@colkit/io/durable';
import type { FileOperation, FileResult } from '@colkit/io/durable';
import { THIS_MACHINE } from '../../src/durable/processes.ts';
import { testFolder } from '../support/folder.ts';

const folder = testFolder();
let next = 0;
const newPath = (): string => join(folder.path, `s${String((next += 1))}`);
const stored = (text = 'abcdef'): string => {
  const path = newPath();
  writeFileSync(path, text);
  return path;
};

const FORMS = {
  async: async (operation: FileOperation): Promise<FileResult> => SYSTEM_FILES.run(operation),
  sync: async (operation: FileOperation): Promise<FileResult> => Promise.resolve(SYSTEM_FILES.runSync(operation)),
};

async function codeOf(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}

describe.each(['async', 'sync'] as const)('%s', (form) => {
  const run = FORMS[form];

  test('a file is created, written, cut, looked at, given permissions, synced and closed', async () => {
    const path = newPath();
    const fd = (await run({ kind: 'create', path, mode: 0o600 })) as number;
    expect(await codeOf(() => run({ kind: 'create', path, mode: 0o600 }))).toBe('EEXIST');
    const bytes = new TextEncoder().encode('abcdef');
    expect(await run({ kind: 'write', fd, bytes, byteOffset: 2 })).toBe(6);
    expect(await run({ kind: 'truncate', fd, byteLength: 5 })).toBeUndefined();
    expect(await run({ kind: 'setMode', fd, mode: 0o640 })).toBeUndefined();
    expect(await run({ kind: 'sync', fd })).toBeUndefined();
    const { ino: inode, dev: device, uid } = statSync(path, { bigint: true });
    const facts = { type: 'file', mode: 0o640, byteLength: 5, device, inode, links: 1, owner: Number(uid) };
    expect(await run({ kind: 'stat', fd })).toEqual(facts);
    expect(await run({ kind: 'inspect', path })).toEqual(facts);
    expect(await run({ kind: 'close', fd })).toBeUndefined();
    expect(await codeOf(() => run({ kind: 'sync', fd }))).toBe('EBADF');
    expect(readFileSync(path, 'latin1')).toBe('\0\0abc');
  });

  test('a file that is there is opened to be changed, and nothing of it goes', async () => {
    const path = stored();
    const fd = (await run({ kind: 'open', path })) as number;
    expect(await run({ kind: 'write', fd, bytes: Uint8Array.of(65), byteOffset: 1 })).toBe(1);
    await run({ kind: 'close', fd });
    expect(readFileSync(path, 'latin1')).toBe('aAcdef');
    expect(await codeOf(() => run({ kind: 'open', path: newPath() }))).toBe('ENOENT');
  });

  test('an open file is locked against other programs, where the addon does so, until it is closed', async () => {
    const path = stored();
    const [first, second] = [await run({ kind: 'open', path }), await run({ kind: 'open', path })] as [number, number];
    const result = await run({ kind: 'lock', fd: first });
    expect(['locked', 'unsupported']).toContain(result);
    expect(await run({ kind: 'lock', fd: second })).toBe(result === 'locked' ? 'held' : result);
    await run({ kind: 'close', fd: first });
    expect(await run({ kind: 'lock', fd: second })).toBe(result);
    await run({ kind: 'close', fd: second });
  });

  test('folders are made for their user alone, listed, opened and synced', async () => {
    const path = newPath();
    expect(await run({ kind: 'makeFolder', path, mode: 0o700 })).toBeUndefined();
    expect(await run({ kind: 'inspect', path })).toMatchObject({ type: 'folder', mode: 0o700 });
    writeFileSync(join(path, 'a'), '');
    expect(await run({ kind: 'list', path })).toEqual(['a']);
    const fd = (await run({ kind: 'openFolder', path })) as number;
    expect(await run({ kind: 'sync', fd })).toBeUndefined();
    await run({ kind: 'close', fd });
    expect(await codeOf(() => run({ kind: 'openFolder', path: newPath() }))).toBe('ENOENT');
  });

  test('names are given, replaced and taken away', async () => {
    const [from, to] = [stored(), newPath()];
    expect(await run({ kind: 'link', from, to })).toBeUndefined();
    expect(await run({ kind: 'inspect', path: to })).toMatchObject({ links: 2 });
    expect(await codeOf(() => run({ kind: 'link', from, to }))).toBe('EEXIST');
    expect(await run({ kind: 'unlink', path: from })).toBeUndefined();
    expect(await codeOf(() => run({ kind: 'unlink', path: from }))).toBe('ENOENT');
    const other = stored('other');
    expect(await run({ kind: 'rename', from: other, to })).toBeUndefined();
    expect([readFileSync(to, 'latin1'), readdirSync(folder.path).includes(other)]).toEqual(['other', false]);
  });

  test('what stands at a path is told, and that nothing does; a link is not followed, but resolved', async () => {
    const [file, link, pipe] = [stored(), newPath(), newPath()];
    symlinkSync(file, link);
    spawnSync('mkfifo', [pipe]);
    expect(await run({ kind: 'inspect', path: link })).toMatchObject({ type: 'link' });
    expect(await run({ kind: 'resolve', path: link })).toBe(await run({ kind: 'resolve', path: file }));
    if (process.platform !== 'win32')
      expect(await run({ kind: 'inspect', path: pipe })).toMatchObject({ type: 'other' });
    expect(await run({ kind: 'inspect', path: newPath() })).toBeNull();
    expect(await codeOf(() => run({ kind: 'resolve', path: newPath() }))).toBe('ENOENT');
  });

  test('a small file is read whole; none, one without content, and a failure are told apart', async () => {
    const bytes = await run({ kind: 'read', path: stored() });
    expect([bytes, (bytes as Uint8Array).constructor.name]).toEqual([new TextEncoder().encode('abcdef'), 'Uint8Array']);
    expect(await run({ kind: 'read', path: stored('') })).toEqual(new Uint8Array(0));
    expect(await run({ kind: 'read', path: newPath() })).toBeNull();
    expect(await codeOf(() => run({ kind: 'read', path: folder.path }))).toBe('EISDIR');
    // A file on the way to it: there is no such path at all.
    const within = join(stored(), 'a');
    expect(await codeOf(() => run({ kind: 'read', path: within }))).toBe('ENOTDIR');
  });

  test('a wait passes, and what is no operation is refused', async () => {
    const before = performance.now();
    expect(await run({ kind: 'wait', milliseconds: 20 })).toBeUndefined();
    expect(performance.now() - before).toBeGreaterThan(15);
    await expect(run({ kind: 'format', path: newPath() } as never)).rejects.toThrow();
  });
});

test('what this machine tells of itself', () => {
  const addresses = Object.values(networkInterfaces()).flatMap((group) => group!.map(({ mac }) => mac));
  expect(THIS_MACHINE.addresses()).toEqual(addresses);
  if (process.platform === 'linux')
    expect(THIS_MACHINE.readLink('/proc/self/ns/pid')).toBe(readlinkSync('/proc/self/ns/pid'));
  expect(THIS_MACHINE.readText(stored('text'))).toBe('text');
  expect(() => {
    THIS_MACHINE.signal(process.pid);
  }).not.toThrow();
});
