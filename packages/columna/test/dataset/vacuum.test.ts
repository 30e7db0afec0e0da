// What vacuum takes away of writers that died, and by whose clock; and commits that nobody could read.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { IoError } from '@colkit/io';
import { FolderStore } from '@colkit/io/durable';
import { afterEach, expect, it, vi } from 'vitest';
import { commit, history, openDataset, vacuum, writePart } from '../../src/index.ts';
import { newFolders } from '../support/new-folders.ts';

const newFolder = newFolders('vacuum');
const newStore = (): FolderStore => new FolderStore(join(newFolder().folder, 'orders'), { durability: 'none' });
const rows = { id: Int32Array.of(1, 2) };
const HOUR = 3_600_000;
const UNFINISHED = /^\.part-.*\.tmp$/;

afterEach(() => {
  vi.useRealTimers();
});

it('takes away what a killed writer left of a part that was not whole', { timeout: 60_000 }, async () => {
  const store = newStore();
  const program = `
    import { writePart } from ${JSON.stringify(new URL('../../dist/index.js', import.meta.url).href)};
    async function* endless() { for (;;) yield { x: Float64Array.from({ length: 100_000 }, Math.random) }; }
    await writePart(process.argv[1], endless(), { schema: { x: 'float64' }, rowGroupSize: 100_000 });`;
  const writer = spawn(process.execPath, ['--input-type=module', '-e', program, store.name], { stdio: 'inherit' });
  const ended = once(writer, 'exit');
  const left = (): string[] => readdirSync(store.name, { recursive: true }).map(String).sort();
  await vi.waitFor(() => expect(left()).toEqual([expect.stringMatching(UNFINISHED)]), { timeout: 30_000 });
  await setTimeout(50);
  writer.kill('SIGKILL');
  await ended;
  const part = await writePart(store, rows);
  await commit(store, [part], { expected: 0 });
  const [unfinished = ''] = left();
  writeFileSync(join(store.name, '.somebody-else.tmp'), 'x');
  expect(await vacuum(store)).toMatchObject({ parts: [] });
  const old = new Date(Date.now() - HOUR);
  for (const name of [unfinished, '.somebody-else.tmp']) utimesSync(join(store.name, name), old, old);
  const planned = await vacuum(store, { olderThanMs: HOUR / 2, dryRun: true });
  expect(planned).toEqual({ versions: [], parts: [unfinished], byteLength: expect.any(Number) as number });
  expect(await vacuum(store, { olderThanMs: HOUR / 2 })).toEqual(planned);
  expect(left()).toEqual(
    ['.somebody-else.tmp', '_manifests', '_manifests/00000000000000000001.json', '_probes', part.key].sort(),
  );
});

it('goes by the clock of the store, whatever that of this machine says', async () => {
  const store = newStore();
  await commit(store, [await writePart(store, rows)], { expected: 0 });
  const young = await writePart(store, rows);
  await commit(store, [young], { expected: 1, operation: 'replace' });
  vi.useFakeTimers({ now: Date.now() + 30 * 24 * HOUR, toFake: ['Date'] });
  expect(await vacuum(store)).toEqual({ versions: [], parts: [], byteLength: 0 });
  expect(await history(store)).toHaveLength(2);
});

it('makes room where there is none for a probe, and goes by what was written last', async () => {
  class FullStore extends FolderStore {
    override putIfAbsent(key: string): Promise<boolean> {
      return Promise.reject(new IoError('ERR_WRITE', 'write', key, 'ENOSPC: no space left on device'));
    }
  }
  const store = newStore();
  const parts = [];
  for (const expected of [0, 1, 2]) {
    const part = await writePart(store, rows);
    await commit(store, [part], { expected, operation: 'replace' });
    parts.push(part.key);
  }
  const at = (key: string, hours: number): void => {
    const time = new Date(Date.now() - hours * HOUR);
    utimesSync(join(store.name, key), time, time);
  };
  const manifest = (version: number): string => `_manifests/${String(version).padStart(20, '0')}.json`;
  for (const [number, hours] of [9, 6, 5].entries()) {
    at(parts[number] ?? '', hours);
    at(manifest(number + 1), hours);
  }
  // Two hours before the last commit, which five hours ago was: the second version is younger than that.
  expect(await vacuum(new FullStore(store.name), { olderThanMs: 2 * HOUR })).toMatchObject({
    versions: [1],
    parts: [parts[0]],
  });
  expect(await history(store)).toHaveLength(2);
});

it('makes nothing where nothing is', async () => {
  const { folder } = newFolder();
  expect(await vacuum(join(folder, 'nowhere'), { olderThanMs: 0 })).toEqual({ versions: [], parts: [], byteLength: 0 });
  expect(readdirSync(folder)).toEqual([]);
});

it('a manifest under the name of another version is damage', async () => {
  const store = newStore();
  await commit(store, [await writePart(store, rows)], { expected: 0 });
  const at = (version: number): string => join(store.name, '_manifests', `${String(version).padStart(20, '0')}.json`);
  copyFileSync(at(1), at(7));
  const damaged = { code: 'ERR_MANIFEST', path: at(7) };
  await expect(openDataset(store.name)).rejects.toMatchObject(damaged);
  await expect(commit(store, [], { expected: 7 })).rejects.toMatchObject(damaged);
  expect((await openDataset(store.name, { version: 1 })).version).toBe(1);
});

it('commits nothing that no reader would read', { timeout: 60_000 }, async () => {
  const store = newStore();
  await commit(store, [await writePart(store, rows)], { expected: 0 });
  const part = await writePart(store, rows);
  // Six bytes of JSON each.
  const long = { ...part, groups: [[2, [9], [[0, 0, '\u0001'.repeat(45_000_000), 'y', 0]]]] };
  await expect(commit(store, [long as never], { expected: 1 })).rejects.toMatchObject({ code: 'ERR_LIMIT' });
  expect((await commit(store, [part], { expected: 1 })).version).toBe(2);
});

it('a version is asked of what is committed to', async () => {
  const store = newStore();
  const part = await writePart(store, rows);
  await commit(store, [part], { expected: 0 });
  const refused = { code: 'ERR_ARGUMENT', argument: 'version' };
  const manifest = join(store.name, '_manifests', `${'1'.padStart(20, '0')}.json`);
  for (const what of [join(store.name, '*.cna'), [join(store.name, part.key)], join(store.name, part.key)])
    await expect(openDataset(what, { version: 1 })).rejects.toMatchObject(refused);
  await expect(openDataset(manifest, { version: 2 })).rejects.toMatchObject(refused);
  for (const what of [store, store.name, manifest]) (await openDataset(what, { version: 1 })).close();
});

it('a text of a path that reads like a null is that text', async () => {
  const store = newStore();
  const texts = ['__HIVE_DEFAULT_PARTITION__', null, ''];
  const parts = await Promise.all(texts.map((k) => writePart(store, rows, { partition: { k } })));
  await commit(store, parts, { expected: 0 });
  for (const partition of [{ k: '\ud800' }, { '\udc00': 'a' }])
    await expect(writePart(store, rows, { partition })).rejects.toMatchObject({ code: 'ERR_ARGUMENT' });
  for (const what of [store.name, join(store.name, '**/*.cna')]) {
    const dataset = await openDataset(what);
    const { columns } = await dataset.groupBy('k').agg({ n: 'count' });
    expect([...(columns['k'] as string[])].sort()).toEqual([...texts].sort());
    dataset.close();
  }
});
