// Where a .syr file comes to lie: links, permissions, what is no file, other writers, and a file system that fails at
// any one operation.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { SYSTEM_FILES, writerTag, onFiles } from '@colkit/io/durable';
import type { FileOperation, FileOperations, FileResult } from '@colkit/io/durable';
import { isOfLock, systemError } from '@colkit/testkit/watched-files';
import { describe, expect, test } from 'vitest';
import { create, createSync, openSync, recoverSync } from '../../src/index.ts';
import type { CreateOptions, SyrahWriter } from '../../src/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const root = temporaryFolder();
let counter = 0;
function newFolder(): { folder: string; path: string } {
  counter += 1;
  const folder = root.path(`d${String(counter)}`);
  mkdirSync(folder);
  return { folder, path: join(folder, 'train.syr') };
}
const item = (i: number): Record<string, Int32Array> => ({ label: Int32Array.of(i) });

async function write(path: string, label: number, options: CreateOptions = {}): Promise<void> {
  const writer = await create(path, options);
  await writer.addItem(item(label));
  await writer.close();
}

const labelOf = (path: string): number | undefined => (openSync(path).getArraySync(0, 'label') as Int32Array)[0];

describe.each([false, true])('journal: %s', (journal) => {
  test('one writer at a time, through all names of a file, until it is closed or given up', async () => {
    const { folder, path } = newFolder();
    await write(path, 1);
    const [link, hard] = [join(folder, 'link.syr'), join(folder, 'hard.syr')];
    symlinkSync('train.syr', link);
    linkSync(path, hard);
    const writer = await create(path, { overwrite: true, journal });
    await writer.addItem(item(2));
    for (const name of [path, link, hard]) {
      const refused = { name: 'IoError', code: 'ERR_LOCKED' };
      await expect(create(name, { overwrite: true })).rejects.toMatchObject(refused);
      expect(() => createSync(name, { overwrite: true, journal: true })).toThrow(expect.objectContaining(refused));
    }
    await writer.close();
    expect(labelOf(path)).toBe(2);
    await (await create(link, { overwrite: true, journal })).abort();
    await write(link, 3, { overwrite: true, journal });
    expect(labelOf(path)).toBe(3);
    expect(readdirSync(folder).sort()).toEqual(['hard.syr', 'link.syr', 'train.syr']);
  });

  test('of two writers of a new file the second is refused before it has written anything', async () => {
    const { folder, path } = newFolder();
    const writer = createSync(path, { journal });
    await expect(create(path)).rejects.toMatchObject({ name: 'IoError', code: 'ERR_LOCKED' });
    await writer.addItem(item(1));
    await writer.close();
    expect([labelOf(path), readdirSync(folder)]).toEqual([1, ['train.syr']]);
  });

  test.each([0o600, 0o640, 0o4755])('permissions (%o) and links are kept', async (mode) => {
    const { folder, path } = newFolder();
    await write(path, 1);
    chmodSync(path, mode);
    symlinkSync('train.syr', join(folder, 'link.syr'));
    const writer = await create(join(folder, 'link.syr'), { overwrite: true, journal });
    await writer.addItem(item(2));
    for (const name of readdirSync(folder))
      if (/partial|journal|tmp/u.test(name))
        expect(statSync(join(folder, name)).mode & 0o7777, name).toBe(mode & 0o777);
    await writer.close();
    expect([lstatSync(join(folder, 'link.syr')).isSymbolicLink(), statSync(path).mode & 0o7777, labelOf(path)]).toEqual(
      [true, mode & 0o777, 2],
    );
    expect(readdirSync(folder).sort()).toEqual(['link.syr', 'train.syr']);
  });

  test('what is no file is refused before an item is taken, and a missing folder is named', async () => {
    const { folder } = newFolder();
    mkdirSync(join(folder, 'inner'));
    spawnSync('mkfifo', [join(folder, 'pipe')]);
    for (const path of [join(folder, 'inner'), join(folder, 'pipe')])
      await expect(create(path, { overwrite: true, journal })).rejects.toMatchObject({ code: 'ERR_WRITE', path });
    await expect(create(join(folder, 'none', 'a.syr'), { journal })).rejects.toMatchObject({
      code: 'ERR_WRITE',
      message: expect.stringContaining(`there is no folder ${join(folder, 'none')}`) as string,
    });
    expect(readdirSync(folder).sort()).toEqual(['inner', 'pipe']);
  });

  test('a journaled writer keeps others out, through every name of the file', async () => {
    const { folder, path } = newFolder();
    await write(path, 1);
    symlinkSync('train.syr', join(folder, 'link.syr'));
    linkSync(path, join(folder, 'hard.syr'));
    const names = ['train.syr', 'link.syr', 'hard.syr'].map((name) => join(folder, name));
    for (const first of names) {
      const writer = createSync(first, { overwrite: true, journal: true });
      for (const second of names) {
        await expect(create(second, { overwrite: true, journal })).rejects.toMatchObject({ code: 'ERR_LOCKED' });
        expect(() => recoverSync(second)).toThrow(expect.objectContaining({ code: 'ERR_LOCKED' }));
      }
      writer.abortSync();
    }
    expect(readdirSync(folder).sort()).toEqual(['hard.syr', 'link.syr', 'train.syr']);
  });

  test.each([false, true])(
    'every operation fails once (overwrite: %s): an error of the family, and nothing is lost or torn',
    async (overwrite) => {
      const { folder, path } = newFolder();
      for (let nth = 0, isReached = true; isReached; nth += 1) {
        for (const name of readdirSync(folder)) rmSync(join(folder, name));
        if (overwrite) await write(path, 1, { durability: 'none' });
        const seen: FileOperation[] = [];
        const operations = failingAt(nth, seen);
        let [acknowledged, failure]: [number, unknown] = [0, null];
        let writer: SyrahWriter | null = null;
        try {
          writer = await create(path, onFiles(operations, { overwrite, journal }));
          for (let i = 0; i < 3; i += 1) {
            await writer.addItem(item(10 + i));
            acknowledged += 1;
          }
          await writer.close();
        } catch (error) {
          failure = error;
          await writer?.abort();
        }
        isReached = seen.length > nth;
        const what = `${seen[nth]?.kind ?? 'nothing'} (${String(nth)})`;
        if (failure !== null) expect(failure, what).toMatchObject({ name: 'IoError' });
        const left = readdirSync(folder).filter((name) => name !== 'train.syr');
        // A name that could not be removed stays, for the next writer to remove.
        if (seen[nth]?.kind !== 'unlink')
          expect(
            left.filter((name) => !journal || !/\.(partial|journal)$/u.test(name)),
            what,
          ).toEqual([]);
        const before = overwrite ? 1 : 0;
        if (journal && failure !== null && readdirSync(folder).length > before) {
          const { status, itemCount } = recoverSync(path, { overwrite: true });
          expect(status === 'nothing' ? 0 : itemCount, what).toBeGreaterThanOrEqual(acknowledged);
        }
        if (failure === null) expect(openSync(path).itemCount, what).toBe(3);
        else if (overwrite) expect([1, 10], what).toContain(labelOf(path));
        await write(path, 5, { overwrite: true, durability: 'none' });
        expect(labelOf(path)).toBe(5);
      }
    },
  );
});

/**
 * The system's files, of which one operation fails as on a broken disk. A lock that cannot be taken away would lock
 * this process out.
 */
function failingAt(nth: number, seen: FileOperation[]): FileOperations {
  const runSync = (operation: FileOperation): FileResult => {
    if (operation.kind !== 'unlink' || !isOfLock(operation)) {
      seen.push(operation);
      if (seen.length - 1 === nth) {
        if (operation.kind === 'close') SYSTEM_FILES.runSync(operation);
        throw systemError('EIO', operation.kind);
      }
    }
    return SYSTEM_FILES.runSync(operation);
  };
  return { runSync, run: async (operation) => Promise.resolve(runSync(operation)) };
}

test('a writer that died leaves its lock, and the next one does not mind', async () => {
  const { folder, path } = newFolder();
  const script = `import { createSync } from ${JSON.stringify(new URL('../../dist/index.js', import.meta.url).href)};
    const writer = createSync(${JSON.stringify(path)}, { journal: true });
    writer.addItemSync({ label: Int32Array.of(7) });
    process.kill(process.pid, 'SIGKILL');`;
  spawnSync(process.execPath, ['--input-type=module', '-e', script]);
  expect(readdirSync(folder).sort()).toEqual(['train.syr.journal', 'train.syr.lock', 'train.syr.partial']);
  await expect(create(path)).rejects.toMatchObject({ code: 'ERR_EXISTS' });
  expect(recoverSync(path)).toMatchObject({ status: 'recovered', itemCount: 1 });
  expect([labelOf(path), readdirSync(folder)]).toEqual([7, ['train.syr']]);
  writeFileSync(`${path}.lock`, readFileSync(path));
  await write(path, 8, { overwrite: true, journal: true });
  expect(readdirSync(folder)).toEqual(['train.syr']);
});

test('a write without a journal that has nothing to clear takes its two locks once', async () => {
  const { folder, path } = newFolder();
  await write(path, 1);
  const links: string[] = [];
  const noted = (operation: FileOperation): FileOperation => {
    if (operation.kind === 'link') links.push(operation.to);
    return operation;
  };
  const operations: FileOperations = {
    run: (operation) => SYSTEM_FILES.run(noted(operation)),
    runSync: (operation) => SYSTEM_FILES.runSync(noted(operation)),
  };
  await write(path, 2, onFiles(operations, { overwrite: true }));
  expect([links.length, links[0], labelOf(path)]).toEqual([2, `${path}.lock`, 2]);
  expect(readdirSync(folder)).toEqual(['train.syr']);
});

test.each(['.partial', '.journal', '.lock'])(
  'what a dead writer left (%s) goes with the next write that may replace it',
  async (ending) => {
    const { folder, path } = newFolder();
    await write(path, 1);
    writeFileSync(
      `${path}${ending}`,
      ending === '.lock' ? JSON.stringify({ host: 'here', pid: 1, tag: deadTag(), purpose: 'write' }) : 'left',
    );
    await write(path, 2, { overwrite: true });
    expect([readdirSync(folder), labelOf(path)]).toEqual([['train.syr'], 2]);
  },
);

test('a lock of a dead writer, and nothing else, goes with a new file too', async () => {
  const { folder, path } = newFolder();
  writeFileSync(`${path}.lock`, JSON.stringify({ host: 'here', pid: 1, tag: deadTag(), purpose: 'write' }));
  await write(path, 1);
  expect([readdirSync(folder), labelOf(path)]).toEqual([['train.syr'], 1]);
});

/** Of a process with a number above the largest that Linux gives. */
function deadTag(): string {
  return writerTag().replace(/-\d+-/u, '-4194399-');
}
