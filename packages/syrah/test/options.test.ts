// Each public function that takes options refuses those that it does not know. A new one must come here.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { functionsWithOptions } from '@colkit/testkit/functions-with-options';
import { acceptedOptions } from '@colkit/testkit/refused-options';
import type { CallWithOptions } from '@colkit/testkit/refused-options';
import { afterAll, expect, test } from 'vitest';
import * as syrah from '../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'syrah-options-'));
const path = join(folder, 'items.syr');
const target = join(folder, 'new.syr');
const writer = syrah.createSync(path);
for (let i = 0; i < 4; i++) writer.addItemSync({ label: Int32Array.of(i), data: new Float32Array(3).fill(i) });
writer.closeSync();
const file = syrah.openSync(path);
const shards = syrah.openShardsSync([path]);
const dataset = new syrah.SyrahDataset(file);
const state = new syrah.DataLoader(dataset).state();
afterAll(() => {
  file.close();
  rmSync(folder, { recursive: true, force: true });
});

const CALLS: Readonly<Record<string, CallWithOptions>> = {
  'DataLoader.resume': (options) => syrah.DataLoader.resume(dataset, state, options),
  'SyrahDataset.open': (options) => syrah.SyrahDataset.open(path, ['label'], options),
  'SyrahDataset.openSync': (options) => syrah.SyrahDataset.openSync(path, ['label'], options),
  'SyrahFile#gatherItems': (options) => file.gatherItems([0], 'label', options),
  'SyrahFile#gatherItemsSync': (options) => file.gatherItemsSync([0], 'label', options),
  'SyrahFile#gatherKeys': (options) => file.gatherKeys([0], ['label'], options),
  'SyrahFile#gatherKeysSync': (options) => file.gatherKeysSync([0], ['label'], options),
  'SyrahFile#getArray': (options) => file.getArray(0, 'label', options),
  'SyrahFile#getArraySync': (options) => file.getArraySync(0, 'label', options),
  'SyrahFile#getEntries': (options) => file.getEntries(0, options),
  'SyrahFile#getEntriesSync': (options) => file.getEntriesSync(0, options),
  'SyrahFile#getItem': (options) => file.getItem(0, options),
  'SyrahFile#getItemSync': (options) => file.getItemSync(0, options),
  'SyrahFile#viewItem': (options) => file.viewItem(0, options),
  'SyrahShards#gatherItems': (options) => shards.gatherItems([0], 'label', options),
  'SyrahShards#gatherItemsSync': (options) => shards.gatherItemsSync([0], 'label', options),
  'SyrahShards#gatherKeys': (options) => shards.gatherKeys([0], ['label'], options),
  'SyrahShards#gatherKeysSync': (options) => shards.gatherKeysSync([0], ['label'], options),
  'SyrahShards#getArray': (options) => shards.getArray(0, 'label', options),
  'SyrahShards#getArraySync': (options) => shards.getArraySync(0, 'label', options),
  'SyrahShards#getEntries': (options) => shards.getEntries(0, options),
  'SyrahShards#getEntriesSync': (options) => shards.getEntriesSync(0, options),
  'SyrahShards#getItem': (options) => shards.getItem(0, options),
  'SyrahShards#getItemSync': (options) => shards.getItemSync(0, options),
  'SyrahShards#viewItem': (options) => shards.viewItem(0, options),
  create: (options) => syrah.create(target, options),
  createSync: (options) => syrah.createSync(target, options),
  'new ClassBalancedSampler': (options) => new syrah.ClassBalancedSampler([1], options),
  'new DataLoader': (options) => new syrah.DataLoader(dataset, options),
  'new LengthBuckets': (options) => new syrah.LengthBuckets([1], options as { batchSize: number }),
  'new SyrahDataset': (options) => new syrah.SyrahDataset(file, ['label'], options),
  'new WeightedSampler': (options) => new syrah.WeightedSampler([1], options),
  open: (options) => syrah.open(path, options),
  openShards: (options) => syrah.openShards([path], options),
  openShardsSync: (options) => syrah.openShardsSync([path], options),
  openSync: (options) => syrah.openSync(path, options),
  recover: (options) => syrah.recover(path, options),
  recoverSync: (options) => syrah.recoverSync(path, options),
};

test('these are all functions that take options', () => {
  expect(functionsWithOptions(new URL('../src/index.ts', import.meta.url))).toEqual(Object.keys(CALLS).sort());
});

test.each(Object.entries(CALLS))('%s', async (_, call) => {
  expect(await acceptedOptions(call)).toEqual([]);
});

test.each<[string, () => unknown, RegExp]>([
  [
    "PyTorch's batch_size",
    () => new syrah.DataLoader(dataset, { batch_size: 2 } as never),
    /^DataLoader: unknown option "batch_size"; did you mean "batchSize"\?$/,
  ],
  [
    "PyTorch's num_workers",
    () => new syrah.DataLoader(dataset, { num_workers: 2 } as never),
    /^DataLoader: unknown option "num_workers"; did you mean "workers"\?$/,
  ],
  [
    'a misspelt shuffle',
    () => new syrah.DataLoader(dataset, { suffle: true } as never),
    /^DataLoader: unknown option "suffle"; did you mean "shuffle"\?$/,
  ],
  [
    'shuffle that is a text',
    () => new syrah.DataLoader(dataset, { shuffle: 'yes' as never }),
    /^shuffle: expected true or false, or an object of options but found "yes"$/,
  ],
  [
    'a misspelt setting of a collation',
    () => new syrah.DataLoader(dataset, { collate: { kind: 'pad', vlaue: 1 } as never }),
    /^collate: unknown option "vlaue"; did you mean "value"\?$/,
  ],
  [
    'a misspelt overwrite',
    () => syrah.create(target, { overwite: true } as never),
    /^create: unknown option "overwite"; did you mean "overwrite"\?$/,
  ],
  [
    'a process function of no key',
    () => new syrah.SyrahDataset(file, ['label'], { process: { labl: (array: unknown) => array } as never }),
    /labl/,
  ],
  [
    'a header that is no text',
    () => syrah.open('http://127.0.0.1:9/x.syr', { headers: { a: 1 as never } }),
    /^headers: expected an object of texts/,
  ],
])('%s is refused', async (_, call, text) => {
  await expect((async () => call())()).rejects.toMatchObject({
    code: expect.stringMatching(/^ERR_(ARGUMENT|UNKNOWN_COLUMN)$/) as string,
    message: expect.stringMatching(text) as string,
  });
});
