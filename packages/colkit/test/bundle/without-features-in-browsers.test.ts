// What browsers of some years ago, Safari, and pages that are not secure do not have: taken away before the packages
// are loaded. Everything works, or says what is missing.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { testBrowser } from '@colkit/testkit/browser';
import { typed, writeSync } from 'columna';
import { createSync } from 'syrah';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserProgram } from '../support/browser-program.ts';
import type { BrowserProgram } from '../support/browser-program.ts';

const browser = testBrowser('the builds for browsers were not run without what some browsers have not');

/** What a page has not: how it is taken away, and what says so then. */
const FEATURES: Readonly<Record<string, readonly [script: string, refused?: Readonly<Record<string, string>>]>> = {
  nothing: [''],
  SharedArrayBuffer: ['delete globalThis.SharedArrayBuffer; delete globalThis.Atomics'],
  'AbortSignal.any': ['delete AbortSignal.any; delete AbortSignal.timeout'],
  'streams that are iterable': ['delete ReadableStream.prototype[Symbol.asyncIterator]'],
  Float16Array: ['delete globalThis.Float16Array', { float16: 'ERR_FEATURE Float16Array' }],
  DecompressionStream: ['delete globalThis.DecompressionStream', { gzip: 'ERR_FEATURE cannot decompress gzip' }],
  createWritable: [
    'delete globalThis.FileSystemFileHandle?.prototype.createWritable',
    { handle: 'ERR_FEATURE MemorySink' },
  ],
  'a secure context': [
    'delete Navigator.prototype.locks; delete Crypto.prototype.randomUUID; delete Crypto.prototype.subtle',
  ],
  Worker: ['delete globalThis.Worker', { workers: 'ERR_READ workers: 0' }],
  structuredClone: ['delete globalThis.structuredClone'],
  WebAssembly: ['delete globalThis.WebAssembly'],
  'methods of ES2023 and later': [
    `for (const { prototype } of [Array, Object.getPrototypeOf(Int8Array)])
      for (const name of ['toSorted', 'toReversed', 'with', 'findLast', 'findLastIndex']) delete prototype[name];
    for (const name of ['union', 'intersection', 'difference', 'isSubsetOf']) delete Set.prototype[name];
    for (const name of ['transfer', 'transferToFixedLength', 'resize', 'resizable', 'detached'])
      delete ArrayBuffer.prototype[name];
    delete Array.fromAsync; delete Promise.withResolvers; delete Promise.try; delete Object.groupBy; delete Map.groupBy;
    delete String.prototype.isWellFormed; delete globalThis.Iterator; delete URL.canParse`,
  ],
};

const TASKS = `
  import * as columna from 'columna';
  import { DataLoader, SyrahDataset, create, open } from 'syrah';
  import { openTable, writeTable } from 'colkit/convert';
  const url = (name) => new URL('/files/' + name, location.origin).href;
  const sum = (values) => values.reduce((total, value) => total + value, 0);
  const load = async (workers) => {
    const dataset = await SyrahDataset.open(url('a.syr'), ['label']);
    const seen = [];
    for await (const [labels] of new DataLoader(dataset, { batchSize: 2, workers })) seen.push(...labels.data);
    return seen;
  };
  const steps = {
    async url() {
      const table = await columna.open(url('a.cna'));
      const { columns } = await table.where('id > 1').groupBy('name').agg({ n: 'count' });
      return [sum((await table.toColumns()).id), Array.from(columns.n), await table.column('id').max()];
    },
    async aborted() {
      const stop = new AbortController();
      setTimeout(() => stop.abort(new Error('enough')), 20);
      return columna.read(url('never'), { signal: stop.signal }).then(() => 'read', ({ message }) => message);
    },
    timeout: () => columna.read(url('never'), { timeoutMs: 50, retry: false }).then(() => 'read', ({ code }) => code),
    async memory() {
      const sink = new columna.MemorySink();
      await columna.write(sink, { id: Int32Array.of(1, 2), text: ['a', 'b'], day: [new Date(0), new Date(1)] });
      return columna.readSync(sink.bytes()).text;
    },
    async float16() {
      const sink = new columna.MemorySink();
      await columna.write(sink, { half: columna.typed('float16', [1, 2.5]) });
      return sum((await columna.read(sink.bytes())).half);
    },
    async stream() {
      const sink = new columna.MemorySink();
      return (await columna.writeCsv((await fetch(url('a.csv'))).body, sink)).rowCount;
    },
    async gzip() {
      const sink = new columna.MemorySink();
      return (await columna.writeCsv((await fetch(url('a.csv.gz'))).body, sink)).rowCount;
    },
    async batches() {
      const sink = new columna.MemorySink();
      const batches = new ReadableStream({
        start(controller) {
          for (const id of [1, 2]) controller.enqueue({ id: Int32Array.of(id) });
          controller.close();
        },
      });
      return (await columna.write(sink, batches)).rowCount;
    },
    async items() {
      const sink = new columna.MemorySink();
      const writer = await create(sink);
      await writer.addItems(new ReadableStream({
        start(controller) {
          for (const id of [1, 2]) controller.enqueue({ id: Int32Array.of(id) });
          controller.close();
        },
      }));
      await writer.close();
      return (await open(sink.bytes())).itemCount;
    },
    async table() {
      const { table } = await openTable(new Blob([await (await fetch(url('a.csv'))).arrayBuffer()]), { name: 'a.csv' });
      const sizes = [];
      for (const format of ['csv', 'json', 'arrow', 'parquet'])
        sizes.push((await writeTable(table, format)).size > 10);
      return sizes;
    },
    async handle() {
      const folder = await navigator.storage.getDirectory();
      const handle = await folder.getFileHandle('without.cna', { create: true });
      await columna.write(handle, { id: Int32Array.of(1, 2) }, { overwrite: true });
      return sum((await columna.read(handle)).id);
    },
    loader: () => load(0),
    workers: () => load(2),
  };
  const tasks = {
    async all() {
      const found = {};
      for (const [name, step] of Object.entries(steps))
        found[name] = await step().catch((error) => error.code + ' ' + error.message);
      return found;
    },
  };
`;
const WITHOUT = Object.keys(FEATURES);
/** Runs before any module of the packages, in pages whose address ends with the number of a feature. */
const TAKING = `switch (location.search) {
  ${WITHOUT.map((name, i) => `case '?${String(i)}': { ${FEATURES[name]?.[0] ?? ''}; break; }`).join('\n')}
}`;
const EXPECTED = {
  url: [6, [1, 1], 3],
  aborted: 'enough',
  timeout: 'ERR_READ',
  memory: ['a', 'b'],
  float16: 3.5,
  stream: 2,
  gzip: 2,
  batches: 2,
  items: 2,
  table: [true, true, true, true],
  handle: 3,
  loader: [0, 1, 2],
  workers: [0, 1, 2],
};

describe.skipIf(browser === null)(`in ${browser?.name ?? 'a browser'}`, () => {
  let program: BrowserProgram;
  const folder = mkdtempSync(join(tmpdir(), 'colkit-without-'));

  beforeAll(async () => {
    writeSync(join(folder, 'a.cna'), { id: typed('int32', [1, 2, 3]), name: ['a', 'b', 'a'] });
    const items = createSync(join(folder, 'a.syr'));
    for (const label of [0, 1, 2]) items.addItemSync({ label: Int32Array.of(label) });
    items.closeSync();
    const csv = 'id,name\n1,a\n2,b\n';
    const files = new Map<string, Uint8Array>([
      ['a.cna', readFileSync(join(folder, 'a.cna'))],
      ['a.syr', readFileSync(join(folder, 'a.syr'))],
      ['a.csv', Buffer.from(csv)],
      ['a.csv.gz', gzipSync(csv)],
    ]);
    const serve = ({ url = '', headers: { range } }: IncomingMessage, response: ServerResponse): boolean => {
      const name = url.replace('/files/', '');
      const file = files.get(name);
      if (file === undefined) return name === 'never';
      const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? [];
      const start = from === '' ? Math.max(0, file.length - Number(to)) : Number(from ?? 0);
      const end = Math.min(file.length, from === '' || to === '' ? file.length : Number(to ?? file.length) + 1);
      const headers = { 'content-range': `bytes ${start}-${end - 1}/${file.length}`, etag: '"1"' };
      response.writeHead(range === undefined ? 200 : 206, range === undefined ? {} : headers);
      response.end(file.subarray(start, end));
      return true;
    };
    program = await browserProgram({
      browser: browser!,
      tasks: TASKS,
      bundling: { banner: { js: TAKING }, entryPoints: { 'syrah/loader-worker': 'syrah/loader-worker' } },
      serve,
    });
  });
  afterAll(async () => {
    await program.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(WITHOUT.map((name, i) => [name, i] as const))('without %s', async (name, i) => {
    const missing = browser!.hasWritableHandles ? [name] : [name, 'createWritable'];
    const refused = missing.flatMap((each) => Object.entries(FEATURES[each]?.[1] ?? {}));
    const refusals = refused.map(([step, words]) => {
      const [code = '', ...rest] = words.split(' ');
      return [step, expect.stringMatching(new RegExp(`^${code} .*${rest.join(' ')}`, 'u')) as string] as const;
    });
    expect(await program.askIn(`/?${String(i)}`, 'all')).toEqual({ ...EXPECTED, ...Object.fromEntries(refusals) });
  });
});
