// A program whose declarations name what syrah gives (test/declarations.test.ts); nothing runs it.
import * as syrah from 'syrah';

export const open = (path: string) => syrah.open(path);
export const item = async (path: string) => (await open(path)).getItem(0);
export const array = async (path: string) => (await open(path)).getArray(0, 'x');
export const gathered = async (path: string) => (await open(path)).gatherItems([0], 'x');
export const view = async (path: string) => (await open(path)).viewArray(0, 'x');
export const dataset = (path: string) => syrah.SyrahDataset.open(path, ['x'], { expect: { x: 'float32' } });
export const loader = async (path: string) => new syrah.DataLoader(await dataset(path), { cast: { x: 'float64' } });
export const batches = async (path: string) => (await loader(path))[Symbol.asyncIterator]();
export const writer = (path: string) => syrah.create(path);
export const entries = async (path: string) => (await open(path)).getEntries(0);
export const state = async (path: string) => (await loader(path)).state();
export const joined = async (path: string) => new syrah.SyrahConcatDataset([await dataset(path)]);
export const sample = async (path: string) => (await dataset(path)).get(0);
export const schema = async (path: string) => (await open(path)).schema;
