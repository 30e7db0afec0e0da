// The build for browsers opens many files, too: URLs, lists in JSON, sets, Blobs; with a cache in memory.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { objectServer } from '@colkit/testkit/object-server';
import { afterAll, expect, test } from 'vitest';
import { create } from '../../src/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const folder = temporaryFolder();
const server = await objectServer();
afterAll(() => server.close());
const writer = await create(folder.path('set.syr'), { maxMetadataBytes: 120, roll: true });
for (let i = 0; i < 7; i += 1) await writer.addItem({ label: Int32Array.of(i) });
const names: string[] = [];
const list: object[] = [];
for (const { path, itemCount } of await writer.close()) {
  names.push(basename(path));
  list.push({ path: basename(path), items: itemCount });
  server.objects.set(basename(path), readFileSync(path));
}
server.objects.set('list.json', new TextEncoder().encode(JSON.stringify(list)));

/** By `node --conditions=browser`, which takes the build for browsers. */
async function inBrowserBuild(program: string): Promise<unknown> {
  const parameters = ['--conditions=browser', '--input-type=module', '-e', program];
  const cwd = fileURLToPath(new URL('../../../colkit', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, parameters, { cwd });
  return JSON.parse(stdout);
}

test('lists, sets and a cache', async () => {
  const seven = [0, 1, 2, 3, 4, 5, 6];
  const found = await inBrowserBuild(`
    import { DataLoader, SyrahDataset, openShards } from 'syrah';
    const labelsOf = async (what, options) => {
      const dataset = await SyrahDataset.open(what, ['label'], options);
      const labels = [];
      for await (const [label] of new DataLoader(dataset, { batchSize: 3 })) labels.push(...label.data);
      dataset.close();
      return labels;
    };
    const urls = ${JSON.stringify(names.map((name) => server.url(name)))};
    const blobOf = async (url) => (await fetch(url, { headers: { range: "bytes=0-" } })).blob();
    const blobs = await Promise.all(urls.map(blobOf));
    const cache = { bytes: 1000000 };
    const shards = await openShards(urls);
    console.log(JSON.stringify({
      urls: await labelsOf(urls, { cache }),
      list: await labelsOf(${JSON.stringify(server.url('list.json'))}),
      set: await labelsOf(urls[0]),
      blobs: await labelsOf(blobs),
      item: [...(await shards.getItem(-1)).label],
      folder: await labelsOf(urls, { cache: { folder: 'x' } }).catch(({ code }) => code),
    }));
  `);
  expect(found).toEqual({
    urls: seven,
    list: seven,
    set: seven,
    blobs: seven,
    item: [6],
    folder: 'ERR_FEATURE',
  });
});
