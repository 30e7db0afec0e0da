// Names of columns that folders say: of any characters, and of none that hide a folder.
import { expect, it } from 'vitest';
import { commit, openDataset, writePart } from '../../src/index.ts';
import { newFolders } from '../support/new-folders.ts';

const newFolder = newFolders('partition-names');

it.each([
  ['_year', '%5Fyear=7'],
  ['.year', '%2Eyear=7'],
  ['__proto__', '%5F_proto__=7'],
  ['.', '%2E=7'],
  ['..', '%2E%2E=7'],
  ['a/b', 'a%2Fb=7'],
  ['a=%', 'a%3D%25=7'],
])('%s is a column of what is committed, and of what is not', async (name, folderName) => {
  const { folder } = newFolder();
  const part = await writePart(folder, { id: Int32Array.of(1) }, { partition: Object.fromEntries([[name, 7]]) });
  expect(part.key.split('/')[0]).toBe(folderName);
  const columns = [
    ['id', Int32Array.of(1)],
    [name, BigInt64Array.of(7n)],
  ];
  const entries = async (): Promise<unknown> => {
    using dataset = await openDataset(folder);
    return [dataset.version, Object.entries(await dataset.toColumns())];
  };
  expect(await entries()).toEqual([0, columns]);
  await commit(folder, [part], { expected: 0 });
  expect(await entries()).toEqual([1, columns]);
});
