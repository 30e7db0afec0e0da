// Disks that fail while a folder grows: each call to the system fails once, in both forms. The error is one of the
// family, what was acknowledged is there, nothing else is, the folder is free, and the next writer goes on.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onFiles } from '@colkit/io/durable';
import { WatchedFiles, failing, isOfLock } from '@colkit/testkit/watched-files';
import { afterAll, expect, it } from 'vitest';
import {
  IoError,
  append,
  appendAll,
  appendAllSync,
  appendSync,
  appender,
  appenderSync,
  openSync,
} from '../../src/index.ts';

const root = mkdtempSync(join(tmpdir(), 'colstore-shard-faults-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let made = 0;
const newPath = (): string => join(root, String(made++));
const x = (...values: number[]) => ({ x: Int32Array.from(values) });
const xs = (folder: string): number[] => {
  using table = openSync(folder);
  return table.rowCount === 0 ? [] : Array.from(table.toColumnsSync()['x'] as Int32Array);
};

const FAULTS = [
  ['makeFolder', 'EROFS'],
  ['create', 'EROFS'],
  ['write', 'ENOSPC'],
  ['sync', 'EIO'],
  ['close', 'EIO'],
  ['list', 'EIO'],
] as const;

it.each(FAULTS)('%s fails with %s', async (kind, code) => {
  for (const form of ['append', 'appendSync', 'appender', 'appenderSync']) {
    for (let nth = 0; ; nth += 1) {
      const folder = newPath();
      const fail = failing(kind, code, nth);
      let isMet = false;
      const files = new WatchedFiles((operation, when) => {
        if (isOfLock(operation)) return;
        try {
          fail(operation, when);
        } catch (error) {
          isMet = true;
          throw error;
        }
      });
      const options = onFiles(files, {});
      let acknowledged = 0;
      let failure: unknown = null;
      try {
        if (form === 'append') await append(folder, x(1, 2), options);
        else if (form === 'appendSync') appendSync(folder, x(1, 2), options);
        else if (form === 'appender') {
          const writer = await appender(folder, options);
          await writer.write(x(1, 2));
          await writer.close();
        } else {
          const writer = appenderSync(folder, options);
          writer.writeSync(x(1, 2));
          writer.closeSync();
        }
        acknowledged = 2;
      } catch (error) {
        failure = error;
      }
      const told = `${form}, ${kind} ${String(nth)}`;
      if (!isMet) {
        expect([failure, acknowledged], told).toEqual([null, 2]);
        expect(nth, told).toBeGreaterThan(0);
        break;
      }
      if (failure !== null) expect(failure, told).toBeInstanceOf(IoError);
      mkdirSync(folder, { recursive: true });
      expect(xs(folder), told).toEqual(acknowledged === 0 ? [] : [1, 2]);
      await append(folder, x(3));
      expect(xs(folder), told).toEqual(acknowledged === 0 ? [3] : [1, 2, 3]);
      const left = readdirSync(folder).filter((name) => name.startsWith('.'));
      expect(left, told).toEqual(['.colstore.lock']);
    }
  }
});

it.each([...FAULTS, ['link', 'EIO'] as const])('several at once: %s fails with %s', async (kind, code) => {
  for (const form of ['appendAll', 'appendAllSync']) {
    for (let nth = 0; ; nth += 1) {
      const folder = newPath();
      const fail = failing(kind, code, nth);
      let [isMet, isSeen] = [false, false];
      const files = new WatchedFiles((operation, when) => {
        if (isOfLock(operation)) return;
        if (operation.kind === 'link' && when === 'after') isSeen = true;
        try {
          fail(operation, when);
        } catch (error) {
          isMet = true;
          throw error;
        }
      });
      const all = [x(1, 2), x(3), x(4, 5)];
      const failure = await (async () => {
        if (form === 'appendAll') await appendAll(folder, all, onFiles(files, {}));
        else appendAllSync(folder, all, onFiles(files, {}));
        return null;
      })().catch((error: unknown) => error);
      const told = `${form}, ${kind} ${String(nth)}`;
      mkdirSync(folder, { recursive: true });
      const found = String(xs(folder));
      if (!isMet) {
        expect([failure, found], told).toEqual([null, '1,2,3,4,5']);
        expect(nth, told).toBeGreaterThan(0);
        break;
      }
      if (failure === null) expect(found, told).toBe('1,2,3,4,5');
      else {
        expect(failure, told).toBeInstanceOf(IoError);
        // None, where all were still to appear; else the first ones, but for one that is not certain to last.
        expect(isSeen ? ['', '1,2', '1,2,3'] : [''], told).toContain(found);
      }
      await append(folder, x(9));
      expect(String(xs(folder)), told).toBe([...(found === '' ? [] : [found]), '9'].join());
      const left = readdirSync(folder).filter((name) => name.startsWith('.'));
      expect(left, told).toEqual(['.colstore.lock']);
    }
  }
});

it('a batch that could not be written waits, and goes with the next flush', async () => {
  const folder = newPath();
  let isFull = false;
  const files = new WatchedFiles((operation, when) => {
    if (isFull && when === 'before' && operation.kind === 'write')
      throw Object.assign(new Error('ENOSPC: no space'), { code: 'ENOSPC' });
  });
  const writer = await appender(folder, onFiles(files, {}));
  await writer.write(x(1));
  isFull = true;
  await expect(writer.flush()).rejects.toMatchObject({ code: 'ERR_WRITE' });
  expect([writer.pendingRows, readdirSync(folder).filter((name) => name.includes('shard'))]).toEqual([1, []]);
  isFull = false;
  await writer.write(x(2));
  await writer.close();
  expect(xs(folder)).toEqual([1, 2]);
});

it('a second writer through a link to the folder, and through a folder above it, is refused', async () => {
  const [folder, link, above] = [newPath(), newPath(), newPath()];
  mkdirSync(folder);
  symlinkSync(folder, link, 'dir');
  symlinkSync(root, above, 'dir');
  const other = join(above, folder.slice(root.length + 1));
  for (const [first, second] of [
    [folder, link],
    [link, folder],
    [other, link],
  ] as const) {
    await using writer = await appender(first);
    for (const attempt of [
      async () => append(second, x(9)),
      async () => appender(second),
      async () => appendSync(second, x(9)),
      async () => appenderSync(second),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: 'ERR_LOCKED' });
    await writer.write(x(1));
    await writer.close();
    await append(second, x(2));
  }
  expect(xs(link)).toEqual([1, 2, 1, 2, 1, 2]);
});

it('without hard links no empty file is met, also where the name is taken meanwhile', async () => {
  const folder = newPath();
  const seen: string[][] = [];
  const files = new WatchedFiles((operation, when) => {
    if (operation.kind === 'link') throw Object.assign(new Error('EPERM: no links'), { code: 'EPERM' });
    if (when === 'after' && !isOfLock(operation) && operation.kind === 'rename') seen.push([String(xs(folder))]);
  });
  await append(folder, x(1), onFiles(files, {}));
  appendSync(folder, x(2), onFiles(files, {}));
  await expect(append(folder, x(3), onFiles(files, { name: 'shard_00001.cstore' }))).rejects.toMatchObject({
    code: 'ERR_EXISTS',
  });
  expect(seen).toEqual([['1'], ['1,2']]);
  expect(xs(folder)).toEqual([1, 2]);
});
