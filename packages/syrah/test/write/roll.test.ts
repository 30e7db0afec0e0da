// Sets of files: what their parts say of themselves, what replaces what in which order, and what a reader sees
// meanwhile.
import { copyFileSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { SYSTEM_FILES, onFiles, temporaryName } from '@colkit/io/durable';
import type { FileOperation, FileOperations } from '@colkit/io/durable';
import { isOfLock } from '@colkit/testkit/watched-files';
import { describe, expect, test } from 'vitest';
import { SyrahDataset, create, createSync, open, openSync, recoverSync } from '../../src/index.ts';
import type { CreateOptions, SyrahFile } from '../../src/index.ts';
import { partNumber, partPath } from '../../src/layout/part-mark.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const folder = temporaryFolder();
let counter = 0;
/** Its folder holds nothing else. */
const newPath = (): string => {
  counter += 1;
  return folder.path(`roll-${String(counter)}.train.syr`);
};
/** Room for two items a file. */
const LIMIT = 100;
const item = (i: number): Record<string, Int32Array> => ({ label: Int32Array.of(i) });

async function write(path: string, first: number, count: number, options: CreateOptions = {}): Promise<void> {
  const writer = await create(path, { maxMetadataBytes: LIMIT, roll: true, durability: 'none', ...options });
  for (let i = first; i < first + count; i += 1) await writer.addItem(item(i));
  await writer.close();
}

const labelsOf = (file: SyrahFile): number[] =>
  Array.from({ length: file.itemCount }, (_, i) => (file.getArraySync(i, 'label') as Int32Array)[0]!);
const names = (path: string): string[] =>
  readdirSync(dirname(path))
    .filter((name) => name.includes(basename(path, '.syr')))
    .sort();
const parts = (path: string, count: number): string[] =>
  Array.from({ length: count }, (_, k) => basename(partPath(path, k))).sort();

/** What a reader takes for the whole: the labels of a set or of a file of its own, or the reason why it is none. */
function wholeOf(path: string): number[] | string {
  using file = openSync(path);
  if (file.part === null) return labelsOf(file);
  if (file.part.paths === null) return file.part.problem ?? 'no first part';
  return file.part.paths.flatMap((each) => {
    using part = openSync(each);
    return labelsOf(part);
  });
}

test.each(['async', 'sync'] as const)(
  'open (%s) of the first part says that it is one of so many, and the others which they are',
  async (form) => {
    const path = newPath();
    await write(path, 0, 7);
    const opened = async (at: string): Promise<SyrahFile> => (form === 'async' ? open(at) : openSync(at));
    const paths = [0, 1, 2, 3].map((k) => partPath(path, k));
    const set = expect.stringMatching(/^[0-9a-f]{32}$/u) as string;
    expect((await opened(path)).part).toEqual({ set, number: 0, count: 4, paths, problem: null });
    expect((await opened(paths[1]!)).part).toEqual({ set, number: 1, count: null, paths: null, problem: null });
    expect((await opened(paths[3]!)).part).toEqual({ set, number: 3, count: 4, paths: null, problem: null });
    using whole = SyrahDataset.openSync(path, ['label']);
    expect(await Promise.all(Array.from({ length: whole.length }, async (_, i) => (await whole.get(i))[0]))).toEqual(
      [0, 1, 2, 3, 4, 5, 6].map((i) => Int32Array.of(i)),
    );
  },
);

test('a file that fits has the bytes that it always had', async () => {
  const [rolled, plain] = [newPath(), newPath()];
  await write(rolled, 0, 2);
  await write(plain, 0, 2, { roll: false });
  expect(readFileSync(rolled).equals(readFileSync(plain))).toBe(true);
  expect(openSync(rolled).part).toBeNull();
});

test('the mark lies behind the arrays: it is all that is in the data region besides them', async () => {
  const path = newPath();
  await write(path, 0, 3);
  const bytes = readFileSync(path);
  const metadataOffset = Number(bytes.readBigInt64LE(6));
  expect(metadataOffset).toBe(22 + 2 * 4 + 40);
  expect(bytes.subarray(metadataOffset - 40, metadataOffset - 33).toString('latin1')).toBe('SYRPART');
});

describe('with fewer items', () => {
  test.each([
    [7, 3],
    [7, 1],
    [1, 7],
    [3, 7],
    [7, 7],
  ])('%i items, then %i: the old parts go, and nothing of somebody else', async (before, after) => {
    const path = newPath();
    const foreign = partPath(path, 9);
    writeFileSync(foreign, 'mine');
    await write(path, 0, before);
    await write(path, 100, after, { overwrite: true });
    expect(wholeOf(path)).toEqual(Array.from({ length: after }, (_, i) => 100 + i));
    expect(names(path)).toEqual([...parts(path, Math.ceil(after / 2)), basename(foreign)].sort());
    expect(readFileSync(foreign, 'utf8')).toBe('mine');
  });

  test('what a dead writer left of parts that the new set has not goes too; what a live one has stays', async () => {
    const path = newPath();
    await write(path, 0, 7);
    const [live, dead] = [temporaryName, (name: string) => temporaryName(name).replace(/-\d+-/u, '-4194399-')];
    const left = [live, dead].map((nameOf) => join(dirname(path), nameOf(basename(partPath(path, 3)))));
    const ofOther = join(dirname(path), dead('other.00003.syr'));
    for (const each of [...left, ofOther]) writeFileSync(each, 'left');
    await write(path, 100, 3, { overwrite: true });
    expect([left[0]!, ofOther].map((each) => existsSync(each))).toEqual([true, true]);
    if (process.platform === 'linux') expect(existsSync(left[1]!)).toBe(false);
    expect(wholeOf(path)).toEqual([100, 101, 102]);
  });

  test('a file of its own in place of the first part is one in place of the set', async () => {
    const path = newPath();
    await write(path, 0, 7);
    await write(path, 50, 1, { overwrite: true, roll: false, journal: true });
    expect(names(path)).toEqual([basename(path)]);
  });

  test('aborted: the old set is as it was', async () => {
    const path = newPath();
    await write(path, 0, 7);
    for (const journal of [true, false]) {
      const writer = createSync(path, { maxMetadataBytes: LIMIT, roll: true, overwrite: true, journal });
      for (let i = 0; i < 5; i += 1) writer.addItemSync(item(100 + i));
      expect(wholeOf(path)).toEqual([0, 1, 2, 3, 4, 5, 6]);
      writer.abortSync();
      expect([wholeOf(path), names(path)]).toEqual([[0, 1, 2, 3, 4, 5, 6], parts(path, 4)]);
    }
  });
});

/** The system's files, with a look after every change. */
function watched(look: (operation: FileOperation) => void): FileOperations {
  const runSync: FileOperations['runSync'] = (operation) => {
    const result = SYSTEM_FILES.runSync(operation);
    if (!isOfLock(operation)) look(operation);
    return result;
  };
  return { runSync, run: async (operation) => Promise.resolve(runSync(operation)) };
}

test.each([
  [7, 3, false],
  [3, 7, false],
  [1, 5, false],
  [5, 1, false],
  [5, 5, true],
  [1, 5, true],
  [5, 1, true],
])(
  'of %i items replaced by %i (journal: %s), at every moment: the old set, the new one, or an error that says so',
  async (before, after, journal) => {
    const path = newPath();
    await write(path, 0, before);
    const old = Array.from({ length: before }, (_, i) => i);
    const fresh = Array.from({ length: after }, (_, i) => 100 + i);
    const seen = new Set<string>();
    const operations = watched(() => {
      const found = wholeOf(path);
      if (typeof found === 'string') expect(found).toMatch(/is missing|another set/);
      else expect([old, fresh]).toContainEqual(found);
      seen.add(typeof found === 'string' ? 'error' : found[0] === 0 ? 'old' : 'new');
    });
    await write(path, 100, after, onFiles(operations, { overwrite: true, journal, durability: 'full' }));
    expect(wholeOf(path)).toEqual(fresh);
    // One file in place of another, or of a set: there is no moment between.
    expect([...seen].sort()).toEqual(before > 2 && after > 2 ? ['error', 'new', 'old'] : ['new', 'old']);
  },
);

test('a set in the making is no whole set', async () => {
  const path = newPath();
  const writer = await create(path, { maxMetadataBytes: LIMIT, roll: true });
  for (let i = 0; i < 5; i += 1) await writer.addItem(item(i));
  expect(openSync(path).part).toMatchObject({
    number: 0,
    count: null,
    problem: expect.stringContaining('.00002.syr is missing') as string,
  });
  await writer.close();
  expect(wholeOf(path)).toEqual([0, 1, 2, 3, 4]);
});

test('a part in the place of another one of its set is none of it', async () => {
  const path = newPath();
  await write(path, 0, 7);
  copyFileSync(partPath(path, 2), partPath(path, 1));
  expect(openSync(path).part).toMatchObject({
    number: 0,
    count: null,
    paths: null,
    problem: expect.stringContaining('.00001.syr is a part of another set') as string,
  });
});

test('a journaled writer that failed leaves parts that recover makes whole, told of the set', async () => {
  const path = newPath();
  await write(path, 0, 5);
  let publications = 0;
  const operations = watched(() => undefined);
  const failing: FileOperations = {
    run: (operation) => operations.run(operation),
    runSync: (operation) => operations.runSync(operation),
  };
  failing.run = async (operation) => {
    if (operation.kind === 'rename' && !isOfLock(operation) && (publications += 1) > 1)
      throw Object.assign(new Error('EIO'), { code: 'EIO' });
    return operations.run(operation);
  };
  await expect(write(path, 100, 5, onFiles(failing, { overwrite: true, journal: true }))).rejects.toMatchObject({
    code: 'ERR_WRITE',
  });
  expect(wholeOf(path)).toMatch(/another set/);
  for (const part of [0, 1, 2])
    if (existsSync(`${partPath(path, part)}.partial`))
      expect(recoverSync(partPath(path, part), { overwrite: true })).toMatchObject({ status: 'recovered' });
  expect([wholeOf(path), names(path)]).toEqual([[100, 101, 102, 103, 104], parts(path, 3)]);
});

test.each([
  ['a/train.syr', 3, 'a/train.00003.syr'],
  ['train', 12, 'train.00012'],
  ['.hidden', 1, '.hidden.00001'],
  ['a.b/x', 100_000, 'a.b/x.100000'],
  ['run.00001.syr', 1, 'run.00001.00001.syr'],
])('the parts of %s: number %i is %s', (path, number, expected) => {
  expect(partPath(path, number)).toBe(expected);
  expect(partNumber(path, expected)).toBe(number);
  for (const other of [path, `${expected}x`]) expect(partNumber(path, other)).toBeNull();
});
