// Where a .cstore file comes to lie: links, permissions, what is no file, locks of the living and of the dead.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { reserve, writerTag } from '@colkit/io/durable';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { append, openSync, write, writeSync } from '../../src/index.ts';

const root = mkdtempSync(join(tmpdir(), 'colstore-durable-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let next = 0;
let folder = '';
let path = '';
beforeEach(() => {
  folder = join(root, `f${String(next++)}`);
  mkdirSync(folder);
  path = join(folder, 'data.cstore');
});
const rows = (a: number): { a: Int32Array } => ({ a: Int32Array.of(a) });
const valueOf = (): number => (openSync(path).toColumnsSync() as { a: Int32Array }).a[0]!;

test.each([0o600, 0o640, 0o4755])('permissions (%o) and links are kept', async (mode) => {
  writeSync(path, rows(1));
  chmodSync(path, mode);
  symlinkSync('data.cstore', join(folder, 'link.cstore'));
  await write(join(folder, 'link.cstore'), rows(2), { overwrite: true });
  expect([lstatSync(join(folder, 'link.cstore')).isSymbolicLink(), statSync(path).mode & 0o7777, valueOf()]).toEqual([
    true,
    mode & 0o777,
    2,
  ]);
});

test('what is no file is refused at once, and a missing folder is named', async () => {
  mkdirSync(join(folder, 'inner'));
  spawnSync('mkfifo', [join(folder, 'pipe')]);
  for (const each of [join(folder, 'inner'), join(folder, 'pipe')])
    await expect(write(each, rows(1), { overwrite: true })).rejects.toMatchObject({ code: 'ERR_WRITE', path: each });
  await expect(append(join(folder, 'pipe'), rows(1))).rejects.toThrow('it is not a folder');
  writeSync(path, rows(1));
  for (const each of [`${path}/`, join(folder, 'new/')])
    await expect(write(each, rows(1), { overwrite: true })).rejects.toThrow(
      'a path that ends in a separator is that of a folder',
    );
  rmSync(path);
  await expect(write(join(folder, 'none', 'a.cstore'), rows(1))).rejects.toMatchObject({
    code: 'ERR_WRITE',
    message: expect.stringContaining(`there is no folder ${join(folder, 'none')}`) as string,
  });
  expect(readdirSync(folder).sort()).toEqual(['inner', 'pipe']);
});

test("a file that somebody is writing is not replaced, through any name; a dead process's is", async () => {
  writeSync(path, rows(1));
  linkSync(path, join(folder, 'hard.cstore'));
  symlinkSync('data.cstore', join(folder, 'link.cstore'));
  const held = reserve(join(folder, 'hard.cstore'), { to: 'grow', durable: false }).runSync();
  for (const name of ['data', 'hard', 'link'])
    await expect(write(join(folder, `${name}.cstore`), rows(2), { overwrite: true })).rejects.toMatchObject({
      code: 'ERR_LOCKED',
    });
  held.release().runSync();
  const [scope, , started, random] = writerTag().split('-') as [string, string, string, string];
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  writeFileSync(
    `${path}.lock`,
    JSON.stringify({ host: hostname(), pid, tag: [scope, pid, started, random].join('-'), purpose: 'write' }),
  );
  await write(path, rows(3), { overwrite: true });
  expect([valueOf(), readdirSync(folder).sort()]).toEqual([3, ['data.cstore', 'hard.cstore', 'link.cstore']]);
});
