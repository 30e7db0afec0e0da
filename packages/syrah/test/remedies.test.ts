// Every remedy that an error of this package prints, tried: what it says works, on the data that failed.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { followed } from '@colkit/testkit/remedies';
import type { Remedy } from '@colkit/testkit/remedies';
import { expect, test } from 'vitest';
import {
  DataLoader,
  SyrahConcatDataset,
  SyrahDataset,
  create,
  createSync,
  open,
  openShards,
  openSync,
  recover,
} from '../src/index.ts';
import { temporaryFolder } from './temporary-folder.ts';

const folder = temporaryFolder();
let files = 0;
const newPath = (ending = 'syr'): string => folder.path(`${String((files += 1))}.${ending}`);
const overwrite = { overwrite: true };
const ITEMS = [
  { label: Int32Array.of(0), data: Float32Array.of(1, 2), text: 'a' },
  { label: Int32Array.of(1), data: Float32Array.of(3), text: 'b' },
];
const stored = (items: readonly object[] = ITEMS): string => {
  const path = newPath();
  const writer = createSync(path);
  for (const item of items) writer.addItemSync(item as (typeof ITEMS)[0]);
  writer.closeSync();
  return path;
};
const dataset = (...keys: string[]): SyrahDataset => new SyrahDataset(openSync(stored()), keys);
async function batches(loader: AsyncIterable<unknown> & { close(): Promise<void> }): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const batch of loader) all.push(batch);
  await loader.close();
  return all;
}

async function labels(options: object): Promise<number[]> {
  const all = (await batches(new DataLoader(dataset('label'), { batchSize: 2, ...options }))) as [
    { data: Int32Array },
  ][];
  return all.flatMap(([{ data }]) => [...data]);
}

const shards = (): string => {
  const path = newPath('shards');
  mkdirSync(path);
  for (const name of ['a', 'b']) copyFileSync(stored(), join(path, `${name}.syr`));
  return path;
};

const REMEDIES: readonly Remedy[] = [
  {
    what: 'a folder of files',
    says: 'openShards (syrah)',
    fails: () => open(shards()),
    helps: async () => (await openShards(shards())).itemCount,
    gives: 4,
  },
  {
    what: 'a file that is there',
    says: 'pass { overwrite: true } to replace it',
    fails: () => create(stored()),
    helps: async () => {
      const path = stored();
      await (await create(path, { ...overwrite, schema: { a: 'int32' } })).close();
      return openSync(path).itemCount;
    },
    gives: 0,
  },
  {
    what: 'a view of text',
    says: 'read it with getArray',
    fails: () =>
      openSync(stored(), { io: process.env['COLKIT_BACKEND'] === 'native' ? 'mmap' : 'auto' }).viewArray(0, 'text'),
    helps: () => openSync(stored()).getArray(0, 'text'),
    gives: 'a',
  },
  {
    what: 'a misspelt key',
    says: 'did you mean "label"?',
    fails: () => openSync(stored()).getArray(0, 'lable'),
    helps: () => openSync(stored()).getArray(0, 'label'),
    gives: Int32Array.of(0),
  },
  {
    what: 'a path as a dataset',
    says: 'SyrahDataset.open takes a path',
    fails: () => new SyrahDataset(stored() as never),
    helps: async () => (await SyrahDataset.open(stored())).length,
    gives: 2,
  },
  {
    what: 'unequal lengths, padded',
    says: "(others need collate: 'pad' or 'list')",
    fails: () => batches(new DataLoader(dataset('data'), { batchSize: 2, collate: 'stack' })),
    helps: async () => batches(new DataLoader(dataset('data'), { batchSize: 2, collate: 'pad' })),
    gives: [[{ data: Float32Array.of(1, 2, 3, 0), shape: [2, 2], lengths: Int32Array.of(2, 1) }]],
  },
  {
    what: 'unequal lengths, as lists',
    says: "'pad' or 'list'",
    fails: () => batches(new DataLoader(dataset('data'), { batchSize: 2 })),
    helps: async () => batches(new DataLoader(dataset('data'), { batchSize: 2, collate: 'list' })),
    gives: [[[Float32Array.of(1, 2), Float32Array.of(3)]]],
  },
  {
    what: 'unequal lengths in gatherItems',
    says: "only arrays of one length stack; others need collate 'pad' or 'list'",
    fails: () => openSync(stored()).gatherItems([0, 1], 'data'),
    helps: async () => (await batches(new DataLoader(dataset('data'), { batchSize: 2, collate: 'pad' }))).length,
    gives: 1,
  },
  {
    what: 'values that nothing stacks',
    says: "(or use collate: 'list' or a function)",
    fails: () => batches(new DataLoader({ length: 1, get: () => [new Date(0)] })),
    helps: () => batches(new DataLoader({ length: 1, get: () => [new Date(0)] }, { collate: 'list' })),
    gives: [[[new Date(0)]]],
  },
  {
    what: 'the same with a function',
    says: "(or use collate: 'list' or a function)",
    fails: () => batches(new DataLoader({ length: 1, get: () => [new Date(0)] })),
    helps: () =>
      batches(new DataLoader({ length: 1, get: () => [new Date(0)] }, { collate: (samples) => samples.length })),
    gives: [1],
  },
  {
    what: 'a process function that is not done at once',
    says: 'a function that returns at once (or use get)',
    fails: () =>
      new SyrahDataset(openSync(stored()), ['label'], {
        process: { label: async (value) => Promise.resolve(value) },
      }).getSync(0),
    helps: () =>
      new SyrahDataset(openSync(stored()), ['label'], {
        process: { label: async (value) => Promise.resolve(value) },
      }).get(0),
    gives: [Int32Array.of(0)],
  },
  {
    what: 'the state of a dataset that has to be asked',
    says: 'or use await loader.stateAsync()',
    fails: () => new DataLoader({ length: 2, get: () => [1], fingerprint: () => Promise.resolve('x') }).state(),
    helps: async () =>
      (await new DataLoader({ length: 2, get: () => [1], fingerprint: () => Promise.resolve('x') }).stateAsync())
        .fingerprint,
    gives: 'x',
  },
  {
    what: 'workers for samples that only this thread makes',
    says: '0, or samples that workers can make (put the code into processModule)',
    fails: () => new DataLoader({ length: 2, get: () => [1] }, { workers: 1 }),
    helps: () => batches(new DataLoader({ length: 2, get: () => [1] }, { workers: 0 })),
    gives: [[{ data: Float64Array.of(1), shape: [1] }], [{ data: Float64Array.of(1), shape: [1] }]],
  },
  {
    what: 'workers for code of this thread, which goes into a module',
    says: 'put the code into processModule',
    fails: () => new DataLoader({ length: 2, get: () => [1] }, { workers: 1 }),
    helps: () => labels({ workers: 1, processModule: processModule('label') }),
    gives: [10, 11],
  },
  {
    what: 'a module with no export for any key',
    says: 'an export for at least one of the keys "label"',
    fails: () => labels({ processModule: processModule('lable') }),
    helps: () => labels({ processModule: processModule('label') }),
    gives: [10, 11],
  },
  {
    what: 'datasets of other keys',
    says: 'open both with the same keys',
    fails: () => new SyrahConcatDataset([dataset('label'), dataset('label', 'data')]),
    helps: () => new SyrahConcatDataset([dataset('label'), dataset('label')]).length,
    gives: 4,
  },
  {
    what: 'a list without a type',
    says: 'or typed(dtype, values)',
    fails: () => stored([{ a: [] }]),
    helps: () => openSync(stored([{ a: { dtype: 'int32', values: [] } }])).getItem(0),
    gives: { a: new Int32Array(0) },
  },
  {
    what: 'more metadata than a file may have',
    says: 'close this file and go on in another one, or pass { roll: true }',
    fails: () => many({}),
    helps: () => many({ roll: true }),
    gives: 400,
  },
];

/** A module that processes the items of a key, as a user has it beside the script. */
function processModule(key: string): string {
  const path = newPath('mjs');
  writeFileSync(path, `export const ${key} = (values) => values.map((value) => value + 10);\n`);
  return pathToFileURL(path).href;
}

/** Items until the metadata of a small file are full; how many were written. */
async function many(options: object): Promise<number> {
  const writer = await create(newPath(), { maxMetadataBytes: 1024, ...options });
  try {
    for (let i = 0; i < 400; i += 1) await writer.addItem({ label: Int32Array.of(i) });
    await writer.close();
    return 400;
  } finally {
    await writer.abort();
  }
}

test.each(REMEDIES)('$what', async (remedy) => {
  expect(await followed(remedy)).toEqual(remedy.gives);
});

test('two writers of one name: where the other is none, recover goes on', async () => {
  const path = newPath();
  const writer = await create(path, { journal: true });
  await writer.addItem({ a: [1] });
  expect(
    await followed({
      says: 'recover(path, { force: true }) goes on',
      fails: () => create(path, { journal: true }),
      helps: async () => (await recover(path, { force: true })).itemCount,
    }),
  ).toBe(1);
  await writer.abort().catch(() => undefined);
  expect((await open(path)).itemCount).toBe(1);
});
