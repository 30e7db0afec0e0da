// Commits: one of several gets a version, dead writers and zombies change nothing, old versions stay until vacuum.
import { fork } from 'node:child_process';
import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ObjectStore, Sink, StoredObject } from '@colkit/io';
import { MemorySource } from '@colkit/io';
import { FolderStore } from '@colkit/io/durable';
import { describe, expect, it } from 'vitest';
import { commit, history, openDataset, openDatasetSync, vacuum, writePart, writeSync } from '../../src/index.ts';
import { newFolders } from '../support/new-folders.ts';

const newFolder = newFolders('commit');
const newStore = (): FolderStore => new FolderStore(join(newFolder().folder, 'orders'), { durability: 'none' });
const rows = (start: number, count = 10) => ({ id: Int32Array.from({ length: count }, (_, row) => start + row) });

async function idsOf(store: ObjectStore | string, version?: number): Promise<number[]> {
  const dataset = await openDataset(store, version === undefined ? {} : { version });
  try {
    return Array.from((await dataset.toColumns())['id'] as Int32Array);
  } finally {
    dataset.close();
  }
}

const moduleAt = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);
const upTo = (end: number, start = 0): number[] => Array.from({ length: end - start }, (_, row) => start + row);

it('appends and replaces, version by version', async () => {
  const store = newStore();
  const one = await writePart(store, rows(0), { partition: { region: 'EM/EA' } });
  const two = await writePart(store, rows(10), { partition: { region: null } });
  expect(one.key).toMatch(/^region=EM%2FEA\/part-[0-9a-f-]{36}\.cna$/u);
  // Through JSON, as from another process.
  const parts = JSON.parse(JSON.stringify([one, two])) as (typeof one)[];
  const first = await commit(store, parts, { expected: 0 });
  expect(first).toMatchObject({
    version: 1,
    rowCount: 20,
    partCount: 2,
    key: `_manifests/${'1'.padStart(20, '0')}.json`,
  });
  const dataset = await openDataset(store.name);
  expect([dataset.version, dataset.rowCount]).toEqual([1, 20]);
  expect(dataset.openCount).toBe(0);
  expect(await dataset.where("region = 'EM/EA'").select('id').toColumns()).toEqual(rows(0));
  expect(await dataset.where('region is null and id > 17').count()).toBe(2);
  expect(await dataset.where('id < 10').explain()).toMatch(/files: 2, skipped[^\n]*: 1/u);
  dataset.close();
  const three = await writePart(store.name, rows(20), { partition: { region: 'APAC' } });
  await commit(store.name, [three], { expected: 1 });
  expect(await idsOf(store)).toEqual(upTo(30));
  const four = await writePart(store, rows(100), { partition: { region: 'X' } });
  await commit(store, [four], { expected: 2, operation: 'replace' });
  expect(await idsOf(store.name)).toEqual(upTo(110, 100));
  expect(await idsOf(store, 2)).toEqual(upTo(30));
  expect(await idsOf(join(store.name, '_manifests', `${'1'.padStart(20, '0')}.json`))).toEqual(upTo(20));
  expect((await history(store)).map(({ version, operation, rowCount }) => [version, operation, rowCount])).toEqual([
    [1, 'append', 20],
    [2, 'append', 30],
    [3, 'replace', 10],
  ]);
  const sync = openDatasetSync(store.name);
  expect(sync.toColumnsSync()['id']).toEqual(rows(100).id);
});

it('refuses another version, other columns, parts that are not there, and what is no part', async () => {
  const store = newStore();
  const part = await writePart(store, rows(0));
  await expect(commit(store, [part], { expected: 3 })).rejects.toMatchObject({ code: 'ERR_CONFLICT' });
  await expect(commit(store, [part], {} as never)).rejects.toMatchObject({ code: 'ERR_ARGUMENT' });
  await commit(store, [part], { expected: 0 });
  await expect(commit(store, [part], { expected: 0 })).rejects.toMatchObject({ code: 'ERR_CONFLICT' });
  await expect(commit(store, [part], { expected: 1 })).rejects.toMatchObject({ code: 'ERR_ARGUMENT' });
  const other = await writePart(store, { id: Float64Array.of(1) });
  await expect(commit(store, [other], { expected: 1 })).rejects.toMatchObject({ code: 'ERR_SCHEMA' });
  const gone = await writePart(store, rows(5));
  await store.delete(gone.key);
  await expect(commit(store, [gone], { expected: 1 })).rejects.toMatchObject({ code: 'ERR_NOT_FOUND' });
  for (const bad of [{}, null, { ...part, key: '../x.cna' }, { ...part, rowCount: 7 }, { ...part, fields: [] }])
    await expect(commit(store, [bad as never], { expected: 1 })).rejects.toMatchObject({ code: 'ERR_ARGUMENT' });
  writeSync(join(store.name, 'by-hand.cna'), rows(50), { durability: 'none' });
  // A file that is in the folder is no part until it is committed.
  expect(await idsOf(store.name)).toEqual(upTo(10));
  await commit(store, ['by-hand.cna'], { expected: 1 });
  expect(await idsOf(store)).toEqual([...upTo(10), ...upTo(60, 50)]);
});

it('says why nothing can be written, and not that nothing can be deleted', async () => {
  const readOnly = newStore();
  readOnly.putIfAbsent = () => Promise.reject(new Error('no writing'));
  readOnly.delete = () => Promise.reject(new Error('no deleting'));
  await expect(commit(readOnly, [], { expected: 0 })).rejects.toThrow('no writing');
});

it('refuses a store that writes a key twice, and damaged manifests', async () => {
  const folder = newStore();
  const careless: ObjectStore = Object.create(folder, {
    name: { value: 'careless' },
    putIfAbsent: {
      value: async (key: string, bytes: Uint8Array) => {
        await folder.delete(key);
        return folder.putIfAbsent(key, bytes);
      },
    },
    delete: { value: (key: string) => folder.delete(key) },
    list: { value: (prefix: string) => folder.list(prefix) },
  }) as ObjectStore;
  await expect(commit(careless, [], { expected: 0 })).rejects.toMatchObject({ code: 'ERR_FEATURE' });
  await commit(folder, [await writePart(folder, rows(0))], { expected: 0 });
  const key = `_manifests/${'2'.padStart(20, '0')}.json`;
  const text = new TextDecoder().decode(await folder.read(`_manifests/${'1'.padStart(20, '0')}.json`));
  const damages: readonly (readonly [string, string, string])[] = [
    ['"formatVersion":1', '"formatVersion":2', 'ERR_VERSION'],
    ['"rowCount":10', '"rowCount":11', 'ERR_MANIFEST'],
    ['"key":"', '"key":"../', 'ERR_MANIFEST'],
    ['"schema":0', '"schema":1', 'ERR_MANIFEST'],
    ['"int32"', '"int33"', 'ERR_MANIFEST'],
    ['{', '[', 'ERR_MANIFEST'],
  ];
  for (const [from, to, code] of damages) {
    await folder.putIfAbsent(key, new TextEncoder().encode(text.replace(from, to)));
    await expect(openDataset(folder), to).rejects.toMatchObject({ code });
    await folder.delete(key);
  }
});

/** A store in memory whose program dies before or after a call that changes something. */
class DyingStore implements ObjectStore {
  readonly name = 'memory';
  readonly objects: Map<string, Uint8Array>;
  #left: number;
  #isDead = false;

  constructor(objects: Map<string, Uint8Array>, left: number) {
    this.objects = objects;
    this.#left = left;
  }

  #step(): void {
    if (this.#isDead || this.#left === 0) {
      this.#isDead = true;
      throw new Error('dead');
    }
    this.#left -= 1;
  }

  async *list(prefix: string): AsyncGenerator<StoredObject, void, undefined> {
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix)).sort();
    for (const key of keys)
      yield { key, byteLength: this.objects.get(key)?.length ?? 0, modified: Date.now(), etag: null };
  }

  read(key: string): Promise<Uint8Array> {
    this.#check();
    const found = this.objects.get(key);
    return found === undefined ? Promise.reject(new Error('none')) : Promise.resolve(found);
  }

  async open(key: string): Promise<MemorySource> {
    return new MemorySource(await this.read(key), key);
  }

  create(key: string): Promise<Sink> {
    this.#step();
    const chunks: Uint8Array[] = [];
    let position = 0;
    const write = (bytes: Uint8Array): Promise<void> => {
      this.#step();
      chunks.push(bytes.slice());
      position += bytes.length;
      return Promise.resolve();
    };
    const finish = (): Promise<void> => {
      this.#step();
      this.objects.set(key, new Uint8Array(Buffer.concat(chunks)));
      this.#step();
      return Promise.resolve();
    };
    const never = (): never => {
      throw new Error('not asked for');
    };
    return Promise.resolve({
      get position() {
        return position;
      },
      write,
      writeSync: never,
      writeAt: never,
      writeAtSync: never,
      finish,
      finishSync: never,
      abort: () => Promise.resolve(),
      abortSync: never,
    });
  }

  async putIfAbsent(key: string, bytes: Uint8Array): Promise<boolean> {
    this.#step();
    await Promise.resolve();
    const isNew = !this.objects.has(key);
    if (isNew) this.objects.set(key, bytes);
    this.#step();
    return isNew;
  }

  delete(key: string): Promise<void> {
    this.#step();
    this.objects.delete(key);
    return Promise.resolve();
  }

  #check(): void {
    if (this.#isDead) throw new Error('dead');
  }
}

describe('a writer that dies', () => {
  it('at any moment leaves the version that was there, or its own', async () => {
    const start = new Map<string, Uint8Array>();
    const alive = new DyingStore(start, Infinity);
    await commit(alive, [await writePart(alive, rows(0))], { expected: 0 });
    const seen = { before: 0, after: 0 };
    for (let steps = 0; ; steps += 1) {
      const objects = new Map(start);
      const dying = new DyingStore(objects, steps);
      let isDone = false;
      try {
        const parts = [await writePart(dying, rows(10)), await writePart(dying, rows(20))];
        await commit(dying, parts, { expected: 1 });
        isDone = true;
      } catch {
        // It is dead.
      }
      const there = new DyingStore(objects, Infinity);
      const ids = await idsOf(there);
      const isAfter = ids.length > 10;
      expect(ids).toEqual(isAfter ? upTo(30) : upTo(10));
      // What was reported as done is there.
      expect(isAfter || !isDone).toBe(true);
      seen[isAfter ? 'after' : 'before'] += 1;
      // Whoever comes next can commit.
      const { version } = await openDataset(there);
      await commit(there, [await writePart(there, rows(40))], { expected: version });
      expect((await idsOf(there)).slice(ids.length)).toEqual(upTo(50, 40));
      if (isDone) break;
    }
    expect(seen.before).toBeGreaterThan(5);
    expect(seen.after).toBeGreaterThan(1);
  });

  it('and a zombie that goes on when others have committed changes nothing', async () => {
    const store = newStore();
    await commit(store, [await writePart(store, rows(0))], { expected: 0 });
    const late = await writePart(store, rows(10));
    const retried = await writePart(store, rows(10));
    await commit(store, [retried], { expected: 1 });
    await expect(commit(store, [late], { expected: 1 })).rejects.toMatchObject({ code: 'ERR_CONFLICT' });
    expect(await idsOf(store)).toEqual(upTo(20));
  });
});

describe('a writer that waits before its manifest appears', () => {
  /** Others do this in between; then it goes on. */
  const waiting = (store: FolderStore, meanwhile: () => Promise<void>): ObjectStore => {
    const slow = new FolderStore(store.name, { durability: 'none' });
    const put = slow.putIfAbsent.bind(slow);
    slow.putIfAbsent = async (key, bytes) => {
      if (!key.startsWith('_manifests/')) return put(key, bytes);
      await meanwhile();
      return put(key, bytes);
    };
    return slow;
  };
  const makeOld = async (store: FolderStore): Promise<void> => {
    const old = new Date(Date.now() - 3_600_000);
    for await (const { key } of store.list('')) utimesSync(store.pathOf(key), old, old);
  };

  it('changes nothing where its version was there, and a vacuum removed it', async () => {
    const store = newStore();
    await commit(store, [await writePart(store, rows(0))], { expected: 0 });
    const late = await writePart(store, rows(90));
    const zombie = waiting(store, async () => {
      await commit(store, [await writePart(store, rows(10))], { expected: 1 });
      await commit(store, [await writePart(store, rows(20))], { expected: 2 });
      await makeOld(store);
      expect((await vacuum(store, { olderThanMs: 60_000 })).versions).toEqual([1, 2]);
    });
    await expect(commit(zombie, [late], { expected: 1 })).rejects.toMatchObject({ code: 'ERR_CONFLICT' });
    expect((await history(store)).map(({ version }) => version)).toEqual([3]);
    expect(await idsOf(store)).toEqual(upTo(30));
  });

  it('has committed where others are made of what it wrote', async () => {
    const store = newStore();
    await commit(store, [await writePart(store, rows(0))], { expected: 0 });
    const slow = new FolderStore(store.name, { durability: 'none' });
    const put = slow.putIfAbsent.bind(slow);
    slow.putIfAbsent = async (key, bytes) => {
      const isThere = await put(key, bytes);
      if (key.startsWith('_manifests/')) await commit(store, [await writePart(store, rows(20))], { expected: 2 });
      return isThere;
    };
    const part = await writePart(store, rows(10));
    expect((await commit(slow, [part], { expected: 1 })).version).toBe(2);
    expect(await idsOf(store)).toEqual(upTo(30));
  });

  it('says that nobody knows where its manifest was removed before it looked', async () => {
    const store = newStore();
    await commit(store, [await writePart(store, rows(0))], { expected: 0 });
    const slow = new FolderStore(store.name, { durability: 'none' });
    const put = slow.putIfAbsent.bind(slow);
    slow.putIfAbsent = async (key, bytes) => {
      const isThere = await put(key, bytes);
      if (!key.startsWith('_manifests/')) return isThere;
      await commit(store, [await writePart(store, rows(20))], { expected: 2 });
      await commit(store, [await writePart(store, rows(30))], { expected: 3 });
      await makeOld(store);
      await vacuum(store, { olderThanMs: 60_000 });
      return isThere;
    };
    const part = await writePart(store, rows(10));
    await expect(commit(slow, [part], { expected: 1 })).rejects.toMatchObject({ code: 'ERR_WRITE' });
  });
});

it('an answer that was lost is no second commit', async () => {
  const objects = new Map<string, Uint8Array>();
  const store = new DyingStore(objects, Infinity);
  const part = await writePart(store, rows(0));
  await commit(store, [], { expected: 0 });
  const put = store.putIfAbsent.bind(store);
  store.putIfAbsent = async (key, bytes) => {
    await put(key, bytes);
    throw new Error('the connection was reset');
  };
  expect((await commit(store, [part], { expected: 1 })).version).toBe(2);
  expect(await idsOf(store)).toEqual(upTo(10));
});

it('of two processes that commit at the same time one has each version', async () => {
  const store = newStore();
  await commit(store, [], { expected: 0 });
  const program = join(store.name, '..', 'race.mjs');
  writeFileSync(
    program,
    `import { commit, openDataset, writePart } from ${moduleAt('../../dist/index.js')};
     import { FolderStore } from ${moduleAt('../../../io/dist/durable.js')};
     const [folder, who] = process.argv.slice(2);
     const store = new FolderStore(folder, { durability: 'none' });
     const won = [];
     for (let n = 0; n < 12; n += 1) {
       const part = await writePart(store, { id: Int32Array.of(Number(who) * 1000 + n) });
       for (;;) {
         const { version } = await openDataset(store);
         try { won.push((await commit(store, [part], { expected: version })).version); break; }
         catch (error) { if (error.code !== 'ERR_CONFLICT') throw error; }
       }
     }
     process.send(won);`,
  );
  const won = await Promise.all(
    ['1', '2'].map(
      (who) =>
        new Promise<number[]>((done, fail) => {
          const child = fork(program, [store.name, who], { execArgv: [] });
          child.once('message', (versions) => done(versions as number[]));
          child.once('exit', (code) => code !== 0 && fail(new Error(`it ended with ${String(code)}`)));
        }),
    ),
  );
  expect(won.flat().sort((a, b) => a - b)).toEqual(upTo(26, 2));
  expect((await idsOf(store)).sort((a, b) => a - b)).toEqual([...upTo(1012, 1000), ...upTo(2012, 2000)]);
});

it('vacuum removes what no version that is kept needs, by age', async () => {
  const store = newStore();
  const one = await writePart(store, rows(0));
  const two = await writePart(store, rows(10));
  const lost = await writePart(store, rows(90));
  await commit(store, [one], { expected: 0 });
  await commit(store, [two], { expected: 1, operation: 'replace' });
  writeSync(join(store.name, 'of-somebody-else.cna'), rows(5), { durability: 'none' });
  expect(await vacuum(store)).toEqual({ versions: [], parts: [], byteLength: 0 });
  const old = new Date(Date.now() - 3_600_000);
  for await (const { key } of store.list('')) utimesSync(store.pathOf(key), old, old);
  const young = await writePart(store, rows(70));
  const planned = await vacuum(store, { olderThanMs: 60_000, dryRun: true });
  expect(await vacuum(store, { olderThanMs: 60_000 })).toEqual(planned);
  expect([planned.versions, [...planned.parts].sort()]).toEqual([[1], [one.key, lost.key].sort()]);
  const left: string[] = [];
  for await (const { key } of store.list('')) left.push(key);
  const newest = `_manifests/${'2'.padStart(20, '0')}.json`;
  expect(left.sort()).toEqual([newest, 'of-somebody-else.cna', two.key, young.key].sort());
  expect(await idsOf(store)).toEqual(upTo(20, 10));
});
