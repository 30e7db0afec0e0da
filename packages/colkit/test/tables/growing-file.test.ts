// A .cstore file that grows while it is looked at, by whatever looks at it: its size is asked before its counters are
// read, and a commit in between is no damage.
import { concat, create, cstoreParts, open, verify, write } from 'colstore';
import type { ColStoreWriter } from 'colstore';
import { openDataset } from 'columna';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTable } from '../../src/convert.ts';
import { temporaryFolder } from '../support/folder.ts';

const ROWS = 2000;
const ROUNDS = 100;
const folder = temporaryFolder();
const path = folder.path('log.cstore');
const other = folder.path('other.cstore');
const x = Float64Array.from({ length: ROWS }, (_, row) => row);

let writer: ColStoreWriter;

beforeAll(async () => {
  await write(other, { x }, { layout: 'records' });
  writer = await create(path, { durability: 'none' });
  await commit();
});
afterAll(() => writer.close());

async function commit(): Promise<void> {
  await writer.write({ x });
  await writer.checkpoint();
}

test.each<[string, () => Promise<unknown>]>([
  ['verify', async () => (await verify(path)).problems],
  ['concat', () => concat([path, other], { out: folder.path('out.cstore'), overwrite: true, durability: 'none' })],
  [
    'open of many',
    async () => {
      using table = await open([path, other]);
      await table.slice(-ROWS - 3, -ROWS).toColumns();
    },
  ],
  ['openTable', async () => (await openTable(path)).close()],
  ['openDataset', async () => (await openDataset([path], { formats: [cstoreParts] })).close()],
])('%s finds no damage', async (name, look) => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const [found] = await Promise.all([look(), commit()]);
    if (name === 'verify') expect(found).toEqual([]);
  }
});
