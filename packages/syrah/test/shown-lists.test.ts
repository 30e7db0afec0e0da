// Names and types that files and datasets show are theirs: whoever sorts or changes them changes nothing for others.
import { expect, test } from 'vitest';
import { SyrahConcatDataset, SyrahDataset, createSync, openShards, openSync } from '../src/index.ts';
import { loadGolden } from './golden.ts';
import { temporaryFolder } from './temporary-folder.ts';

const { path } = temporaryFolder();
const numbered = path('numbered.syr');
const writer = createSync(numbered);
for (let i = 0; i < 4; i += 1) writer.addItemSync({ b: Int32Array.of(i), a: Float32Array.of(i, 0.5) });
writer.closeSync();

/** Changes that a frozen list refuses. */
function attempt(...changes: (() => unknown)[]): void {
  for (const change of changes) expect(change).toThrow(TypeError);
}

test('types of a file', async () => {
  const file = openSync(numbered);
  const fingerprint = await file.fingerprint();
  attempt(
    () => (file.schema as unknown[]).reverse(),
    () => Object.assign(file.schema[0] as object, { name: 'c', dtype: 'float32' }),
  );
  expect(file.schema).toEqual([
    { name: 'b', dtype: 'int32' },
    { name: 'a', dtype: 'float32' },
  ]);
  expect(file.getItemSync(1)).toEqual({ b: Int32Array.of(1), a: Float32Array.of(1, 0.5) });
  expect(await file.fingerprint()).toBe(fingerprint);
  const shards = await openShards([numbered]);
  attempt(() => Object.assign(shards.schema[0] as object, { dtype: 'float32' }));
  shards.close();
  file.close();
});

test('names of the items of an item-by-item file', () => {
  const golden = loadGolden('old-per-item').find(({ label }) => label.endsWith('readme'))!;
  const file = openSync(golden.path);
  const item = openSync(golden.path).getItemSync('2');
  attempt(() => (file.itemNames as unknown[]).reverse());
  expect(file.getItemSync('2')).toEqual(item);
  file.close();
});

test('the datasets of a joined one', async () => {
  const dataset = await SyrahDataset.open(numbered, ['b']);
  const joined = new SyrahConcatDataset([dataset, dataset]);
  attempt(() => (joined.datasets as unknown[]).pop());
  expect(await joined.get(5)).toEqual([Int32Array.of(1)]);
  joined.close();
});
