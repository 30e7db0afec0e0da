// Arguments that cannot be meant, for the functions of this package: refused with an error of the family that says what
// was given. What can be meant works.
import { misunderstood } from '@colkit/testkit/odd-arguments';
import type { OddCall } from '@colkit/testkit/odd-arguments';
import { afterAll, expect, test } from 'vitest';
import {
  DataLoader,
  SyrahConcatDataset,
  SyrahDataset,
  create,
  open,
  openSync,
  recover,
  recoverSync,
} from '../src/index.ts';
import type { SyrahFile } from '../src/index.ts';
import { temporaryFolder } from './temporary-folder.ts';

const folder = temporaryFolder();
/** A text is a path, which leads nowhere else than into the folder of the test. */
const inFolder = (odd: unknown): never => (typeof odd === 'string' ? folder.path(odd) : odd) as never;
const newInFolder = (odd: unknown): never => (typeof odd === 'string' ? folder.path(`new ${odd}`) : odd) as never;
const overwrite = { overwrite: true };

const path = folder.path('items.syr');
const writer = await create(path);
for (let i = 0; i < 4; i += 1) await writer.addItem({ label: Int32Array.of(i), data: new Float32Array(3).fill(i) });
await writer.close();
const file: SyrahFile = openSync(path);
afterAll(() => {
  file.close();
});
const views = process.env['COLKIT_BACKEND'] === 'native';
const dataset = new SyrahDataset(file, ['label', 'data']);
const subset = dataset.subset([1, 2]);
const both = new SyrahConcatDataset([dataset, subset]);

async function added(item: unknown, options: object = {}): Promise<void> {
  const writer = await create(folder.path('new.syr'), { ...overwrite, ...options });
  try {
    await writer.addItem(item as { a: number[] });
  } finally {
    await writer.abort();
  }
}

async function addedAll(items: unknown): Promise<void> {
  const writer = await create(folder.path('new.syr'), overwrite);
  try {
    await writer.addItems(items as []);
  } finally {
    await writer.abort();
  }
}

async function firstBatch(options: object): Promise<unknown> {
  await using loader = new DataLoader(dataset, options);
  for await (const batch of loader) return batch;
  return null;
}

const REFERENCES = ['bigint', '-0'];
const KEYS = ['empty array', 'undefined'];

const CALLS: Readonly<Record<string, OddCall>> = {
  'open(…)': [(odd) => open(inFolder(odd)), []],
  'openSync(…)': [(odd) => openSync(inFolder(odd)), []],
  'recover(…)': [(odd) => recover(inFolder(odd)), []],
  'recoverSync(…)': [(odd) => recoverSync(inFolder(odd)), []],
  'getItem(…)': [(odd) => file.getItem(odd), REFERENCES],
  'getItemSync(…)': [(odd) => file.getItemSync(odd), REFERENCES],
  'getItem({ keys })': [(odd) => file.getItem(0, { keys: odd }), KEYS],
  'getItemSync({ keys })': [(odd) => file.getItemSync(0, { keys: odd }), KEYS],
  'getItem({ keys: […] })': [(odd) => file.getItem(0, { keys: [odd] }), []],
  'getEntries(…)': [(odd) => file.getEntries(odd), REFERENCES],
  'getEntriesSync(…)': [(odd) => file.getEntriesSync(odd), REFERENCES],
  'getEntries({ keys })': [(odd) => file.getEntries(0, { keys: odd }), KEYS],
  'getArray(…, key)': [(odd) => file.getArray(odd, 'label'), REFERENCES],
  'getArraySync(…, key)': [(odd) => file.getArraySync(odd, 'label'), REFERENCES],
  'getArray(0, …)': [(odd) => file.getArray(0, odd), []],
  'getArraySync(0, …)': [(odd) => file.getArraySync(0, odd), []],
  'getArray({ dtype })': [(odd) => file.getArray(0, 'label', { dtype: odd }), ['undefined']],
  'getArray({ out })': [(odd) => file.getArray(0, 'label', { out: odd }), ['undefined']],
  'getArray({ int64 })': [(odd) => file.getArray(0, 'label', { int64: odd }), ['undefined']],
  'gatherItems(…, key)': [(odd) => file.gatherItems(odd, 'label'), ['empty array']],
  'gatherItemsSync(…, key)': [(odd) => file.gatherItemsSync(odd, 'label'), ['empty array']],
  'gatherItems([…], key)': [(odd) => file.gatherItems([odd], 'label'), REFERENCES],
  'gatherItems([0], …)': [(odd) => file.gatherItems([0], odd), []],
  'gatherItems({ out })': [(odd) => file.gatherItems([0], 'label', { out: odd }), ['undefined']],
  'gatherKeys([0], …)': [(odd) => file.gatherKeys([0], odd), ['empty array']],
  'gatherKeys([0], […])': [(odd) => file.gatherKeys([0], [odd]), []],
  'viewItem(…)': [(odd) => (views ? file.viewItem(odd) : file.getItemSync(odd)), REFERENCES],
  'viewItem({ keys })': [(odd) => (views ? file.viewItem(0, { keys: odd }) : file.getItemSync(0, { keys: odd })), KEYS],
  'viewArray(…, key)': [(odd) => (views ? file.viewArray(odd, 'label') : file.getArraySync(odd, 'label')), REFERENCES],
  'viewArray(0, …)': [(odd) => file.viewArray(0, odd), []],
  'lengths(…)': [(odd) => file.lengths(odd), []],
  'itemNumber(…)': [(odd) => file.itemNumber(odd), REFERENCES],
  'fingerprint(…)': [(odd) => file.fingerprint(odd), ['undefined']],
  'new SyrahDataset(…)': [(odd) => new SyrahDataset(odd), []],
  'new SyrahDataset(file, …)': [(odd) => new SyrahDataset(file, odd), KEYS],
  'new SyrahDataset(file, […])': [(odd) => new SyrahDataset(file, [odd]), []],
  'new SyrahDataset({ process })': [
    (odd) => new SyrahDataset(file, ['label'], { process: odd }),
    ['object', 'undefined'],
  ],
  'new SyrahDataset({ process: { label } })': [
    (odd) => new SyrahDataset(file, ['label'], { process: { label: odd } }),
    ['function'],
  ],
  'SyrahDataset.open(…)': [(odd) => SyrahDataset.open(inFolder(odd)), []],
  'SyrahDataset.openSync(…)': [(odd) => SyrahDataset.openSync(inFolder(odd)), []],
  'dataset.get(…)': [(odd) => dataset.get(odd), REFERENCES],
  'dataset.getSync(…)': [(odd) => dataset.getSync(odd), REFERENCES],
  'subset(…)': [(odd) => dataset.subset(odd), ['empty array']],
  'subset([…])': [(odd) => dataset.subset([odd]), REFERENCES],
  'split(…)': [(odd) => dataset.split(odd), ['empty array']],
  'split([…])': [(odd) => dataset.split([odd]), ['-0']],
  'split([0.5], …)': [(odd) => dataset.split([0.5], odd), ['-0', 'undefined']],
  'subset.get(…)': [(odd) => subset.get(odd), REFERENCES],
  'subset.getSync(…)': [(odd) => subset.getSync(odd), REFERENCES],
  'new SyrahConcatDataset(…)': [(odd) => new SyrahConcatDataset(odd), ['empty array']],
  'new SyrahConcatDataset([…])': [(odd) => new SyrahConcatDataset([odd]), []],
  'concat.get(…)': [(odd) => both.get(odd), REFERENCES],
  'concat.getSync(…)': [(odd) => both.getSync(odd), REFERENCES],
  'new DataLoader(…)': [(odd) => new DataLoader(odd), []],
  'DataLoader({ batchSize })': [(odd) => firstBatch({ batchSize: odd }), ['undefined']],
  'DataLoader({ shuffle })': [(odd) => firstBatch({ shuffle: odd }), ['boolean', 'undefined', 'object']],
  'DataLoader({ seed })': [(odd) => firstBatch({ seed: odd }), ['-0', 'undefined']],
  'DataLoader({ workers })': [(odd) => firstBatch({ workers: odd }), ['-0', 'undefined']],
  'DataLoader({ prefetch })': [(odd) => firstBatch({ prefetch: odd }), ['-0', 'undefined']],
  'DataLoader({ collate })': [(odd) => firstBatch({ collate: odd }), ['function', 'undefined']],
  'DataLoader({ collate: { kind } })': [(odd) => firstBatch({ collate: { kind: odd } }), []],
  'DataLoader({ collate: { value } })': [
    (odd) => firstBatch({ collate: { kind: 'pad', value: odd } }),
    ['null', 'NaN', '1.5', 'text', 'bigint', '2^53', 'bigint beyond 2^53', '-0', 'undefined'],
  ],
  'DataLoader({ collate: { shapes } })': [
    (odd) => firstBatch({ collate: { kind: 'stack', shapes: odd } }),
    ['object', 'undefined'],
  ],
  'DataLoader({ collate: { shapes: { data } } })': [
    (odd) => firstBatch({ collate: { kind: 'stack', shapes: { data: odd } } }),
    [],
  ],
  'DataLoader({ sampler })': [(odd) => firstBatch({ sampler: odd }), ['empty array', 'undefined']],
  'DataLoader({ sampler: […] })': [(odd) => firstBatch({ sampler: [odd] }), REFERENCES],
  'DataLoader({ sampler: { at } })': [(odd) => firstBatch({ sampler: { length: 1, at: () => odd } }), REFERENCES],
  'DataLoader({ rank })': [(odd) => firstBatch({ rank: odd, worldSize: 1 }), ['-0', 'undefined']],
  'DataLoader({ worldSize })': [(odd) => firstBatch({ worldSize: odd }), ['undefined']],
  'DataLoader({ timeoutMs })': [(odd) => new DataLoader(dataset, { timeoutMs: odd }), ['1.5', '2^53', 'undefined']],
  'DataLoader.resume(dataset, …)': [(odd) => DataLoader.resume(dataset, odd), []],
  'create(…)': [async (odd) => (await create(newInFolder(odd), overwrite)).abort(), ['text']],
  'create({ schema })': [(odd) => added({ a: [1] }, { schema: odd }), ['undefined']],
  'create({ schema: { a } })': [(odd) => added({ a: [1] }, { schema: { a: odd } }), []],
  'create({ schema: [[…, dtype]] })': [(odd) => added({ 3: [1] }, { schema: [[odd, 'float64']] }), ['text']],
  'create({ align })': [(odd) => added({ a: [1] }, { align: odd }), ['undefined']],
  'create({ roll })': [(odd) => added({ a: [1] }, { roll: odd }), ['boolean', 'undefined']],
  'addItem(…)': [(odd) => added(odd), []],
  'addItem([…])': [(odd) => added([odd]), []],
  'addItem([[…, array]])': [(odd) => added([[odd, [1]]]), ['text']],
  'addItem({ a: … })': [(odd) => added({ a: odd }), ['text']],
  'addItem({ a: [1, …] })': [(odd) => added({ a: [1, odd] }), ['NaN', '1.5', '2^53', '-0']],
  'addItems(…)': [(odd) => addedAll(odd), ['empty array']],
  'addItems([…])': [(odd) => addedAll([odd]), []],
};

/** What an empty list or object lacks; what a text as a path leads to; which of many is at fault. */
const ALSO_SAID = [
  'found none',
  'no such file',
  'unknown key',
  'at position 1',
  'for the shape []',
  'expected what loader.state() returned',
];

test.each(Object.entries(CALLS))('%s', async (_, call) => {
  expect(await misunderstood(call, ALSO_SAID)).toEqual([]);
});

test('indices as bigints, from the end too, are indices everywhere', async () => {
  expect(await dataset.get(-1n as never)).toEqual([Int32Array.of(3), new Float32Array(3).fill(3)]);
  expect(subset.getSync(-1n as never)[0]).toEqual(Int32Array.of(2));
  expect((await both.get(4n as never))[0]).toEqual(Int32Array.of(1));
  expect(await firstBatch({ batchSize: 3, sampler: BigInt64Array.of(3n, -1n, 0n) })).toMatchObject([
    { data: Int32Array.of(3, 3, 0) },
    {},
  ]);
  await expect(firstBatch({ sampler: [0, -5], batchSize: 2 })).rejects.toThrow(
    'sampler: expected integers in [-4, 4) but found -5 at position 1',
  );
  await expect(file.gatherItems(BigInt64Array.of(2n ** 53n + 1n), 'label')).rejects.toThrow(
    'found 9007199254740993n at position 0',
  );
});

test('elements of a sampler are not converted: what is no index is refused', async () => {
  await expect(firstBatch({ sampler: ['1'] })).rejects.toThrow(
    'sampler: expected integers in [-4, 4) but found "1" at position 0',
  );
  await expect(firstBatch({ sampler: [null] })).rejects.toThrow('found null at position 0');
});

test('a path where an open file is expected is told what opens it', () => {
  expect(() => new SyrahDataset(path as never)).toThrow(
    /^file: expected an open file, as open\(\) gives \(SyrahDataset\.open takes a path\) but found "/,
  );
  expect(() => new SyrahConcatDataset([dataset, path as never])).toThrow(
    /^datasets: expected a list of this package's datasets but found ".* at position 1$/,
  );
});

test('keys are called keys, and the nearest is named', () => {
  expect(() => file.getArraySync(0, 'lable')).toThrow(
    `${path}: item 0: unknown key "lable"; available: "label", "data"; did you mean "label"?`,
  );
});
