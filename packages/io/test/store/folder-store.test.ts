// A folder as a store: objects whole or not at all, keys that never lead out of it, one winner of several writers.
import { fork } from 'node:child_process';
import * as fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ObjectStore, StoredObject } from '@colkit/io';
import { FolderStore, writeThroughFile } from '@colkit/io/durable';
import { afterAll, expect, it, vi } from 'vitest';

const root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'colkit-store-')));
afterAll(() => fs.rmSync(root, { recursive: true }));
let made = 0;
const newStore = (): FolderStore => new FolderStore(join(root, String(made++)), { durability: 'none' });
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

async function listed(store: ObjectStore, prefix: string, after?: string): Promise<StoredObject[]> {
  const found: StoredObject[] = [];
  for await (const each of store.list(prefix, after === undefined ? {} : { after })) found.push(each);
  return found;
}

it('keeps objects under keys, and lists them in the order of their keys', async () => {
  const store = newStore();
  expect(await listed(store, '')).toEqual([]);
  for (const key of ['b', 'a/2', 'a/10', 'a b/c=d%2F/x', 'a.1'])
    expect(await store.putIfAbsent(key, bytes(key))).toBe(true);
  expect((await listed(store, '')).map(({ key }) => key)).toEqual(['a b/c=d%2F/x', 'a.1', 'a/10', 'a/2', 'b']);
  expect((await listed(store, 'a/')).map(({ key, byteLength }) => [key, byteLength])).toEqual([
    ['a/10', 4],
    ['a/2', 3],
  ]);
  expect((await listed(store, 'a')).map(({ key }) => key)).toEqual(['a b/c=d%2F/x', 'a.1', 'a/10', 'a/2']);
  expect((await listed(store, 'a/1')).map(({ key }) => key)).toEqual(['a/10']);
  for (const [after, left] of [
    ['a b/c=d%2F/x', ['a.1', 'a/10', 'a/2', 'b']],
    ['a/1', ['a/10', 'a/2', 'b']],
    ['a/2', ['b']],
    ['b', []],
  ] as const)
    expect((await listed(store, '', after)).map(({ key }) => key)).toEqual(left);
  for (let number = 100; number < 200; number++) await store.putIfAbsent(`many/${String(number)}`, bytes(''));
  const many = (await listed(store, 'many/')).map(({ key }) => Number(key.slice('many/'.length)));
  expect(many).toEqual(Array.from({ length: 100 }, (_, index) => 100 + index));
  expect(new TextDecoder().decode(await store.read('a/10'))).toBe('a/10');
  const source = await store.open('a/2');
  const two = new Uint8Array(2);
  await source.read(1, two);
  source.close();
  expect(new TextDecoder().decode(two)).toBe('/2');
});

it('lists all objects or fails: what cannot be looked at is not left out', async () => {
  const store = newStore();
  for (const key of ['a', 'b']) await store.putIfAbsent(key, bytes(key));
  const refused = Object.assign(new Error('no'), { code: 'EIO' });
  const spy = vi.spyOn(fs.promises, 'stat').mockRejectedValue(refused);
  syncBuiltinESMExports();
  try {
    await expect(listed(store, '')).rejects.toMatchObject({ code: 'ERR_READ', path: store.pathOf('a') });
  } finally {
    spy.mockRestore();
    syncBuiltinESMExports();
  }
  fs.symlinkSync('missing', store.pathOf('c'));
  expect((await listed(store, '')).map(({ key }) => key)).toEqual(['a', 'b']);
});

it('writes a key once, and again after it was deleted', async () => {
  const store = newStore();
  expect(await store.putIfAbsent('k', bytes('one'))).toBe(true);
  expect(await store.putIfAbsent('k', bytes('two'))).toBe(false);
  expect(new TextDecoder().decode(await store.read('k'))).toBe('one');
  await expect(store.create('k')).rejects.toMatchObject({ code: 'ERR_EXISTS' });
  await store.delete('k');
  await store.delete('k');
  await expect(store.read('k')).rejects.toMatchObject({ code: 'ERR_NOT_FOUND' });
  await expect(store.open('k')).rejects.toMatchObject({ code: 'ERR_NOT_FOUND' });
  expect(await store.putIfAbsent('k', bytes('three'))).toBe(true);
});

it('shows an object once it is whole, and nothing of one that was given up', async () => {
  const store = newStore();
  const sink = await store.create('deep/er/x');
  await sink.write(bytes('half'));
  expect(await listed(store, '')).toEqual([]);
  await sink.finish();
  expect((await listed(store, '')).map(({ key }) => key)).toEqual(['deep/er/x']);
  const other = await store.create('y');
  await other.write(bytes('half'));
  await other.abort();
  expect(fs.readdirSync(store.name)).toEqual(['deep']);
});

it.each(['', '/', '/etc/passwd', 'a//b', 'a/', '../x', 'a/../x', './x', 'a\\b', 'a\0b'])(
  'refuses the key %j',
  async (key) => {
    const store = newStore();
    await expect(store.putIfAbsent(key, bytes('x'))).rejects.toMatchObject({ code: 'ERR_ARGUMENT' });
    await expect(store.read(key)).rejects.toMatchObject({ code: 'ERR_ARGUMENT' });
    await expect(store.delete(key)).rejects.toMatchObject({ code: 'ERR_ARGUMENT' });
    expect(fs.existsSync(store.name)).toBe(false);
  },
);

it('lets one of several processes that write a key at the same time have it', async () => {
  const store = newStore();
  const program = join(root, 'put.mjs');
  fs.writeFileSync(
    program,
    `import { FolderStore } from ${JSON.stringify(new URL('../../dist/durable.js', import.meta.url).href)};
     const [folder, who] = process.argv.slice(2);
     const store = new FolderStore(folder, { durability: 'none' });
     const won = [];
     for (let n = 0; n < 20; n += 1)
       if (await store.putIfAbsent('n/' + n, new TextEncoder().encode(who))) won.push(n);
     process.send(won);`,
  );
  const won = await Promise.all(
    ['one', 'two', 'three'].map(
      (who) =>
        new Promise<number[]>((done, fail) => {
          const child = fork(program, [store.name, who], { execArgv: [] });
          child.once('message', (numbers) => done(numbers as number[]));
          child.once('error', fail);
          child.once('exit', (code) => code !== 0 && fail(new Error(`it ended with ${String(code)}`)));
        }),
    ),
  );
  expect(won.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n));
  expect((await listed(store, 'n/')).length).toBe(20);
});

it('takes what is written to a file by its path', async () => {
  const store = newStore();
  const folder = join(root, 'spool');
  fs.mkdirSync(folder);
  const large = new Uint8Array((9 << 20) + 1).fill(7);
  const given = await writeThroughFile(
    store,
    'a/b.bin',
    (path) => {
      expect(path).toMatch(/colkit-spool-[^/\\]+[/\\]b\.bin$/u);
      fs.writeFileSync(path, large);
      return 'done';
    },
    { folder },
  );
  expect(given).toBe('done');
  expect(Buffer.compare(await store.read('a/b.bin'), large)).toBe(0);
  const again = writeThroughFile(store, 'a/b.bin', (path) => fs.writeFileSync(path, 'x'), { folder });
  await expect(again).rejects.toMatchObject({ code: 'ERR_EXISTS' });
  await expect(writeThroughFile(store, 'c', () => 0, { folder })).rejects.toMatchObject({ code: 'ERR_NOT_FOUND' });
  await expect(writeThroughFile(store, '../c', () => 0, { folder })).rejects.toMatchObject({ code: 'ERR_ARGUMENT' });
  const signal = AbortSignal.abort(new Error('enough'));
  const stopped = writeThroughFile(store, 'c', (path) => fs.writeFileSync(path, 'x'), { folder, signal });
  await expect(stopped).rejects.toThrow('enough');
  expect(fs.readdirSync(folder)).toEqual([]);
  expect((await listed(store, '')).map(({ key }) => key)).toEqual(['a/b.bin']);
});
