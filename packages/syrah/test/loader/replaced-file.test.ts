// A dataset's file that is replaced, or written to, while a loader reads it: the old samples or a typed error, never
// some of each.
import { readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { DataLoader, IoError, SyrahDataset, open, openSync } from '../../src/index.ts';
import type { Tensor } from '../../src/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { collect, failureOf, writeItems } from './fixture.ts';

const folder = temporaryFolder();
const COUNT = 60;
const OTHER = 1000;
type Batch = [Tensor<Int32Array>];

/** Two files of the same size; the second one takes the place of the first when `replace` is called. */
async function twoFiles(name: string): Promise<{ path: string; replace: () => void }> {
  const path = await writeItems(folder.path(`${name}.syr`), COUNT, (i) => ({ label: Int32Array.of(i) }));
  const other = await writeItems(folder.path(`${name}-other.syr`), COUNT, (i) => ({ label: Int32Array.of(OTHER + i) }));
  expect(readFileSync(other).length).toBe(readFileSync(path).length);
  return { path, replace: () => renameSync(other, path) };
}

const ALL = Array.from({ length: COUNT }, (_, i) => i);
const labelsOf = (batches: readonly Batch[]): number[] => batches.flatMap(([{ data }]) => [...data]);

test('this thread goes on with the file that it opened', async () => {
  const { path, replace } = await twoFiles('here');
  const dataset = await SyrahDataset.open(path);
  const seen: Batch[] = [];
  for await (const batch of new DataLoader<Batch>(dataset, { batchSize: 4 })) if (seen.push(batch) === 1) replace();
  expect(labelsOf(seen)).toEqual(ALL);
  dataset.close();
});

test.each([true, false])('workers that start after it was replaced refuse it, warm start: %j', async (warmStart) => {
  const { path, replace } = await twoFiles(`workers-${String(warmStart)}`);
  const dataset = await SyrahDataset.open(path);
  replace();
  const seen: Batch[] = [];
  const failure = await (async () => {
    for await (const batch of new DataLoader<Batch>(dataset, { batchSize: 1, workers: 2, prefetch: 1, warmStart })) {
      seen.push(batch);
      await new Promise((resolve) => setTimeout(resolve, warmStart ? 50 : 0));
    }
  })().catch((error: unknown) => error);
  expect(failure).toMatchObject({
    name: 'LoaderError',
    code: 'ERR_FILE_CHANGED',
    message: expect.stringContaining(path) as string,
  });
  expect(labelsOf(seen)).toEqual(ALL.slice(0, seen.length));
  dataset.close();
});

test('workers that wait for the next epoch keep the file that they opened', async () => {
  const { path, replace } = await twoFiles('kept');
  const dataset = await SyrahDataset.open(path);
  await using loader = new DataLoader<Batch>(dataset, { batchSize: 4, workers: 1, warmStart: false });
  expect(labelsOf(await collect(loader))).toEqual(ALL);
  replace();
  expect(labelsOf(await collect(loader))).toEqual(ALL);
  dataset.close();
});

test('a file that was written to in its place is another one', async () => {
  const { path } = await twoFiles('written');
  const file = openSync(path);
  const handle = file.handle();
  (await open(handle)).close();
  openSync(JSON.parse(JSON.stringify(handle)) as typeof handle).close();
  const bytes = readFileSync(path);
  writeFileSync(path, bytes);
  utimesSync(path, new Date(0), new Date(1000));
  expect(() => openSync(handle)).toThrow(expect.objectContaining({ name: 'IoError', code: 'ERR_FILE_CHANGED' }));
  await expect(open(handle)).rejects.toBeInstanceOf(IoError);
  file.close();
});

test('an object of a server that has another ETag is refused by workers', async () => {
  const { path } = await twoFiles('remote');
  const bytes = readFileSync(path);
  let etag = '"1"';
  const server = createServer((request, response) => {
    const [, start = '', end = ''] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    const from = start === '' ? Math.max(0, bytes.length - Number(end)) : Number(start);
    const to = start === '' || end === '' ? bytes.length - 1 : Number(end);
    response
      .writeHead(206, {
        'content-length': String(to - from + 1),
        'content-range': `bytes ${String(from)}-${String(to)}/${String(bytes.length)}`,
        etag,
      })
      .end(bytes.subarray(from, to + 1));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const dataset = await SyrahDataset.open(
      `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/items.syr`,
    );
    etag = '"2"';
    expect(await failureOf(new DataLoader(dataset, { workers: 1, warmStart: false }))).toMatchObject({
      name: 'LoaderError',
      code: 'ERR_FILE_CHANGED',
    });
    dataset.close();
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('the message names a file that was replaced once', async () => {
  const first = await writeItems(folder.path('once-0.syr'), 2, (i) => ({ label: Int32Array.of(i) }));
  const { path, replace } = await twoFiles('once-1');
  const dataset = await SyrahDataset.open([first, path], ['label'], { maxOpen: 1 });
  await dataset.get(0);
  replace();
  const failure = (await failureOf(new DataLoader(dataset, { batchSize: 2 }))) as Error;
  expect(failure).toMatchObject({ code: 'ERR_FILE_CHANGED' });
  expect(failure.message.split(path)).toEqual(['', expect.stringContaining('another file stands at its place')]);
  dataset.close();
});
