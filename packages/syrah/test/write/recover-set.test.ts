// Sets whose writer died: recover of the first part brings back what every part of it acknowledged, as a set that
// opens.
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SyrahDataset, create, openSync, recover, recoverSync } from '../../src/index.ts';
import type { CreateOptions, SyrahWriter } from '../../src/index.ts';
import { partPath } from '../../src/layout/part-mark.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const folder = temporaryFolder();
let counter = 0;
/** Its folder holds nothing else. */
function newPath(): string {
  counter += 1;
  const path = folder.path(`set-${String(counter)}/train.syr`);
  mkdirSync(dirname(path));
  return path;
}

/** Room for two items a file. */
const ROLLING = { maxMetadataBytes: 100, roll: true, durability: 'none' } as const;

async function add(path: string, first: number, count: number, options: CreateOptions): Promise<SyrahWriter> {
  const writer = await create(path, { ...ROLLING, ...options });
  for (let i = first; i < first + count; i += 1) await writer.addItem({ label: Int32Array.of(i) });
  return writer;
}

/** What a writer leaves that dies after so many items: copies of its files, but for its locks. */
async function afterDeath(count: number, options: CreateOptions, oldCount = 0): Promise<string> {
  const [path, left] = [newPath(), newPath()];
  if (oldCount > 0) await (await add(path, 0, oldCount, {})).close();
  const writer = await add(path, 100, count, { ...options, overwrite: oldCount > 0 });
  for (const name of namesBeside(path))
    if (!name.endsWith('.lock')) copyFileSync(join(dirname(path), name), join(dirname(left), name));
  await writer.abort();
  return left;
}

const namesBeside = (path: string): string[] => readdirSync(dirname(path)).sort();
const namesOfParts = (path: string, count: number): string[] =>
  Array.from({ length: count }, (_, number) => basename(partPath(path, number))).sort();
const upTo = (first: number, count: number): number[] => Array.from({ length: count }, (_, i) => first + i);

async function labelsOf(path: string): Promise<number[]> {
  using set = SyrahDataset.openSync(path, ['label']);
  return await Promise.all(upTo(0, set.length).map(async (i) => ((await set.get(i))[0] as Int32Array)[0] as number));
}

describe('with a journal', () => {
  test('every acknowledged item of every part', async () => {
    const path = await afterDeath(5, { journal: true });
    expect(namesBeside(path)).toContain('train.00002.syr.journal');
    expect(await recover(path)).toMatchObject({ status: 'recovered', itemCount: 5, lostBytes: 0 });
    expect(await labelsOf(path)).toEqual(upTo(100, 5));
    expect(namesBeside(path)).toEqual(namesOfParts(path, 3));
    expect(recoverSync(path)).toMatchObject({ status: 'whole', itemCount: 5 });
  });

  test('the part that its writer died in, by its own name, is the last one of the set', async () => {
    const path = await afterDeath(5, { journal: true });
    expect(recoverSync(partPath(path, 2))).toMatchObject({ status: 'recovered', itemCount: 1 });
    expect(await labelsOf(path)).toEqual(upTo(100, 5));
  });

  test.each([0, 1, 2])('in place of an old set, by the name of part %i', async (number) => {
    const path = await afterDeath(5, { journal: true }, 7);
    await expect(recover(partPath(path, number))).rejects.toMatchObject({ code: 'ERR_EXISTS' });
    expect(await labelsOf(path)).toEqual(upTo(0, 7));
    expect(await recover(partPath(path, number), { overwrite: true })).toMatchObject({ status: 'recovered' });
    expect(await recover(path, { overwrite: true })).toMatchObject({ itemCount: 5 });
    expect(await labelsOf(path)).toEqual(upTo(100, 5));
    expect(namesBeside(path)).toEqual(namesOfParts(path, 3));
  });

  test('a live writer of a later part is not disturbed', async () => {
    const path = newPath();
    const writer = await add(path, 0, 5, { journal: true });
    await expect(recover(path)).rejects.toMatchObject({ code: 'ERR_LOCKED' });
    await writer.close();
    expect(await labelsOf(path)).toEqual(upTo(0, 5));
  });
});

test('without a journal: the parts that have their names, and which one is missing', async () => {
  const path = await afterDeath(5, {});
  const recovery = await recover(path, { force: true });
  expect(recovery).toMatchObject({ status: 'whole', itemCount: 4 });
  expect(recovery.reason).toContain(`${partPath(path, 2)} is missing`);
  using opened = openSync(path);
  expect(opened.part).toMatchObject({ count: null });
});

test('a part of another set behind the last one is none of it', async () => {
  const path = newPath();
  await (await add(path, 0, 7, {})).close();
  const other = await afterDeath(5, {});
  copyFileSync(partPath(path, 2), partPath(other, 2));
  const recovery = await recover(other);
  expect(recovery).toMatchObject({ status: 'whole', itemCount: 4 });
  expect(recovery.reason).toContain(`${partPath(other, 2)} is a part of another set`);
});
