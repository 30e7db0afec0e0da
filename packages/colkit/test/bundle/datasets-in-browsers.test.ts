// Datasets in a real browser, from a server of another origin: a list of URLs, a manifest, and a bucket that is written
// and committed to, in the page and in a worker. Where the machine has none this says so.
import { s3Store } from '@colkit/s3';
import { s3Server } from '@colkit/testkit/s3-server';
import type { S3Server } from '@colkit/testkit/s3-server';
import * as columna from 'columna';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testBrowser } from '@colkit/testkit/browser';
import { browserProgram } from '../support/browser-program.ts';
import type { BrowserProgram } from '../support/browser-program.ts';

const browser = testBrowser('datasets were not opened in a browser');

const TASKS = `
  import { commit, mergePartials, openDataset, partial, writePart } from 'columna';
  import { s3Store } from '@colkit/s3';
  const codeOf = (promise) => promise.then(() => 'none', (error) => error.code ?? String(error));
  const tasks = {
    async open(what) {
      const dataset = await openDataset(what);
      const { rowCount, columnNames, version, openCount } = dataset;
      const { columns } = await dataset.groupBy('region').agg({ n: 'count', total: { sum: 'id' } });
      const found = Array.from((await dataset.where("region = 'EMEA' and id >= 8").toColumns()).id);
      const splits = await dataset.splits({ columns: ['id'] });
      const states = [];
      for (const split of JSON.parse(JSON.stringify(splits)))
        states.push(await partial({ split, aggregates: { total: { sum: 'id' } } }));
      dataset.close();
      return { rowCount, columnNames, version, openCount, columns, found, whole: mergePartials(states) };
    },
    async write(options) {
      const store = s3Store(options);
      const parts = [];
      for (const region of ['EMEA', 'APAC'])
        parts.push(await writePart(store, { id: Int32Array.of(1, 2, 3) }, { partition: { region } }));
      const first = await commit(store, parts, { expected: 0 });
      const late = await codeOf(commit(store, parts, { expected: 0 }));
      const sink = await store.create('large.bin');
      const bytes = new Uint8Array(6 << 20).fill(7);
      await sink.write(bytes);
      await sink.finish();
      const again = await codeOf(store.create('large.bin'));
      const source = await store.open('large.bin');
      const { what } = source.reopen();
      const { status } = await fetch(what, { headers: { range: 'bytes=0-0' } });
      source.close();
      const dataset = await openDataset(store);
      const sums = (await dataset.groupBy('region').agg({ total: { sum: 'id' } })).columns;
      dataset.close();
      return { version: first.version, late, again, status, sums };
    },
    async folders() {
      return [await codeOf(openDataset('folder/')), await codeOf(commit('folder/', [], { expected: 0 }))];
    },
  };
`;

describe.skipIf(browser === null)(`in ${browser?.name ?? 'a browser'}`, () => {
  let program: BrowserProgram;
  let bucket: S3Server;
  let urls: string[] = [];

  beforeAll(async () => {
    bucket = await s3Server({ cors: true, isPublic: true });
    const { endpoint, keys: credentials } = bucket;
    const store = s3Store({ endpoint, bucket: 'bucket', prefix: 'orders', credentials });
    const parts = [];
    for (const [region, start] of [
      ['EMEA', 0],
      ['APAC', 10],
    ] as const) {
      const id = Int32Array.from({ length: 10 }, (_row, i) => start + i);
      parts.push(await columna.writePart(store, { id }, { partition: { region } }));
    }
    await columna.commit(store, parts, { expected: 0 });
    urls = parts.map(({ key }) => `${store.name}/${key}`);
    program = await browserProgram({
      browser: browser!,
      tasks: TASKS,
      bundling: { external: ['apache-arrow'] },
    });
  });
  afterAll(async () => {
    await program.close();
    await bucket.close();
  });

  const expected = {
    rowCount: 20,
    columnNames: ['id', 'region'],
    openCount: 0,
    columns: { region: ['EMEA', 'APAC'], n: [10, 10], total: [45, 145] },
    found: [8, 9],
    whole: { total: 190 },
  };

  it.each([
    ['the page', false],
    ['a worker', true],
  ] as const)('opens a list of URLs and a manifest in %s', async (_, isWorker) => {
    expect(await program.ask(isWorker, 'open', urls)).toEqual({ ...expected, version: 0 });
    bucket.log.length = 0;
    const manifest = `${bucket.endpoint}/bucket/orders/_manifests/${'1'.padStart(20, '0')}.json`;
    expect(await program.ask(isWorker, 'open', manifest)).toEqual({ ...expected, version: 1 });
    expect(bucket.log[0]).toMatch(/^GET orders\/_manifests/u);
    expect(await program.ask(isWorker, 'folders')).toEqual(['ERR_FEATURE', 'ERR_FEATURE']);
    expect(program.faults).toEqual([]);
  });

  it('writes parts to a bucket and commits them, from the page', async () => {
    const { endpoint, keys: credentials } = bucket;
    const options = { endpoint, bucket: 'bucket', prefix: 'sales', credentials, partBytes: 5 << 20 };
    expect(await program.ask(false, 'write', options)).toEqual({
      version: 1,
      late: 'ERR_CONFLICT',
      again: 'ERR_EXISTS',
      status: 206,
      sums: { region: ['EMEA', 'APAC'], total: [6, 6] },
    });
    // What a browser committed, Node opens.
    const dataset = await columna.openDataset(s3Store(options));
    expect([dataset.version, dataset.rowCount]).toEqual([1, 6]);
    dataset.close();
    // Chromium prints each request that a server refuses, as it is to here.
    expect(program.faults.filter((fault) => !fault.startsWith('Failed to load resource'))).toEqual([]);
  });
});
