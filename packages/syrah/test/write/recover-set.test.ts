// Sets whose writer died: recover of the first part brings back what every part of it acknowledged, as a set that
// opens.
import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SyrahDataset, create, recover, recoverSync } from '../../src/index.ts';
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

describe('where the next part has no items', () => {
  test('without a journal: the parts that have their names are the set', async () => {
    const path = await afterDeath(5, {});
    expect(await recover(path, { force: true })).toMatchObject({ status: 'recovered', itemCount: 4 });
    expect(await labelsOf(path)).toEqual(upTo(100, 4));
  });

  test.each([0, 7])('its writer died between two parts, over an old set of %i items', async (oldCount) => {
    const path = await afterDeath(5, { journal: true }, oldCount);
    for (const ending of ['.partial', '.journal']) rmSync(`${partPath(path, 2)}${ending}`);
    // As it was before the second part had its name.
    if (oldCount === 0) await unpublish(partPath(path, 1), upTo(102, 2));
    expect(await recover(path, { overwrite: oldCount > 0 })).toMatchObject({ status: 'recovered', itemCount: 4 });
    expect(await labelsOf(path)).toEqual(upTo(100, 4));
    expect(namesBeside(path)).toEqual(namesOfParts(path, 3));
    expect(recoverSync(path)).toMatchObject({ status: 'whole', itemCount: 4 });
  });

  test('its writer died before the journal of the next part', async () => {
    const path = await afterDeath(5, { journal: true });
    writeFileSync(`${partPath(path, 2)}.partial`, '');
    rmSync(`${partPath(path, 2)}.journal`);
    expect(await recover(path)).toMatchObject({ status: 'recovered', itemCount: 4 });
    expect(await labelsOf(path)).toEqual(upTo(100, 4));
    expect(namesBeside(path)).toEqual(namesOfParts(path, 3));
  });

  test('nothing tells that its writer is dead: nothing is done', async () => {
    const path = newPath();
    await (await add(path, 0, 7, {})).close();
    for (const number of [2, 3]) rmSync(partPath(path, number));
    const recovery = await recover(path);
    expect(recovery).toMatchObject({ status: 'whole', itemCount: 4 });
    expect(recovery.reason).toContain(`${partPath(path, 2)} is missing`);
    expect(namesBeside(path)).toEqual(namesOfParts(path, 2));
  });

  test('a part of another set behind the last one is none of it, and stays', async () => {
    const path = newPath();
    await (await add(path, 0, 7, {})).close();
    const other = await afterDeath(5, {});
    copyFileSync(partPath(path, 2), partPath(other, 2));
    const recovery = await recover(other);
    expect(recovery).toMatchObject({ status: 'whole', itemCount: 4 });
    expect(recovery.reason).toContain(`${partPath(other, 2)} is a part of another set`);
  });
});

/** A part that is complete as its writer leaves it that dies before it has its name: beside its journal. */
async function unpublish(path: string, labels: readonly number[]): Promise<void> {
  const other = newPath();
  const writer = await create(other, { journal: true, durability: 'none' });
  for (const label of labels) await writer.addItem({ label: Int32Array.of(label) });
  copyFileSync(`${other}.journal`, `${path}.journal`);
  renameSync(path, `${path}.partial`);
  await writer.abort();
}
