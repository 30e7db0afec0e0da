// Folders that files are added to: made with what is above them, their names on the disk, and cleared of what dead
// writers left. And temporary ones, gone with what disposes of them, or with the process.
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { GrowingFolder, SYSTEM_FILES, removeUnfinished, temporaryFolder } from '@colkit/io/durable';
import type { FileOperation, FileOperations } from '@colkit/io/durable';
import { perform, run, runSync } from '@colkit/io/effects';
import type { Operation } from '@colkit/io/effects';
import { afterAll, describe, expect, it } from 'vitest';
import { temporaryPrefix } from '../../src/durable/temporary-name.ts';
import { THIS_MACHINE, processScope } from '../../src/durable/processes.ts';

const root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'colkit-folder-')));
afterAll(() => fs.rmSync(root, { recursive: true }));
let made = 0;
const newPath = (): string => join(root, String(made++));

function watched(hook: (operation: FileOperation, when: 'before' | 'after') => void): FileOperations {
  const runSync = (operation: FileOperation) => {
    hook(operation, 'before');
    const result = SYSTEM_FILES.runSync(operation);
    hook(operation, 'after');
    return result;
  };
  return { run: (operation) => Promise.resolve().then(() => runSync(operation)), runSync };
}

interface Form {
  readonly form: string;
  readonly ask: <T>(operation: Operation<T>) => Promise<T>;
}
const FORMS: readonly Form[] = [
  { form: 'awaited', ask: (operation) => run(perform(operation)) },
  { form: 'synchronous', ask: (operation) => Promise.resolve().then(() => runSync(perform(operation))) },
];

/** The folders that are synced while it is made. */
async function syncedBy({ ask }: Form, path: string, durable = true): Promise<string[]> {
  const folders = new Map<number, string>();
  const synced: string[] = [];
  const files = watched((operation: FileOperation, when) => {
    if (operation.kind === 'openFolder' && when === 'before') folders.set(folders.size, operation.path);
    if (operation.kind === 'sync' && when === 'after') synced.push([...folders.values()].at(-1) ?? '');
  });
  await ask(new GrowingFolder(path, files).make(durable));
  expect(fs.statSync(path).isDirectory()).toBe(true);
  return synced;
}

describe.each(FORMS)('$form', (form) => {
  const { ask } = form;

  it('makes what is missing, and syncs the name of each folder that it made', async () => {
    const path = newPath();
    expect(await syncedBy(form, join(path, 'a', 'b'))).toEqual([root, path, join(path, 'a')]);
    // One without files may have been made by somebody who died before its name was on the disk.
    expect(await syncedBy(form, join(path, 'a', 'b'))).toEqual([join(path, 'a')]);
    fs.writeFileSync(join(path, 'a', 'b', '.hidden'), '');
    expect(await syncedBy(form, join(path, 'a', 'b'))).toEqual([join(path, 'a')]);
    fs.writeFileSync(join(path, 'a', 'b', 'file'), '');
    expect(await syncedBy(form, join(path, 'a', 'b'))).toEqual([]);
    expect(await syncedBy(form, newPath(), false)).toEqual([]);
  });

  it('behind a link, the name of the folder itself is synced', async () => {
    const [path, link] = [newPath(), newPath()];
    fs.mkdirSync(join(path, 'deeper'), { recursive: true });
    fs.symlinkSync(join(path, 'deeper'), link, 'dir');
    expect(await syncedBy(form, link)).toEqual([path]);
  });

  it('what is no folder, and what cannot be made, is an error of the family', async () => {
    const [file, link] = [newPath(), newPath()];
    fs.writeFileSync(file, '');
    fs.symlinkSync(join(root, 'nowhere', 'else'), link);
    for (const path of [file, join(file, 'below'), link, join(link, 'below'), '/proc/nowhere/else'])
      await expect(ask(new GrowingFolder(path).make(true)), path).rejects.toMatchObject({ code: 'ERR_WRITE', path });
  });

  it('what refuses a folder is told, and only a missing one above it is made first', async () => {
    const asked: string[] = [];
    const refusing = (refuses: (path: string) => boolean, code: string): FileOperations =>
      watched((operation, when) => {
        if (operation.kind !== 'makeFolder' || when === 'after') return;
        asked.push(operation.path);
        if (refuses(operation.path)) throw Object.assign(new Error(code), { code });
      });
    const path = newPath();
    const below = join(path, 'below');
    await expect(
      ask(
        new GrowingFolder(
          below,
          refusing(() => true, 'EACCES'),
        ).make(true),
      ),
    ).rejects.toMatchObject({
      code: 'ERR_WRITE',
      operation: 'append',
      path: below,
    });
    expect(asked.splice(0)).toEqual([below]);
    // The one above was made; the folder itself is not.
    const isBelow = (each: string): boolean => each === below && fs.existsSync(path);
    await expect(ask(new GrowingFolder(below, refusing(isBelow, 'EROFS')).make(true))).rejects.toMatchObject({
      code: 'ERR_WRITE',
      path: below,
    });
    expect(asked).toEqual([below, path, below]);
  });

  it('somebody is faster', async () => {
    const path = newPath();
    const files = watched(({ kind }, when) => {
      if (kind === 'makeFolder' && when === 'before') fs.mkdirSync(path, { recursive: true });
    });
    await ask(new GrowingFolder(path, files).make(true));
    expect(fs.readdirSync(path)).toEqual([]);
  });

  it('somebody removes it while it is looked at', async () => {
    const path = newPath();
    fs.mkdirSync(path);
    const files = watched(({ kind }, when) => {
      if (kind === 'resolve' && when === 'after') fs.rmdirSync(path);
    });
    await ask(new GrowingFolder(path, files).make(true));
    expect(fs.readdirSync(path)).toEqual([]);
  });

  it('removes what a dead writer left of a file that is there, and nothing else', async () => {
    const path = newPath();
    fs.mkdirSync(path);
    const dead = `${processScope(THIS_MACHINE)}-1-1-0123456789ab.tmp`;
    const alive = `${processScope(THIS_MACHINE)}-${String(process.pid)}-x-0123456789ab.tmp`;
    const left = [`${temporaryPrefix('there')}${dead}`, `${temporaryPrefix('.lock')}${dead}`];
    const kept = [
      `${temporaryPrefix('there')}${alive}`,
      `${temporaryPrefix('gone')}${dead}`,
      'there',
      '.lock',
      'a.tmp',
    ];
    for (const name of [...left, ...kept]) fs.writeFileSync(join(path, name), '');
    const folder = new GrowingFolder(path);
    await ask(folder.removeAbandoned());
    expect([...(await ask(folder.names()))].sort()).toEqual(kept.sort());
    await ask(new GrowingFolder(join(path, 'nowhere')).removeAbandoned());
    await expect(ask(new GrowingFolder(join(path, 'nowhere')).names())).rejects.toMatchObject({ code: 'ERR_WRITE' });
    expect(basename(folder.path)).toBe(basename(path));
  });
});

describe('a temporary folder', () => {
  it('is there until it is disposed of, with what is in it', () => {
    const folder = temporaryFolder('colkit-test-');
    fs.writeFileSync(join(folder.path, 'a'), 'x');
    folder[Symbol.dispose]();
    expect(fs.existsSync(folder.path)).toBe(false);
    folder[Symbol.dispose]();
  });

  it('says where it was to be, and what names that place', () => {
    const before = process.env['TMPDIR'];
    process.env['TMPDIR'] = '/nowhere/at/all';
    try {
      expect(() => temporaryFolder('colkit-test-')).toThrow(
        expect.objectContaining({
          code: 'ERR_WRITE',
          path: '/nowhere/at/all',
          message: expect.stringContaining('TMPDIR (TEMP on Windows) names it') as string,
        }),
      );
    } finally {
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
    }
  });

  it('goes with the process', () => {
    const folder = temporaryFolder('colkit-test-');
    fs.writeFileSync(join(folder.path, 'a'), 'x');
    removeUnfinished();
    expect(fs.existsSync(folder.path)).toBe(false);
  });
});
