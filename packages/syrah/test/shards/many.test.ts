// Many files as one dataset: what names them, that all ways of reading give what the files hold, how few are open at a
// time, and what is refused.
import { mkdirSync, readdirSync, readlinkSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import {
  DataLoader,
  SampleError,
  SyrahConcatDataset,
  SyrahDataset,
  SyrahShards,
  create,
  open,
  openShards,
  openShardsSync,
} from '../../src/index.ts';
import type { SyrahInput, Tensor } from '../../src/index.ts';
import { collect, failureOf } from '../loader/fixture.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const folder = temporaryFolder();
const root = folder.path('many');
const FILES = 40;
const EACH = 5;
const COUNT = FILES * EACH;
mkdirSync(root);

/** Every second file has its keys in another order. */
function itemOf(i: number): [string, SyrahInput][] {
  const x: [string, SyrahInput] = ['x', Float32Array.of(i, -i)];
  const label: [string, SyrahInput] = ['label', BigInt64Array.of(BigInt(i))];
  return Math.floor(i / EACH) % 2 === 0 ? [x, label, ['name', `n${String(i)}`]] : [label, ['name', `n${String(i)}`], x];
}

async function write(path: string, first: number, count: number, of = itemOf): Promise<string> {
  const writer = await create(path, { durability: 'none', overwrite: true });
  for (let i = first; i < first + count; i += 1) await writer.addItem(new Map(of(i)));
  await writer.close();
  return path;
}

const paths: string[] = [];
for (let number = 0; number < FILES; number += 1)
  paths.push(await write(join(root, `part-${String(number)}.syr`), number * EACH, EACH));

const opened: { close(): void }[] = [];
const kept = <T extends { close(): void }>(each: T): T => (opened.push(each), each);
afterAll(() => {
  for (const each of opened) each.close();
});

/** Descriptors of this process that lead into the folder. */
function descriptors(): number {
  const held = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return '';
    }
  });
  return held.filter((path) => path.startsWith(root)).length;
}

const labelsOf = (batches: readonly unknown[]): number[] =>
  (batches as [Tensor<BigInt64Array>][]).flatMap(([{ data }]) => [...data].map(Number));
const ALL = Array.from({ length: COUNT }, (_, i) => i);

describe('what names them', () => {
  const list = join(root, 'all.json');
  const entries = paths.map((path) => ({ path: basename(path), items: EACH }));
  writeFileSync(list, JSON.stringify(entries));
  const bare = join(root, 'bare.json');
  writeFileSync(bare, JSON.stringify(paths.map((path) => ({ path }))));
  test.each<[string, Parameters<typeof SyrahDataset.open>[0]]>([
    ['a list', paths],
    ['a folder', root],
    ['a pattern', join(root, 'part-*.syr')],
    ['URLs of files', paths.map((path) => pathToFileURL(path))],
    ['a list with patterns', [paths[0]!, join(root, 'part-[1-9].syr'), join(root, 'part-[1-9][0-9].syr')]],
    ['a list in JSON', list],
    ['a URL of it, without counts', pathToFileURL(bare)],
  ])('%s', async (_, what) => {
    for (const dataset of [await SyrahDataset.open(what, ['label']), SyrahDataset.openSync(what, ['label'])]) {
      kept(dataset);
      expect(dataset.length).toBe(COUNT);
      expect(dataset.shardLengths).toEqual(paths.map(() => EACH));
      expect(labelsOf(await collect(new DataLoader(dataset, { batchSize: 7 })))).toEqual(ALL);
    }
  });

  test('the first part of a set is the whole set, in a folder too; a list takes files as they are', async () => {
    const first = join(folder.path('set'), 'train.syr');
    mkdirSync(folder.path('set'));
    const writer = await create(first, { maxMetadataBytes: 120, roll: true });
    for (let i = 0; i < 12; i += 1) await writer.addItem({ label: BigInt64Array.of(BigInt(i)) });
    const parts = await writer.close();
    expect(parts.length).toBeGreaterThan(2);
    const twelve = ALL.slice(0, 12);
    for (const what of [first, folder.path('set'), join(folder.path('set'), '*.syr')]) {
      const dataset = kept(await SyrahDataset.open(what, ['label']));
      expect(labelsOf(await collect(new DataLoader(dataset, { batchSize: 5 })))).toEqual(twelve);
    }
    const alone = kept(await SyrahDataset.open([first], ['label']));
    expect(alone.length).toBe(parts[0]!.itemCount);
    const each = await Promise.all(parts.map(async ({ path }) => kept(await SyrahDataset.open(path, ['label']))));
    expect(() => new SyrahConcatDataset(each)).toThrow(/each part of a set once.*train\.00001\.syr, one of them/s);
    // The parts as files, and one dataset twice, are what somebody may want.
    expect(new SyrahConcatDataset([alone, ...each.slice(1)]).length).toBe(12);
    expect(new SyrahConcatDataset([each[0]!, each[0]!]).length).toBe(24);
    renameSync(parts[1]!.path, `${parts[1]!.path}.away`);
    await expect(SyrahDataset.open(first)).rejects.toMatchObject({
      code: 'ERR_NOT_FOUND',
      message: expect.stringMatching(/train\.00001\.syr is missing.*a list of files opens those/s) as string,
    });
  });

  test('a bracket in the name of one file', async () => {
    const dataset = kept(await SyrahDataset.open(await write(folder.path('a[1].syr'), 3, 1)));
    expect(dataset.length).toBe(1);
    expect(dataset.file).not.toBeInstanceOf(SyrahShards);
  });

  test.each<[string, () => Parameters<typeof openShards>[0], string]>([
    ['no files', () => [], 'ERR_ARGUMENT'],
    ['something else', () => [3 as never], 'ERR_ARGUMENT'],
    ['a pattern without files', () => join(root, 'none-*.syr'), 'ERR_NOT_FOUND'],
    ['a file that is missing', () => [...paths, join(root, 'none.syr')], 'ERR_NOT_FOUND'],
    [
      'a folder without files',
      () => (mkdirSync(join(root, 'e'), { recursive: true }), join(root, 'e')),
      'ERR_NOT_FOUND',
    ],
    ...['{}', '[{}]', '[{"path":"a","items":-1}]', '[{"path":"a","etag":"b"}]', '[', '[]'].map(
      (text, k): [string, () => string, string] => [
        `the list ${text}`,
        () => {
          writeFileSync(folder.path(`wrong-${String(k)}.json`), text);
          return folder.path(`wrong-${String(k)}.json`);
        },
        'ERR_ARGUMENT',
      ],
    ),
  ])('%s is refused', async (_, what, code) => {
    await expect(openShards(what())).rejects.toMatchObject({ code });
    expect(() => openShardsSync(what())).toThrow(expect.objectContaining({ code }) as Error);
  });
});

describe('reading', () => {
  const asMany = openShardsSync(paths, { maxOpen: 2 });
  kept(asMany);
  const items = [199, 0, 7, 7, -1, 101, 33];
  const numbers = items.map((item) => (item < 0 ? COUNT + item : item));

  test('items, arrays and views are those of the files, with the keys in one order', async () => {
    expect(asMany).toMatchObject({ itemCount: COUNT, keys: ['x', 'label', 'name'], isLocal: true, closed: false });
    for (const [k, item] of items.entries()) {
      const i = numbers[k]!;
      const all = { x: Float32Array.of(i, -i), label: BigInt64Array.of(BigInt(i)), name: `n${String(i)}` };
      for (const found of [await asMany.getItem(item), asMany.getItemSync(item)]) {
        expect(found).toEqual(all);
        expect(Object.keys(found)).toEqual(['x', 'label', 'name']);
      }
      expect(await asMany.getEntries(item)).toEqual(Object.entries(all));
      expect(asMany.getEntriesSync(item, { keys: ['name'] })).toEqual([['name', all.name]]);
      expect(await asMany.getArray(item, 'x')).toEqual(all.x);
      expect(asMany.getArraySync(item, 'label', { int64: 'number' })).toEqual(Float64Array.of(i));
      expect(asMany.locate(item)).toEqual({ path: paths[Math.floor(i / EACH)], item: i % EACH });
    }
    expect(asMany.lengths('x')).toEqual(new Float64Array(COUNT).fill(2));
    expect(() => asMany.getItemSync('a')).toThrow(/item number/);
    expect(() => asMany.getItemSync(COUNT)).toThrow(expect.objectContaining({ name: 'OutOfRangeError' }) as Error);
  });

  test('stacks of items of several files', async () => {
    const x = { data: Float32Array.from(numbers.flatMap((i) => [i, -i])), shape: [items.length, 2] };
    const label = { data: BigInt64Array.from(numbers, BigInt), shape: [items.length, 1] };
    expect(await asMany.gatherKeys(items, ['label', 'x'])).toEqual([label, x]);
    expect(asMany.gatherKeysSync(items, ['x'], { transferable: true })).toEqual([x]);
    expect(await asMany.gatherItems(items, 'x')).toEqual(x);
    const out = new Float32Array(2 * items.length);
    expect((await asMany.gatherItems(items, 'x', { out })).data).toBe(out);
    expect(out).toEqual(x.data);
    expect(asMany.gatherItemsSync(items, 'label', { int64: 'number' }).data).toEqual(Float64Array.from(numbers));
    expect(asMany.gatherItemsSync([], 'x')).toEqual({ data: new Float32Array(0), shape: [0, 0] });
    await expect(asMany.gatherItems(items, 'x', { out: new Float32Array(3) })).rejects.toMatchObject({
      code: 'ERR_OUT_BUFFER',
    });
    await expect(asMany.gatherItems(items, 'name')).rejects.toMatchObject({ code: 'ERR_ARGUMENT' });
  });

  test('a handle opens the same files; it survives JSON', async () => {
    const handle = JSON.parse(JSON.stringify(asMany.handle())) as ReturnType<typeof asMany.handle>;
    const other = kept(await openShards(handle));
    expect(other.getItemSync(COUNT - 1)).toEqual(asMany.getItemSync(COUNT - 1));
    expect(other.fingerprintSync()).toBe(asMany.fingerprintSync());
    expect(await asMany.fingerprint()).toBe(asMany.fingerprintSync());
  });

  test('everything is closed together', async () => {
    const shards = await openShards(paths);
    shards.close();
    expect(shards.closed).toBe(true);
    expect(() => shards.getItemSync(0)).toThrow(expect.objectContaining({ name: 'ClosedError' }) as Error);
    await expect(shards.gatherKeys([0], ['x'])).rejects.toMatchObject({ name: 'ClosedError' });
  });
});

describe.runIf(process.platform === 'linux')('open files', () => {
  test.each([0, 2])('few at a time, %i workers', async (workers) => {
    for (const each of opened.splice(0)) each.close();
    const before = descriptors();
    const dataset = kept(await SyrahDataset.open(paths, ['label'], { maxOpen: 4 }));
    expect(descriptors() - before).toBeLessThanOrEqual(4);
    let most = 0;
    const labels: number[] = [];
    await using loader = new DataLoader(dataset, { batchSize: 8, shuffle: true, workers, warmStart: false });
    for await (const batch of loader) {
      labels.push(...labelsOf([batch]));
      most = Math.max(most, descriptors() - before);
    }
    expect(labels.toSorted((a, b) => a - b)).toEqual(ALL);
    expect(labels).not.toEqual(ALL);
    // Each thread has as many, and for a moment two of a file that is being mapped.
    expect(most).toBeLessThanOrEqual((4 + 1) * (1 + workers));
    dataset.close();
    await loader.close();
    expect(descriptors()).toBe(before);
  });
});

describe('orders and states', () => {
  test('the batches of an epoch are those of joined datasets, with and without workers, and states go on', async () => {
    const joined = new SyrahConcatDataset(
      await Promise.all(paths.map((path) => SyrahDataset.open(path, ['x', 'name']))),
    );
    kept(joined);
    const many = kept(await SyrahDataset.open(paths, ['x', 'name'], { maxOpen: 3 }));
    for (const shuffle of [true, { blockItems: 2, bufferItems: 16 }] as const) {
      const options = { batchSize: 6, shuffle, seed: 5 };
      const expected = await collect(new DataLoader(joined, options));
      await using loader = new DataLoader(many, { ...options, workers: 1, warmStart: false });
      expect(await collect(loader)).toEqual(expected);
      const state = { ...new DataLoader(many, options).state(), batchesDone: 3 };
      const again = kept(await SyrahDataset.open(root, ['x', 'name']));
      expect(await collect(DataLoader.resume(again, JSON.parse(JSON.stringify(state))))).toEqual(expected.slice(3));
    }
    const others = kept(await SyrahDataset.open(paths.slice(1), ['x', 'name']));
    const state = new DataLoader(many, {}).state();
    expect(() => DataLoader.resume(others, state)).toThrow(
      expect.objectContaining({ code: 'ERR_FILE_CHANGED' }) as Error,
    );
  });

  test('a class of its own reads items by the methods of a file', async () => {
    class Doubled extends SyrahDataset {
      override async get(index: number): Promise<[number]> {
        return [2 * Number((await this.file.getItem(index))['label']?.[0])];
      }
    }
    const dataset = kept(await Doubled.open(paths));
    expect(await dataset.get(123)).toEqual([246]);
  });
});

describe('what does not fit', () => {
  test.each<[string, (i: number) => [string, SyrahInput][], RegExp]>([
    ['another key', (i) => [['y', Float32Array.of(i)]], /other\.syr.*"y".*only the keys of/s],
    [
      'another dtype',
      (i) => itemOf(i).map(([k, v]) => [k, k === 'x' ? Int32Array.of(i) : v]),
      /other\.syr.*"x".*float32/s,
    ],
  ])('%s is ERR_SCHEMA with file and key, at opening or when a listed file is needed', async (_, of, message) => {
    const other = await write(folder.path('other.syr'), 0, 2, of);
    await expect(openShards([paths[0]!, other])).rejects.toMatchObject({
      code: 'ERR_SCHEMA',
      message: expect.stringMatching(message) as string,
    });
    const list = folder.path('other.json');
    writeFileSync(
      list,
      JSON.stringify([
        { path: paths[0], items: EACH },
        { path: 'other.syr', items: 2 },
      ]),
    );
    const lazy = kept(await openShards(list));
    expect(lazy.getItemSync(0)).toHaveProperty('x');
    expect(() => lazy.getItemSync(EACH)).toThrow(expect.objectContaining({ code: 'ERR_SCHEMA' }) as Error);
  });

  test('files without items fit any', async () => {
    const none = folder.path('none.syr');
    const writer = await create(none);
    await writer.close();
    const shards = kept(await openShards([none, paths[0]!, none, paths[1]!, none]));
    expect([...(await shards.gatherItems([0, EACH], 'label')).data]).toEqual([0n, BigInt(EACH)]);
  });

  test('lengths that differ between files are told with item, key and file', async () => {
    const long = await write(folder.path('long.syr'), 0, 1, (i) =>
      itemOf(i).map(([k, v]) => [k, k === 'x' ? new Float32Array(3) : v]),
    );
    const shards = kept(await openShards([paths[0]!, long]));
    await expect(shards.gatherItems([2, EACH], 'x')).rejects.toMatchObject({
      code: 'ERR_VALUE',
      message: expect.stringMatching(
        /"x" of item 0 of .*long\.syr.*2 elements, as in item 2 of .*part-0\.syr/s,
      ) as string,
    });
    const dataset = kept(await SyrahDataset.open([paths[0]!, long], ['x']));
    const failure = await failureOf(new DataLoader(dataset, { batchSize: EACH + 1 }));
    expect(failure).toBeInstanceOf(SampleError);
    expect(failure).toMatchObject({ item: 0, key: 'x', path: long });
  });

  test.each([false, true])(
    'a file that was replaced is refused when it is opened again, listed: %j',
    async (listed) => {
      const own = folder.path(`own-${String(listed)}`);
      mkdirSync(own);
      const files: string[] = [];
      for (let k = 0; k < 3; k += 1) files.push(await write(join(own, `${String(k)}.syr`), 10 * k, 2));
      const list = join(own, 'list.json');
      writeFileSync(list, JSON.stringify(files.map((path) => ({ path, items: 2 }))));
      const shards = kept(await openShards(listed ? list : files, { maxOpen: 1 }));
      expect(shards.getItemSync(2)).toMatchObject({ name: 'n10' });
      expect(shards.getItemSync(4)).toMatchObject({ name: 'n20' });
      await write(join(own, 'new.syr'), 70, 2);
      renameSync(join(own, 'new.syr'), files[1]!);
      utimesSync(files[1]!, 1, 1);
      for (const read of [() => shards.getItem(3), () => shards.gatherKeys([3], ['x'])])
        await expect(read()).rejects.toMatchObject({
          code: 'ERR_FILE_CHANGED',
          message: expect.stringContaining(files[1]!) as string,
        });
      expect(shards.getItemSync(5)).toMatchObject({ name: 'n21' });
    },
  );

  test('another number of items than a list tells', async () => {
    const list = folder.path('count.json');
    writeFileSync(list, JSON.stringify([{ path: paths[0] }, { path: paths[1], items: EACH + 1 }]));
    const shards = kept(await openShards(list));
    await expect(shards.getItem(EACH)).rejects.toMatchObject({ code: 'ERR_FILE_CHANGED' });
    // The first one is opened at once: it tells what the items are like.
    writeFileSync(list, JSON.stringify([{ path: paths[0], items: EACH + 1 }, { path: paths[1] }]));
    await expect(openShards(list)).rejects.toMatchObject({ code: 'ERR_FILE_CHANGED' });
    expect(() => openShardsSync(list)).toThrow(expect.objectContaining({ code: 'ERR_FILE_CHANGED' }) as Error);
  });
});

test('one file through openShards, and types of the items', async () => {
  const shards = kept(await openShards(paths[0]!, { expect: { x: 'float32', label: 'int64' } }));
  const x: Float32Array = shards.getItemSync(0).x;
  expect(x).toEqual(Float32Array.of(0, -0));
  const file = kept(await open(paths[0]!));
  expect(await shards.getItem(3)).toEqual(await file.getItem(3));
  await expect(openShards(paths, { expect: { x: 'int8' } })).rejects.toMatchObject({ code: 'ERR_SCHEMA' });
});
