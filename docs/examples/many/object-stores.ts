import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeThroughFile } from '@colkit/io/durable';
import { s3Store } from '@colkit/s3';
import * as colstore from 'colstore';
import { commit, mergePartials, open, openDataset, partial, write, writePart } from 'columna';
import { create } from 'syrah';

// As much of a server as this page needs.
const objects = new Map<string, Buffer>();
const server = createServer((request, response) => {
  void (async () => {
    const { searchParams, pathname } = new URL(request.url ?? '', 'http://x');
    const key = decodeURIComponent(pathname).slice('/measures/'.length);
    const found = objects.get(key);
    const pieces: Uint8Array[] = [];
    for await (const piece of request as AsyncIterable<Uint8Array>) pieces.push(piece);
    if (searchParams.has('list-type')) {
      const keys = [...objects.keys()].filter((each) => each.startsWith(searchParams.get('prefix') ?? '')).sort();
      const contents = keys.map(
        (each) =>
          `<Contents><Key>${each}</Key><Size>${String(objects.get(each)?.length)}</Size>` +
          '<LastModified>2026-11-24T00:00:00Z</LastModified><ETag>"1"</ETag></Contents>',
      );
      response.end(`<ListBucketResult>${contents.join('')}</ListBucketResult>`);
    } else if (request.method === 'PUT') {
      if (found === undefined) objects.set(key, Buffer.concat(pieces));
      response.writeHead(found === undefined ? 200 : 412).end();
    } else if (request.method === 'DELETE') {
      objects.delete(key);
      response.writeHead(204).end();
    } else if (found === undefined) response.writeHead(404).end();
    else {
      const range = /bytes=(\d*)-(\d*)/.exec(request.headers.range ?? '');
      const start = range?.[1] === '' ? Math.max(0, found.length - Number(range[2])) : Number(range?.[1] ?? 0);
      const end = range?.[1] === '' ? found.length : Number(range?.[2] ?? found.length - 1) + 1;
      const content = `bytes ${String(start)}-${String(end - 1)}/${String(found.length)}`;
      response.writeHead(206, { etag: '"1"', 'content-range': content }).end(found.subarray(start, end));
    }
  })();
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const endpoint = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
process.env['KEY_ID'] = 'id';
process.env['KEY'] = 'key';

// #region open
const store = s3Store({
  endpoint, // without it: AWS, in the region
  region: 'us-east-1',
  bucket: 'measures',
  prefix: 'orders/',
  credentials: { accessKeyId: process.env['KEY_ID'], secretAccessKey: process.env['KEY'] },
});
// #endregion open

// #region write
await write(await store.create('by-hand/1.cna'), { id: Int32Array.of(1, 2) }); // or batches that come one by one
await colstore.write(await store.create('by-hand/2.cstore'), { id: Int32Array.of(3) });
const items = await create(await store.create('items/train.syr')); // syrah's
await items.addItem({ label: Int32Array.of(1) });
await items.close();
// #endregion write

// #region read
const table = await open(await store.open('by-hand/1.cna'));
console.log(await table.toColumns()); // → { id: Int32Array(2) [ 1, 2 ] }
table.close();
// #endregion read

// #region file
await writeThroughFile(store, 'logs/today.cstore', async (path) => {
  const writer = await colstore.create(path);
  await writer.write({ level: Int8Array.of(1, 3) });
  await writer.close();
});
// #endregion file

// #region dataset
const part = await writePart(store, { id: Int32Array.of(4, 5) }, { partition: { region: 'EMEA' } });
await commit(store, [part], { expected: 0 });
const dataset = await openDataset(store);
console.log(dataset.version, dataset.rowCount); // → 1 2

const tasks = JSON.stringify(await dataset.splits({ columns: ['id'] })); // holds no keys
const states = [];
for (const split of JSON.parse(tasks) as Awaited<ReturnType<typeof dataset.splits>>)
  states.push(await partial({ split, aggregates: { total: { sum: 'id' } } }, { store }));
console.log(mergePartials(states)); // → { total: 9 }
dataset.close();
// #endregion dataset
server.close();
